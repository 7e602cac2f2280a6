import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ChecksToHost } from '../../../src/shared/protocol/checksProtocol.ts';
import { accessFaults } from '../accessFaults.ts';
import { PageBrowser } from './pageBrowser.ts';

const postedBy = (page: Page): Promise<readonly ChecksToHost[]> => page.evaluate('checksPosted');

/** Sends the page another of its states. */
function showState(page: Page, state: string): Promise<void> {
  return page.evaluate((name) => {
    const { checksShow }: { checksShow?: (state: string) => Promise<void> } = globalThis as object;
    return checksShow?.(name);
  }, state);
}

describe('The table of checks', () => {
  const browser = new PageBrowser('checks');

  it('is a grid for the keyboard: arrows move, Enter opens a run, Escape returns', async () => {
    const page = await browser.open('run', { width: 1200 });
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('.visually-hidden')?.textContent);
    await page.getByRole('gridcell').first().focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    assert.equal(await focused(), 'Changes nothing else, kestrel/sparrow: flaky, 2 of 3 passed');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: 'Names the changed function, kestrel/sparrow' });
    await panel.waitFor();
    assert.deepEqual((await postedBy(page)).at(-1), {
      type: 'open',
      uri: 'file:///w/fix.checks.yaml',
      caseId: 'Changes nothing else',
      key: 'kestrel/sparrow',
    });
    assert.match(await panel.innerText(), /Run 2 of 3 · 1\.6 s° · ≈ 433 tokens · cost ≈ 0\.00011/);
    assert.match(await panel.innerText(), /contains "removeDone"/);
    await panel.getByRole('button', { name: 'Show Request' }).click();
    assert.deepEqual((await postedBy(page)).at(-1), { type: 'showRequest', attempt: 'a2' });
    await panel.getByRole('button', { name: 'Run 3 of 3' }).click();
    assert.deepEqual(await panel.locator('.removed').allInnerTexts(), ['three']);
    assert.deepEqual(await panel.locator('.inserted').allInnerTexts(), ['two']);
    assert.deepEqual(await accessFaults(page), []);
    await panel.getByRole('button', { name: 'Close' }).click();
    assert.equal(await focused(), 'Changes nothing else, kestrel/sparrow: flaky, 2 of 3 passed');
    await page.keyboard.press('Alt+F8');
    await panel.waitFor();
    assert.deepEqual((await postedBy(page)).at(-1), {
      type: 'open',
      uri: 'file:///w/fix.checks.yaml',
      caseId: 'Changes nothing else',
      key: 'northwind/breeze-3b',
    });
  });

  it('says that a run is starting, and does nothing when pressed again until then', async () => {
    const page = await browser.open('run', { width: 1200 });
    const button = page.getByRole('button', { name: /^(Run All|Starting…|Stop)$/ });
    const presses = async () => (await postedBy(page)).filter(({ type }) => type === 'run' || type === 'stop').length;
    await button.press('Enter');
    assert.equal(await presses(), 1);
    await showState(page, 'starting');
    assert.equal(await button.innerText(), 'Starting…');
    assert.equal(await button.evaluate((it) => it === document.activeElement), true);
    await page.keyboard.press('Enter');
    assert.equal(await presses(), 1);
    await showState(page, 'running');
    assert.match(await button.innerText(), /Stop/);
    await page.keyboard.press('Enter');
    assert.equal(await presses(), 2);
  });

  it('keeps the focus on the buttons of the open run: for its other runs, and from failure to failure', async () => {
    const page = await browser.open('run', { width: 1200 });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await page.getByRole('gridcell', { name: 'Changes nothing else, kestrel/sparrow' }).click();
    const panel = page.getByRole('region', { name: 'Names the changed function, kestrel/sparrow' });
    await panel.waitFor();
    await panel.getByRole('button', { name: 'Run 3 of 3' }).press('Enter');
    assert.equal(await focused(), 'Run 3 of 3');
    await panel.getByRole('button', { name: 'Next Failure' }).press('Enter');
    await page.locator('[data-opened]', { hasText: 'Changes nothing else, northwind/breeze-3b' }).waitFor();
    assert.equal(await focused(), 'Next Failure');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
  });

  it("shows the new runs of an open cell once it's run again, follows its model when the order changes, and closes when its results are gone", async () => {
    const page = await browser.open('run', { width: 1200 });
    const opened = page.locator('[data-opened] .visually-hidden');
    const cell = page.getByRole('gridcell', { name: 'Changes nothing else, kestrel/sparrow' });
    const asked = async () => (await postedBy(page)).filter(({ type }) => type === 'open').length;
    await cell.click();
    await page.getByRole('region', { name: 'Names the changed function, kestrel/sparrow' }).waitFor();
    assert.equal(await asked(), 1);
    const show = (state: string) => showState(page, state);
    await show('run');
    assert.equal(await asked(), 1);
    await show('better');
    assert.equal(await opened.innerText(), 'Changes nothing else, kestrel/sparrow: 3 of 3 passed');
    assert.deepEqual((await postedBy(page)).at(-1), {
      type: 'open',
      uri: 'file:///w/fix.checks.yaml',
      caseId: 'Changes nothing else',
      key: 'kestrel/sparrow',
    });
    assert.equal(await asked(), 2);
    await show('changed');
    await page.locator('.panel').waitFor({ state: 'hidden' });
    assert.equal(await opened.count(), 0);
  });

  it("keeps the names of the cases visible when it's narrow, and every figure beside its label", async () => {
    for (const theme of ['dark', 'light', 'hc'] as const) {
      const page = await browser.open('run', { width: 300, theme });
      await page.getByRole('gridcell').last().focus();
      const scroller = page.locator('.scroller');
      assert.ok((await scroller.evaluate((each) => each.scrollLeft)) > 0);
      // The page itself doesn't scroll sideways.
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
      const view = await scroller.boundingBox();
      for (const name of ['Changes nothing else', 'fix.checks.yaml']) {
        const box = await page
          .locator('tbody th', { hasText: name })
          .locator('span')
          .or(page.locator('tbody th[scope=row]', { hasText: name }))
          .first()
          .boundingBox();
        assert.ok(box !== null && view !== null && Math.abs(box.x - view.x) < 2, `${name} is at ${box?.x}`);
      }
      // Nothing shows through: the name covers the cells that scroll beneath it.
      const name = page.locator('tbody th[scope=row]').first();
      assert.notEqual(await name.evaluate((each) => getComputedStyle(each).backgroundColor), 'rgba(0, 0, 0, 0)');
      const label = await page.locator('.labels', { hasText: 'Median total' }).boundingBox();
      const times = await page.locator('thead .time').all();
      for (const time of times) {
        const box = await time.boundingBox();
        assert.ok(box !== null && label !== null && Math.abs(box.y - label.y) < 8, `${box?.y} beside ${label?.y}`);
      }
      assert.deepEqual(await accessFaults(page), []);
    }
  });

  it("says in words why a cell is empty: not run yet, not sent to this model, or a case that can't run", async () => {
    const page = await browser.open('many', { width: 1200 });
    const cells = page.getByRole('gridcell');
    const said = (start: string) => cells.filter({ hasText: start }).first().locator('.visually-hidden').innerText();
    const shown = (start: string) => cells.filter({ hasText: start }).first().locator('.shown').innerHTML();
    assert.equal(await said('Keeps the order, kestrel/wren'), 'Keeps the order, kestrel/wren: Not run yet');
    assert.match(await shown('Keeps the order, kestrel/wren'), /codicon-circle-outline/);
    assert.equal(await said('Keeps the order, tiny'), "Keeps the order, tiny: This case isn't sent to this model");
    assert.equal(await shown('Keeps the order, tiny'), '–');
    const faulty = 'Compiles without errors, harbor/quill-70b';
    assert.equal(await said(faulty), `${faulty}: "lost.ts" doesn't exist.`);
    assert.match(await shown(faulty), /codicon-circle-slash/);
    assert.equal(await page.locator('.reason').innerText(), '"lost.ts" doesn\'t exist.');
    const half = 'Removes every finished task, meridian/atlas-vision-preview-2026-10-31';
    assert.equal(await said(half), `${half}: unfinished, 2 of 2 passed`);
    assert.match(await page.locator('thead').innerText(), /2 of 2\s+13 couldn't run/);
  });

  it('keeps figures on one line and the cell of the open run in view, with eight models', async () => {
    for (const [width, theme] of [
      [300, 'dark'],
      [1200, 'light'],
      [1200, 'hc'],
    ] as const) {
      const page = await browser.open('many', { width, theme });
      const heights = await page.locator('.time').evaluateAll((all) => all.map((each) => each.clientHeight));
      assert.ok(heights.length === 8 && heights.every((height) => height < 24), heights.join());
      // Names of any length leave room for the cells.
      assert.ok(await page.locator('.models').evaluate((each) => each.clientHeight < 90));
      const cell = page.getByRole('gridcell', { name: 'Uses the imperative, northwind/breeze-3b' });
      await cell.click();
      await page.getByRole('region').first().waitFor();
      const visible = () =>
        cell.evaluate((each) => {
          const { left, top, width: wide, height } = each.getBoundingClientRect();
          return each.contains(document.elementFromPoint(left + wide / 2, top + height / 2));
        });
      assert.ok(await visible());
      assert.equal(await cell.getAttribute('data-opened'), '');
      await page.locator('.scroller').evaluate((each) => each.scrollTo(0, 0));
      await page.keyboard.press('Alt+F8');
      assert.deepEqual(await accessFaults(page), []);
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('[data-opened]').count(), 0);
    }
  });

  it('says that its only file is gone, shows all others only when asked, and how often cases are sent if that differs', async () => {
    const gone = await browser.open('gone', { width: 300 });
    await gone.getByText('"src/fix.checks.yaml" no longer exists.').waitFor();
    assert.deepEqual(await gone.getByRole('button').allInnerTexts(), ['Show All Checks']);
    await gone.getByRole('button', { name: 'Show All Checks' }).press('Enter');
    assert.deepEqual((await postedBy(gone)).at(-1), { type: 'showAll' });
    const focused = () => gone.evaluate(() => document.activeElement?.textContent.trim());
    await showState(gone, 'run');
    assert.equal(await focused(), 'Run All');
    await showState(gone, 'gone');
    assert.equal(await focused(), 'Show All Checks');
    await showState(gone, 'run');
    await gone.getByRole('gridcell').nth(3).focus();
    await showState(gone, 'gone');
    assert.equal(await focused(), 'Show All Checks');
    // The same in the details of a result.
    await showState(gone, 'run');
    await gone.getByRole('gridcell').nth(3).click();
    await gone.getByRole('button', { name: 'Close' }).focus();
    await showState(gone, 'gone');
    assert.equal(await focused(), 'Show All Checks');
    const several = await browser.open('many', { width: 1200 });
    assert.match(
      await several.locator('header').first().innerText(),
      /8 cases · 8 models · 2 to 3 runs each · .*cost 0\.02 in all/,
    );
    assert.match(await several.locator('header').first().innerText(), /runs each · 1 case can't run/);
    const estimated = await browser.open('estimated', { width: 1200 });
    const facts = estimated.locator('header .figures').first();
    assert.match(await facts.innerText(), /cost ≈ 0\.02 in all/);
    assert.equal(await facts.getAttribute('title'), '≈ = estimated from the text');
    const same = await browser.open('run', { width: 1200 });
    assert.match(await same.locator('header').first().innerText(), /8 cases · 4 models · 3 runs each/);
  });

  it('deletes results if there are any and nothing runs, and keeps the focus on its buttons', async () => {
    const page = await browser.open('run', { width: 1200 });
    const remove = page.getByRole('button', { name: 'Delete Results…' });
    const focused = () => page.evaluate(() => document.activeElement?.textContent.trim());
    await remove.press('Enter');
    assert.deepEqual((await postedBy(page)).at(-1), { type: 'deleteResults' });
    await showState(page, 'running');
    await remove.waitFor({ state: 'hidden' });
    assert.equal(await focused(), 'Stop');
    assert.equal(await page.locator('.note').innerText(), '', 'nothing is concluded before the end');
    await page.keyboard.press('Enter');
    assert.deepEqual((await postedBy(page)).at(-1), { type: 'stop' });
    await showState(page, 'run');
    await remove.waitFor();
    assert.equal(await focused(), 'Run All');
  });

  it('announces the result of a run: which model passes every case, or that none does', async () => {
    for (const [state, words] of [
      [
        'run',
        'northwind/gale-32b-instruct passes every case. kestrel/sparrow costs less, but 2 of its 24 runs failed.',
      ],
      ['best', 'northwind/gale-32b-instruct passes every case.'],
      ['nobody', 'No model passes every case'],
      ['partly', 'No model passes every case. northwind/gale-32b-instruct passes all those that it was sent.'],
    ] as const) {
      const page = await browser.open('running', { width: 1200 });
      assert.equal(await page.getByRole('status').innerText(), '');
      await page.evaluate((name) => {
        const { checksShow }: { checksShow?: (state: string) => Promise<void> } = globalThis as object;
        return checksShow?.(name);
      }, state);
      await page.getByRole('status').getByText(words, { exact: true }).waitFor();
    }
  });

  it('says until when a run waits for a busy service, as text and aloud, and no longer once it continues', async () => {
    const page = await browser.open('running', { width: 1200 });
    const note = page.locator('.note');
    assert.equal(await note.innerText(), '');
    await showState(page, 'waiting');
    const words = /^Waiting until \d+:\d\d.*: the service is busy$/;
    await note.filter({ hasText: words }).waitFor();
    await page.getByRole('status').filter({ hasText: words }).waitFor();
    await showState(page, 'running');
    await note.filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
  });

  it('has one primary button, at the model that passes everything for the lowest cost', async () => {
    const page = await browser.open('run', { width: 1200 });
    assert.deepEqual(
      await page.locator('td .button').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))),
      ['Use This Model: northwind/gale-32b-instruct'],
    );
    await page.getByRole('button', { name: 'Use This Model: kestrel/sparrow' }).click();
    assert.deepEqual((await postedBy(page)).at(-1), { type: 'useModel', key: 'kestrel/sparrow' });
    assert.match(await page.locator('.note').innerText(), /kestrel\/sparrow costs less, but 2 of its 24 runs failed\./);
    const nobody = await browser.open('nobody', { width: 1200 });
    assert.equal(await nobody.locator('.best, td .button').count(), 0);
    assert.match(await nobody.locator('.note').innerText(), /No model passes every case/);
  });
});
