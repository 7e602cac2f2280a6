import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { MeasureProgress, ToMeasureHost, ToMeasurePage } from '../../../src/shared/protocol/measureProtocol.ts';
import { measureStates } from './measureStates.ts';
import { PageBrowser } from './pageBrowser.ts';

type Unnumbered = ToMeasurePage extends infer Each ? (Each extends ToMeasurePage ? Omit<Each, 'seq'> : never) : never;

declare global {
  var measureSaid: ToMeasureHost[];
  var measureTell: (message: Unnumbered) => void;
}

describe('The page that measures models', () => {
  const browser = new PageBrowser('measure');
  const said = <Type extends ToMeasureHost['type']>(page: Page, type: Type) =>
    page.evaluate((wanted) => globalThis.measureSaid.filter((message) => message.type === wanted), type) as Promise<
      Extract<ToMeasureHost, { type: Type }>[]
    >;
  const summary = (page: Page) => page.getByRole('table', { name: 'Summary' });

  it("shows what a run sends and costs beside the button, and can't run while something is missing", async () => {
    const page = await browser.open('empty', { width: 900 });
    const run = page.getByRole('button', { name: 'Run', exact: true });
    assert.equal(await run.getAttribute('aria-disabled'), 'true');
    await page.getByText('Add at least one model.').waitFor();
    await run.click({ force: true });
    assert.deepEqual(await said(page, 'run'), []);
    const ready = await browser.open('overBudget', { width: 900 });
    await ready.getByText('Sends 240 requests · ≈ 184k tokens · cost at least ≈ 12.00').waitFor();
    await ready.getByRole('button', { name: 'Run Anyway' }).click();
    const [sent] = await said(ready, 'run');
    assert.deepEqual(
      sent?.form.models.map(({ id }) => id),
      ['kestrel/sparrow', 'northwind/gale-32b-instruct', 'harbor/quill-70b'],
    );
  });

  it('names the service of each model if there are several', async () => {
    const page = await browser.open('twoServices', { width: 900 });
    await summary(page).getByRole('rowheader', { name: 'kestrel/sparrow (Home server)' }).waitFor();
    await page.getByRole('button', { name: 'More Actions…' }).click();
    await page.getByRole('menu').getByText('kestrel/sparrow (Home server)').waitFor();
    const told = await page.evaluate(
      () =>
        [...document.querySelectorAll('*')]
          .flatMap((each) => [...each.attributes].map(({ value }) => value))
          .join('\n') + document.body.innerText,
    );
    assert.doesNotMatch(told, /home::/);
    await page.setViewportSize({ width: 420, height: 700 });
    await page.locator('.chart-name', { hasText: /^kestrel.*…Home server\)$/ }).waitFor();
  });

  it('reports what was typed, and which fields are invalid', async () => {
    const page = await browser.open('faults', { width: 900 });
    const repeats = page.getByLabel('Requests per model and load');
    assert.equal(await repeats.getAttribute('aria-invalid'), 'true');
    await page.getByLabel('Requests at once', { exact: true }).first().fill('2, 8');
    await repeats.fill('30');
    await page.getByLabel('Start each request with unique text').uncheck();
    // How many messages the fields above make depends on how fast the machine is.
    await page.waitForFunction(() =>
      globalThis.measureSaid.some((each) => each.type === 'formChanged' && !each.form.usesUniquePrefix),
    );
    const form = (await said(page, 'formChanged')).at(-1)?.form;
    assert.deepEqual([form?.fields.concurrency, form?.fields.repeats, form?.usesUniquePrefix], ['2, 8', '30', false]);
    await page.getByRole('button', { name: 'Remove harbor/quill-70b' }).click();
    await page.waitForFunction(() =>
      globalThis.measureSaid.some((each) => each.type === 'formChanged' && each.form.models.length === 2),
    );
  });

  it('shows the progress of a run, fills rows as models finish, and stops it', async () => {
    const page = await browser.open('running', { width: 900 });
    const bar = page.getByRole('region', { name: 'Running' });
    await bar.getByText('128 of 240 requests').waitFor();
    await bar
      // How many seconds are left depends on how long the page took to load.
      .getByText(
        /northwind\/gale-32b-instruct, 16 at once · about 2 min \d+ s left · cost ≈ 0\.03 so far · none failed/,
      )
      .waitFor();
    assert.equal(await summary(page).getByRole('row').count(), 3);
    await bar.getByRole('button', { name: 'Stop' }).click();
    assert.equal((await said(page, 'stop')).length, 1);
    const paused = await browser.open('paused', { width: 900 });
    await paused.getByText(/paused for \d+ s: the service limits requests/).waitFor();
  });

  it('marks the best of each column with a word, and none if only one is known', async () => {
    const page = await browser.open('finished', { width: 1200 });
    const row = summary(page).getByRole('row', { name: /kestrel\/sparrow/ });
    assert.match((await row.textContent()) ?? '', /, Quickest to start.*, Fastest writer.*, Fastest/);
    // Neither has an interval, so the difference might be chance.
    assert.doesNotMatch((await summary(page).textContent()) ?? '', /Cheapest|Most requests/);
    assert.doesNotMatch(
      (await summary(page)
        .getByRole('row', { name: /harbor/ })
        .textContent()) ?? '',
      /Fastest/,
    );
    await summary(page).getByText('2 of 80').waitFor();
  });

  it('moves through rows and loads with the arrow keys, in the table and in a chart', async () => {
    const page = await browser.open('finished', { width: 1200 });
    const rows = summary(page).locator('tbody tr');
    await rows.first().focus();
    await page.keyboard.press('ArrowDown');
    assert.equal(await rows.nth(1).evaluate((row) => row === document.activeElement), true);
    const before = await rows.nth(1).textContent();
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.getByRole('radio', { name: '4', exact: true }).getAttribute('aria-checked'), 'true');
    assert.notEqual(await rows.nth(1).textContent(), before);
    assert.equal(await rows.nth(1).evaluate((row) => row === document.activeElement), true);
    const chart = page.getByRole('img', { name: /^First token\. kestrel\/sparrow, 4 at once: 0\.\d\d s\./ }).first();
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    await page
      .getByRole('img', { name: /^First token\. kestrel\/sparrow, 16 at once/ })
      .first()
      .waitFor();
  });

  it('draws every request as a dot, failures as crosses, and offers each chart as a table and as files', async () => {
    const page = await browser.open('finished', { width: 1200 });
    const chart = page.locator('figure.chart').first();
    const dots = chart.locator('.chart-dots');
    const count =
      (await dots.evaluateAll((all) => all.map((path) => path.getAttribute('d') ?? '').join(''))).split('M').length - 1;
    assert.equal(count, 3 * 4 * 20 - 2);
    assert.equal(await chart.locator('.chart-cross').count(), 1);
    await chart.getByText('2 failed').waitFor();
    await chart.getByRole('button', { name: 'Save Chart…' }).click();
    await page.getByRole('menuitem', { name: 'SVG…' }).click();
    const [svg] = await said(page, 'saveSvg');
    assert.match(svg?.text ?? '', /^<svg xmlns.*<path .*<text .*<\/svg>\n$/s);
    // Few programs but browsers read colors of any other form.
    const written = [...(svg?.text ?? '').matchAll(/ (?:fill|stroke)="([^"]*)"/g)].map(([, color]) => color);
    assert.deepEqual(
      [...new Set(written)].filter((color) => !/^(?:none|#[0-9a-f]{6})$/.test(color ?? '')),
      [],
    );
    assert.ok(new Set(written).size > 5, [...new Set(written)].join());
    await chart.getByRole('button', { name: 'Save Chart…' }).click();
    await page.getByRole('menuitem', { name: 'PNG…' }).click();
    await page.waitForFunction(() => globalThis.measureSaid.some(({ type }) => type === 'savePng'));
    const colors = await page.evaluate(async () => {
      const png = globalThis.measureSaid.find((message) => message.type === 'savePng');
      const image = await createImageBitmap(new Blob([new Uint8Array(png?.bytes ?? [])], { type: 'image/png' }));
      const paint = new OffscreenCanvas(image.width, image.height).getContext('2d');
      paint?.drawImage(image, 0, 0);
      const { data } = paint?.getImageData(0, 0, image.width, image.height) ?? { data: [] };
      const seen = new Set<string>();
      for (let at = 0; at < data.length; at += 4) seen.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
      return seen.size;
    });
    assert.ok(colors > 20, `${colors} colors`);
    await chart.getByRole('button', { name: 'Show as Table' }).click();
    await chart
      .getByRole('cell', { name: /0\.\d\d s/ })
      .first()
      .waitFor();
  });

  for (const theme of ['dark', 'light', 'hc'] as const) {
    it(`draws the marks of each model in a color that stands out: ${theme}`, async () => {
      const page = await browser.open('finished', { width: 1200, theme });
      const contrasts = await page.evaluate(() => {
        const paint = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        if (paint === null) throw new Error('There is no canvas');
        const over = (color: string, opacity: number, under: readonly number[]): readonly number[] => {
          paint.globalAlpha = 1;
          paint.fillStyle = `rgb(${under.join()})`;
          paint.fillRect(0, 0, 1, 1);
          paint.globalAlpha = opacity;
          paint.fillStyle = color;
          paint.fillRect(0, 0, 1, 1);
          return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
        };
        const luminance = (color: readonly number[]): number => {
          const [r = 0, g = 0, b = 0] = color.map((part) =>
            part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4,
          );
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const root = getComputedStyle(document.body).getPropertyValue('--vscode-editor-background');
        const back = over(root, 1, [0, 0, 0]);
        return Array.from(document.querySelectorAll('.chart-dots, .chart-shape, .chart-line'), (mark) => {
          const { fill, stroke, opacity } = getComputedStyle(mark);
          const drawn = luminance(over(fill === 'none' ? stroke : fill, Number(opacity), back));
          const [light, dark] = [drawn, luminance(back)].toSorted((a, b) => b - a);
          return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
        });
      });
      assert.ok(contrasts.length > 10, String(contrasts.length));
      assert.ok(Math.min(...contrasts) >= 3, `at least ${Math.min(...contrasts).toFixed(2)}`);
    });
  }

  it("reports a change only if the host does, and says why runs can't be compared", async () => {
    const page = await browser.open('compared', { width: 1200 });
    const spread = page.locator('figure.chart').last();
    await spread.getByText('Slower by 38%').waitFor();
    assert.equal(await spread.getByText('No clear change').count(), 2);
    assert.equal(await spread.locator('.chart-hollow').count(), 3);
    await page.getByLabel('Compared with').selectOption('');
    assert.deepEqual((await said(page, 'compareWith')).at(-1)?.id, '');
    const other = await browser.open('notComparable', { width: 1200 });
    await other.getByText('Not comparable: the prompt differs').waitFor();
    assert.equal(await other.locator('.chart-hollow').count(), 0);
  });

  it('shows how a run ended, that this machine was the bottleneck, and offers to resume it', async () => {
    const page = await browser.open('stopped', { width: 1200 });
    await page.getByText('Stopped at 128 of 240 requests.').waitFor();
    assert.match(await page.locator('.about').innerText(), /cost at least ≈ 0\.11$/);
    assert.equal(await page.locator('.about').getAttribute('title'), '≈ = estimated from the text');
    await page.getByText(/^This machine is the bottleneck: 5% of what arrived waited more than 31 ms/).waitFor();
    await page.getByText('Fewer than 5 requests: no median line and no interval.').waitFor();
    assert.equal(await page.locator('.chart-tick').count(), 0);
    await page.getByRole('button', { name: 'Resume (112 Requests)' }).click();
    assert.deepEqual(await said(page, 'resume'), [{ type: 'resume', id: 'measurement-2' }]);
    const failed = await browser.open('allFailed', { width: 1200 });
    await failed.getByText(/^Nothing more was sent to harbor\/quill-70b: Out of credits/).waitFor();
  });

  it('marks estimated speeds wherever they are, and marks none as the best beside counted ones', async () => {
    const page = await browser.open('compared', { width: 1200 });
    const { result, comparison } = measureStates['compared']?.() ?? {};
    assert.ok(result !== undefined && comparison !== undefined);
    const groups = result.groups.map((group) => ({ ...group, isEstimate: group.model === 0 }));
    await page.evaluate((now) => globalThis.measureTell({ type: 'resultShown', runs: [], isNew: true, ...now }), {
      result: { ...result, groups },
      comparison,
    });
    // Screen readers hear the mark as well.
    await page
      .getByText(/kestrel\/sparrow: first token 0\.\d+ s, ≈ \d+ tokens per second/)
      .waitFor({ state: 'attached' });
    const cellsOf = async (table: ReturnType<typeof summary>, model: RegExp) =>
      table.getByRole('row', { name: model }).getByRole('cell').allTextContents();
    assert.match(
      (await cellsOf(summary(page), /sparrow/)).join(),
      /Quickest to start.*≈ \d+,≈ \d+,.*, Fastest,.*≈ 0\.15$/,
    );
    assert.doesNotMatch((await summary(page).textContent()) ?? '', /Fastest writer/);
    await page.getByLabel('Figure', { exact: true }).selectOption('tokensPerSecond');
    for (const [chart, of] of [
      [page.locator('figure.chart').nth(1), 'By load'],
      [page.getByRole('region', { name: 'Distribution' }).locator('figure.chart'), 'Distribution'],
    ] as const) {
      const label = (await chart.getByRole('img').getAttribute('aria-label')) ?? '';
      assert.match(label, /sparrow, 1 at once: ≈ \d+\..*gale-32b-instruct, 1 at once: \d+\./, of);
      if (of === 'Distribution') await chart.getByText(/^\d+ → ≈ \d+$/).waitFor();
      await chart.getByRole('button', { name: 'Show as Table' }).click();
      const table = chart.getByRole('table');
      assert.match((await cellsOf(table, /sparrow/)).join('; '), /≈ \d+(; ≈ \d+|; ≈ \d+ to ≈ \d+; \d+)/, of);
      assert.doesNotMatch((await cellsOf(table, /gale/)).join(), /≈/, of);
    }
  });

  it("shows the service's own figures, and flags those that differ", async () => {
    const page = await browser.open('finished', { width: 1200 });
    await page.getByText('All Figures').click();
    const own = page.getByRole('region', { name: 'harbor/quill-70b' }).first();
    await own.getByText(/The service's own figures differ/).waitFor();
    await own.getByRole('columnheader', { name: 'Service' }).waitFor();
    const hint = await own.getByText('Per token', { exact: true }).getAttribute('title');
    assert.equal(hint, 'Time per output token = (last token − first token) / (tokens − 1)');
  });

  it('keeps the focus when a run starts and ends, and exports it', async () => {
    const page = await browser.open('finished', { width: 1200 });
    await page.getByRole('button', { name: 'Run', exact: true }).focus();
    const progress: MeasureProgress = {
      ended: 0,
      planned: 4,
      model: 'm',
      load: 1,
      isWarmUp: true,
      startedAt: 0,
      cost: 0,
      isCostAtLeast: false,
      isCostEstimate: false,
      failed: 0,
    };
    await page.evaluate(
      (now) => globalThis.measureTell({ type: 'progressed', progress: now, result: undefined }),
      progress,
    );
    await page.getByText('m, warm-up').waitFor();
    await page.evaluate(() => globalThis.measureTell({ type: 'notStarted', problem: undefined }));
    assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
    await page.getByRole('button', { name: 'Export…' }).click();
    await page.getByRole('menuitem', { name: 'Markdown…' }).click();
    assert.deepEqual(await said(page, 'exportRun'), [{ type: 'exportRun', id: 'measurement-2', format: 'markdown' }]);
  });

  it('tells a screen reader once that a run starts, and once how it ended', async () => {
    const page = await browser.open('finished', { width: 900 });
    await page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      const region = document.querySelector('.visually-hidden[role=status]');
      const hear = () => void heard.push(region?.textContent ?? '');
      if (region) new MutationObserver(hear).observe(region, { childList: true, characterData: true, subtree: true });
    });
    const heard = () =>
      page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard.filter((text) => text !== ''));
    const progress: MeasureProgress = {
      ended: 0,
      planned: 240,
      model: 'm',
      load: 1,
      isWarmUp: false,
      startedAt: 0,
      cost: 0,
      isCostAtLeast: false,
      isCostEstimate: false,
      failed: 0,
    };
    for (const ended of [0, 1, 2, 3]) {
      await page.evaluate((now) => globalThis.measureTell({ type: 'progressed', progress: now, result: undefined }), {
        ...progress,
        ended,
      });
    }
    await page.getByText('3 of 240 requests').waitFor();
    assert.deepEqual(await heard(), ['Measuring 240 requests']);
    const result = measureStates['stopped']?.().result;
    assert.ok(result !== undefined);
    await page.evaluate(
      (shown) =>
        globalThis.measureTell({ type: 'resultShown', result: shown, comparison: undefined, runs: [], isNew: true }),
      result,
    );
    await page.waitForFunction(() => (globalThis as unknown as { heard: string[] }).heard.length > 1);
    const [, ended, ...more] = await heard();
    assert.match(ended ?? '', /^Measured 128 of 240 requests\. Stopped at 128 of 240 requests\. .*first token 0\.19 s/);
    assert.deepEqual(more, []);
  });

  it('is filled in, run, exported, and saved as an image with only the keyboard', async () => {
    const tabTo = async (page: Page, name: string) => {
      const focused = () =>
        page.evaluate(() => {
          const { activeElement: at } = document;
          return at?.getAttribute('aria-label') ?? at?.textContent?.trim() ?? '';
        });
      for (let tabs = 0; tabs < 150; tabs += 1) {
        if ((await focused()).startsWith(name)) return;
        await page.keyboard.press('Tab');
      }
      assert.fail(`Tab doesn't get to ${name}`);
    };
    const form = await browser.open('overBudget', { width: 1200 });
    await tabTo(form, 'Add Model…');
    await form.keyboard.press('Enter');
    await form.getByLabel('Requests per model and load').focus();
    await form.keyboard.press('ControlOrMeta+A');
    await form.keyboard.type('12');
    await tabTo(form, 'Run Anyway');
    await form.keyboard.press('Enter');
    assert.equal((await said(form, 'addModel')).length, 1);
    assert.equal((await said(form, 'run'))[0]?.form.fields.repeats, '12');
    const page = await browser.open('finished', { width: 1200 });
    await tabTo(page, 'Export…');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? '', /Export…/);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Save Chart…');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => globalThis.measureSaid.some(({ type }) => type === 'savePng'));
    assert.deepEqual((await said(page, 'exportRun')).length, 1);
    const [png] = await said(page, 'savePng');
    const bytes = Object.values(png?.bytes ?? {});
    assert.deepEqual(bytes.slice(0, 4), [0x89, 0x50, 0x4e, 0x47]);
  });

  it('is never wider than its tab: only tables scroll sideways', async () => {
    for (const width of [210, 300, 600]) {
      const page = await browser.open('finished', { width });
      const [own, all] = await page.evaluate(() => [
        document.querySelector('main')?.scrollWidth ?? 0,
        document.documentElement.scrollWidth,
      ]);
      assert.deepEqual([own, all], [width, width]);
      assert.equal(await page.evaluate(() => document.documentElement.scrollHeight > innerHeight), false);
      const [facts, buttons] = await Promise.all([
        page.locator('.title').boundingBox(),
        page.getByRole('button', { name: 'Export…' }).boundingBox(),
      ]);
      assert.ok(facts !== null && buttons !== null);
      const isBeside = facts.x + facts.width <= buttons.x || facts.y + facts.height <= buttons.y;
      assert.ok(isBeside, `${width} px: the button covers the facts`);
    }
  });
});
