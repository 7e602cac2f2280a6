import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ModelRow, ModelRowsView } from '../../../src/shared/modelRow.ts';
import type { Problem, ProblemActionKind } from '../../../src/shared/problem.ts';
import { ChatBrowser, forgetPosted, intentions, nextOf, postedOf, send } from './chatBrowser.ts';
import { modelRows } from './modelRows.ts';
import { noAttachments, screenshot } from './pageStates.ts';

const search = (page: Page) => page.getByRole('combobox', { name: 'Search models' });
const list = (page: Page) => page.getByRole('listbox', { name: 'Models' });
const modelButton = (page: Page) => page.locator('.model-button');

/** Presses the model button, and answers as the host does. */
async function open(page: Page, view = modelRows): Promise<void> {
  await modelButton(page).click();
  await nextOf(page, 'selectModel');
  await send(page, { type: 'modelPickerOpened', view });
  await search(page).waitFor();
}

/** Types this text, and answers with these rows. */
async function type(page: Page, text: string, change: Partial<ModelRowsView> = {}): Promise<void> {
  await search(page).pressSequentially(text);
  const asked = await nextOf(page, 'findModels');
  assert.ok(asked?.type === 'findModels');
  assert.equal(asked.question.typed, text);
  await send(page, { type: 'modelRows', request: asked.request, view: { ...modelRows, ...change } });
}

function firstRow(): ModelRow {
  const [row] = modelRows.rows;
  assert.ok(row);
  return row;
}

const marked = (page: Page) => page.locator('.model-row[aria-selected=true] .model-name-text');

describe('The model picker of the chat', function () {
  const browser = new ChatBrowser();

  it('is right above the message box, with the focus in its search and the mark on the current model', async () => {
    const page = await browser.open('done');
    await open(page);
    assert.equal(await search(page).evaluate((box) => box === document.activeElement), true);
    assert.equal(await marked(page).innerText(), 'northwind/gale-32b-instruct');
    const [picker, composer] = await Promise.all([
      page.getByRole('dialog', { name: 'Select Model' }).boundingBox(),
      page.locator('.composer').boundingBox(),
    ]);
    assert.ok(picker !== null && composer !== null);
    const gap = composer.y - (picker.y + picker.height);
    assert.ok(gap >= 0 && gap < 12, `${gap} px between the picker and the message box`);
    await page.getByRole('status').getByText('5 models').waitFor();
  });

  it('shows which models see images, and starts with the first other one if the current one rejects an attached one', async () => {
    const seeing = modelRows.rows.map((row, at) =>
      at === 1 || at === 3 ? { ...row, withImages: 'chat with images' } : row,
    );
    const view = { ...modelRows, rows: seeing };
    const page = await browser.open('done');
    await open(page, view);
    assert.equal(await page.locator('.model-row .codicon-eye').count(), 3);
    assert.equal(await marked(page).innerText(), 'northwind/gale-32b-instruct');
    await list(page)
      .getByRole('option', { name: /squall-405b ?, chat with images/ })
      .waitFor();
    await page.keyboard.press('Escape');
    const attachments = { ...noAttachments, items: [screenshot], seesPictures: false };
    await send(page, { type: 'attachmentsChanged', attachments });
    await forgetPosted(page);
    await open(page, view);
    assert.match(await marked(page).innerText(), /^northwind\/breeze-8b/);
  });

  it('names one model in the singular', async () => {
    const page = await browser.open('done');
    await open(page, { ...modelRows, rows: modelRows.rows.slice(0, 1) });
    await page.getByRole('status').getByText('1 model', { exact: true }).waitFor();
    await type(page, 'o', { left: 1 });
    await page.getByRole('dialog', { name: 'Select Model' }).getByText('1 more model. Type to find it.').waitFor();
  });

  it('closes when the button that opened it is pressed again', async () => {
    const page = await browser.open('done');
    await open(page);
    await forgetPosted(page);
    await page.getByRole('button', { name: /^Model: / }).click();
    await page.getByRole('dialog', { name: 'Select Model' }).waitFor({ state: 'hidden' });
    assert.deepEqual(await intentions(page), [{ type: 'closeModels' }]);
  });

  it('selects what was typed by an Enter that is faster than the list', async () => {
    const page = await browser.open('done');
    await open(page);
    await search(page).pressSequentially('quill');
    await search(page).press('Enter');
    const asked = await nextOf(page, 'findModels');
    assert.ok(asked?.type === 'findModels');
    const all = await postedOf(page, 'findModels');
    const { rows } = modelRows;
    const [, second] = rows;
    assert.ok(second);
    // The rows for the first letters are no longer awaited.
    await send(page, { type: 'modelRows', request: asked.request - 1, view: modelRows });
    await send(page, { type: 'modelRows', request: asked.request, view: { ...modelRows, rows: [], isLoading: true } });
    assert.deepEqual(await postedOf(page, 'takeModel'), []);
    await send(page, { type: 'modelRows', request: asked.request, view: { ...modelRows, rows: [second] } });
    assert.equal(all.length, 5);
    assert.deepEqual(await nextOf(page, 'takeModel'), { type: 'takeModel', row: second.id });
  });

  it('says that the list is being fetched below the models that are known already', async () => {
    const page = await browser.open('done');
    const { rows } = modelRows;
    await open(page, { ...modelRows, rows: rows.slice(0, 1), isLoading: true, lacksList: true, otherKinds: 'none' });
    await page.getByRole('dialog').getByText('Fetching models…').waitFor();
    assert.equal(await page.getByRole('option').count(), 1);
  });

  it('selects a listed model while another list is still being fetched', async () => {
    const page = await browser.open('done');
    await open(page);
    const found = modelRows.rows.slice(1, 3);
    await type(page, 'quill', { rows: found, isLoading: true });
    await page.keyboard.press('Enter');
    assert.deepEqual(await nextOf(page, 'takeModel'), { type: 'takeModel', row: found[0]?.id });
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('takes what was typed while the lists are being fetched only once it was marked with an arrow key', async () => {
    const page = await browser.open('done');
    await open(page);
    const own = { ...firstRow(), id: '9', group: 'By ID', name: 'Use "none/such"', isTyped: true };
    await type(page, 'none/such', { rows: [own], isLoading: true });
    await page.getByRole('option', { name: 'Use "none/such"' }).waitFor();
    await page.keyboard.press('Enter');
    assert.deepEqual(await postedOf(page, 'takeModel'), []);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.deepEqual(await nextOf(page, 'takeModel'), { type: 'takeModel', row: '9' });
  });

  for (const width of [900, 420, 300]) {
    it(`has a heading above each figure at ${width} px, and cuts none off`, async () => {
      const page = await browser.open('done', { viewport: { width, height: 640 } });
      await open(page);
      const headings = await page
        .locator('.model-heading:visible')
        .evaluateAll((found) =>
          found.map((heading) => ({ text: heading.textContent, left: heading.getBoundingClientRect().left })),
        );
      assert.deepEqual(
        headings.map(({ text }) => text),
        ['Speed', 'First token', 'Context', 'In/out per 1M'],
      );
      const figures = page.locator('.model-row').first().locator('.model-figure');
      assert.deepEqual(await figures.locator('[aria-hidden]').allInnerTexts(), [
        '118 tok/s',
        '0.18 s',
        '128k',
        '0.20/0.80',
      ]);
      const cut = await page
        .locator('.model-figure, .model-heading')
        .evaluateAll((cells) =>
          cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent),
        );
      assert.deepEqual(cut, []);
      const edges = await page
        .locator('.model-row')
        .first()
        .locator('.model-figure')
        .evaluateAll((cells) =>
          cells.map((cell) => ({ left: cell.getBoundingClientRect().left, right: cell.getBoundingClientRect().right })),
        );
      for (const [index, { left }] of headings.entries()) {
        const edge = edges[index];
        assert.ok(
          edge !== undefined && left < edge.right && left > edge.left - 60,
          `the heading ${index} is beside its column`,
        );
      }
    });
  }

  it('gives screen readers a whole row, with the name of each figure', async () => {
    const page = await browser.open('done');
    await open(page);
    await list(page)
      .getByRole('group', { name: 'Favorites' })
      .getByRole('option', {
        name: /^northwind\/gale-32b-instruct ?, current, favorite ?, 84 tok\/s ?, first token 0\.32 s° ?, 128k context ?, price per 1M tokens 0\.40\/1\.60$/,
      })
      .waitFor();
    const active = await search(page).getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`[id="${active}"] .model-name-text`).innerText(), 'northwind/gale-32b-instruct');
  });

  for (const way of ['keyboard', 'mouse'] as const) {
    it(`selects another model by ${way}, and focuses the message box`, async () => {
      const page = await browser.open('done');
      await open(page);
      if (way === 'mouse') await page.getByText('harbor/quill-70b').click();
      else {
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
      }
      assert.deepEqual(await nextOf(page, 'takeModel'), { type: 'takeModel', row: '2' });
      await page.locator('.message-box:focus').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      assert.equal((await intentions(page)).at(-1)?.type, 'closeModels');
    });
  }

  it('selects the first row that matches the typed text', async () => {
    const page = await browser.open('done');
    await open(page);
    const found = modelRows.rows.slice(3);
    await type(page, 'north', { rows: found });
    assert.equal(await marked(page).innerText(), found[0]?.name);
    await page.keyboard.press('Enter');
    assert.deepEqual(await nextOf(page, 'takeModel'), { type: 'takeModel', row: '3' });
  });

  it('ignores rows for text that was typed earlier', async () => {
    const page = await browser.open('done');
    await open(page);
    await search(page).fill('x');
    const asked = await nextOf(page, 'findModels');
    assert.ok(asked?.type === 'findModels');
    await search(page).fill('xy');
    await send(page, { type: 'modelRows', request: asked.request, view: { ...modelRows, rows: [] } });
    assert.equal(await list(page).getByRole('option').count(), 5);
  });

  it('closes with Escape, returns the focus, and stops no reply', async () => {
    const page = await browser.open('streaming');
    await open(page);
    await page.keyboard.press('Escape');
    await page.locator('.model-button:focus').waitFor();
    assert.deepEqual(
      (await intentions(page)).map(({ type: name }) => name).filter((name) => name === 'stop' || name === 'takeModel'),
      [],
    );
  });

  it('closes when the focus leaves it, and when another conversation is shown', async () => {
    const page = await browser.open('done');
    await open(page);
    await page.locator('.message-box').click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await nextOf(page, 'closeModels');
  });

  it('sorts by the figure whose heading is selected, and back', async () => {
    const page = await browser.open('done');
    await open(page);
    const heading = page.getByRole('button', { name: 'Sort by price, cheapest first' });
    await heading.click();
    const asked = await nextOf(page, 'findModels');
    assert.ok(asked?.type === 'findModels');
    assert.deepEqual(asked.question, { typed: '', sort: 'price', allKinds: false });
    await send(page, { type: 'modelRows', request: asked.request, view: { ...modelRows, sortedBy: 'price' } });
    assert.equal(await heading.getAttribute('aria-pressed'), 'true');
    await forgetPosted(page);
    await heading.click();
    const again = await nextOf(page, 'findModels');
    assert.ok(again?.type === 'findModels');
    assert.deepEqual(again.question, { typed: '', allKinds: false });
  });

  it('marks a favorite with the star of a row, and with the button that Tab reaches', async () => {
    const page = await browser.open('done');
    await open(page);
    const row = page.locator('.model-row', { hasText: 'harbor/quill-70b' });
    await row.hover();
    await row.locator('.model-star').click();
    assert.deepEqual(await nextOf(page, 'toggleFavorite'), { type: 'toggleFavorite', row: '2' });
    await forgetPosted(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    const button = page.getByRole('button', { name: 'Add to Favorites: harbor/quill-70b' });
    assert.equal(await button.evaluate((found) => found === document.activeElement), true);
    await page.keyboard.press('Enter');
    assert.deepEqual(await nextOf(page, 'toggleFavorite'), { type: 'toggleFavorite', row: '2' });
    await page.getByRole('dialog').waitFor();
  });

  it('marks the model that the button names, even while what was typed is being looked for', async () => {
    const page = await browser.open('done');
    await open(page);
    await search(page).pressSequentially('quill');
    await nextOf(page, 'findModels');
    await page.getByRole('button', { name: 'Remove from Favorites: northwind/gale-32b-instruct' }).press('Enter');
    assert.deepEqual(await nextOf(page, 'toggleFavorite'), { type: 'toggleFavorite', row: '1' });
  });

  it('stays open, with the focus in its search, if the focused button no longer has a model', async () => {
    const page = await browser.open('done');
    await open(page);
    await search(page).pressSequentially('none/such');
    const asked = await nextOf(page, 'findModels');
    assert.ok(asked?.type === 'findModels');
    const button = page.getByRole('button', { name: /from Favorites: / });
    await button.focus();
    const own = { ...firstRow(), id: '9', group: 'By ID', name: 'Use "none/such"', isTyped: true };
    await send(page, { type: 'modelRows', request: asked.request, view: { ...modelRows, rows: [own] } });
    await button.waitFor({ state: 'hidden' });
    await search(page).and(page.locator(':focus')).waitFor();
  });

  it('lists models of all kinds on request, and leads to the Models view', async () => {
    const page = await browser.open('done');
    await open(page);
    await page.getByRole('button', { name: 'Show Models of All Kinds' }).click();
    const asked = await nextOf(page, 'findModels');
    assert.ok(asked?.type === 'findModels' && asked.question.allKinds);
    await send(page, { type: 'modelRows', request: asked.request, view: { ...modelRows, otherKinds: 'shown' } });
    await page.getByRole('button', { name: 'Show Chat Models Only' }).waitFor();
    await page.getByRole('button', { name: 'Show Models', exact: true }).click();
    assert.deepEqual(await nextOf(page, 'showModels'), { type: 'showModels' });
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('shows what it searched for if nothing matches, and offers what was typed', async () => {
    const page = await browser.open('done');
    await open(page);
    const own = { ...firstRow(), id: '9', group: 'By ID', name: 'Use "none/such"', isTyped: true };
    await type(page, 'none/such', { rows: [own] });
    await page.getByText('No models match "none/such".', { exact: true }).first().waitFor();
    await page.keyboard.press('Enter');
    assert.deepEqual(await nextOf(page, 'takeModel'), { type: 'takeModel', row: '9' });
  });

  it("shows why there's no list, and asks again", async () => {
    const page = await browser.open('done');
    const problem = {
      severity: 'error',
      title: "Couldn't reach api.example.com",
      detail: 'The connection was refused.',
      actions: [{ kind: 'retry', label: 'Retry' }],
      technical: '',
    } as const;
    await open(page, { ...modelRows, rows: [], problem, otherKinds: 'none' });
    await page.getByRole('dialog').getByText("Couldn't reach api.example.com").waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    const asked = await nextOf(page, 'findModels');
    assert.ok(asked?.type === 'findModels' && asked.again === true);
    await send(page, { type: 'modelRows', request: asked.request, view: { ...modelRows, rows: [], isLoading: true } });
    await page.getByRole('dialog').getByText('Fetching models…').waitFor();
  });

  it('says which of several services have no list, and asks those again or acts on them alone', async () => {
    const page = await browser.open('done');
    const problem = (title: string, kind: ProblemActionKind, label: string): Problem => ({
      severity: 'error',
      title,
      detail: `Why: ${title}`,
      actions: [{ kind, label }],
      technical: '',
    });
    const unlisted = [
      { service: 'garage', name: 'Garage', problem: problem('Connection refused', 'retry', 'Retry') },
      { service: 'attic', name: 'Attic', problem: problem('API key required', 'setApiKey', 'Set API Key…') },
    ];
    await open(page, { ...modelRows, unlisted });
    const about = (name: string) => page.getByRole('dialog').getByRole('group', { name, exact: true });
    await about('Garage').getByText('Garage: Connection refused').waitFor();
    assert.equal(await page.getByRole('option').count(), modelRows.rows.length);
    await about('Garage').getByRole('button', { name: 'Retry' }).press('Enter');
    const asked = await nextOf(page, 'findModels');
    assert.ok(asked?.type === 'findModels' && asked.again === true && asked.service === 'garage');
    await send(page, {
      type: 'modelRows',
      request: asked.request,
      view: { ...modelRows, unlisted: unlisted.slice(1) },
    });
    await about('Garage').waitFor({ state: 'detached' });
    assert.equal(await search(page).evaluate((box) => box === document.activeElement), true);
    await about('Attic').getByRole('button', { name: 'Set API Key…' }).click();
    assert.deepEqual(await nextOf(page, 'runAction'), { type: 'runAction', action: 'setApiKey', service: 'attic' });
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('acts on the service that its problem is about', async () => {
    const page = await browser.open('done');
    const problem: Problem = {
      severity: 'error',
      title: 'API key required',
      detail: '',
      actions: [{ kind: 'setApiKey', label: 'Set API Key…' }],
      technical: '',
      service: 'attic',
    };
    await open(page, { ...modelRows, rows: [], problem, otherKinds: 'none' });
    await page.getByRole('dialog').getByRole('button', { name: 'Set API Key…' }).click();
    assert.deepEqual(await nextOf(page, 'runAction'), { type: 'runAction', action: 'setApiKey', service: 'attic' });
  });

  it('adds a service', async () => {
    const page = await browser.open('done');
    await open(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Add Service…' }).click();
    assert.deepEqual(await nextOf(page, 'addService'), { type: 'addService' });
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('retries a reply with the selected model', async () => {
    const page = await browser.open('done');
    await send(page, { type: 'modelPickerOpened', replyId: 'r9', view: modelRows });
    await page.getByRole('dialog', { name: 'Retry with Another Model' }).waitFor();
    await page.keyboard.press('Enter');
    assert.deepEqual(await nextOf(page, 'takeModel'), { type: 'takeModel', row: '1', replyId: 'r9' });
  });
});
