import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { PromptRow } from '../../../src/shared/protocol/chatProtocol.ts';
import { ChatBrowser, forgetPosted, nextOf, postedOf, send } from './chatBrowser.ts';

const rows: readonly PromptRow[] = [
  { id: '1.0', group: 'Built in', label: '/explain', detail: 'Explain the selected code' },
  { id: '1.1', group: 'Built in', label: '/fix', detail: 'Fix the selected code' },
  { id: '1.2', group: 'tasks', label: '/release-notes', detail: 'For a release' },
  { id: '1.3', group: '', label: 'New Prompt…', detail: '' },
];

const box = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const list = (page: Page) => page.getByRole('listbox', { name: 'Prompts' });

/** Types this text, and answers as the host does. */
async function type(page: Page, text: string, answer = rows): Promise<void> {
  await box(page).pressSequentially(text);
  await respond(page, text.slice(1), answer);
}

/** Answers the question for these characters, as the host does. */
async function respond(page: Page, typed: string, answer = rows): Promise<void> {
  await page.waitForFunction(
    (wanted) => window.fakeHost.posted.some((each) => each.type === 'completePrompt' && each.typed === wanted),
    typed,
  );
  const asked = (await postedOf(page, 'completePrompt')).at(-1);
  assert.ok(asked?.type === 'completePrompt');
  await send(page, { type: 'promptRows', request: asked.request, rows: answer });
}

describe('The list of prompts that / opens', function () {
  const browser = new ChatBrowser();

  it('shows each prompt with what it does, under headings, and how many there are', async () => {
    const page = await browser.open('empty');
    await type(page, '/');
    await list(page).waitFor();
    assert.deepEqual(await list(page).getByRole('option').locator('.completion-label').allInnerTexts(), [
      '/explain',
      '/fix',
      '/release-notes',
      'New Prompt…',
    ]);
    await list(page).getByRole('group', { name: 'tasks' }).getByRole('option').getByText('For a release').waitFor();
    await page.getByRole('status').getByText('4 prompts.').waitFor();
    assert.equal(await box(page).getAttribute('aria-activedescendant'), 'parlance-prompts-0');
  });

  it("shows all of Parlance's prompts and actions without scrolling in a side bar of VS Code's own width", async () => {
    const page = await browser.open('empty');
    await page.setViewportSize({ width: 290, height: 700 });
    const names = ['explain', 'fix', 'simplify', 'tests', 'docs', 'translate', 'review'];
    const builtIn = names.map((name) => ({ id: name, group: 'Built in', label: `/${name}`, detail: 'What it does' }));
    const actions = ['New Prompt…', 'Trust This Workspace to See Its Prompts…'];
    await type(page, '/', [...builtIn, ...actions.map((label) => ({ id: label, group: '', label, detail: '' }))]);
    const hidden = await list(page).evaluate((shown) => shown.scrollHeight - shown.clientHeight);
    assert.equal(hidden, 0);
  });

  it('shows a row without a description in full, however narrow the page is', async () => {
    const page = await browser.open('empty');
    await page.setViewportSize({ width: 260, height: 600 });
    const trust = 'Trust This Workspace to See Its Prompts…';
    await type(page, '/', [...rows, { id: '1.4', group: '', label: trust, detail: '' }]);
    const isWhole = await list(page)
      .getByText(trust)
      .evaluate((label) => label.scrollWidth <= label.clientWidth && label.scrollHeight <= label.clientHeight);
    assert.ok(isWhole);
  });

  it('names one prompt in the singular', async () => {
    const page = await browser.open('empty');
    await type(page, '/', rows.slice(0, 1));
    await page.getByRole('status').getByText('1 prompt. Press Enter to run it.').waitFor();
  });

  for (const [key, row] of [
    ['Enter', '1.0'],
    ['Tab', '1.0'],
    ['click', '1.2'],
  ] as const) {
    it(`runs one with ${key}, which removes the typed text and sends nothing`, async () => {
      const page = await browser.open('empty');
      await type(page, '/');
      if (key === 'click') await list(page).getByText('/release-notes').click();
      else await page.keyboard.press(key);
      assert.deepEqual(await nextOf(page, 'runPrompt'), { type: 'runPrompt', row });
      assert.equal(await box(page).inputValue(), '');
      assert.equal(await list(page).count(), 0);
      assert.deepEqual(await postedOf(page, 'ask'), []);
    });
  }

  it('is navigated with the arrows, wrapping around at its ends', async () => {
    const page = await browser.open('empty');
    await type(page, '/');
    await page.keyboard.press('ArrowUp');
    assert.equal(await box(page).getAttribute('aria-activedescendant'), 'parlance-prompts-3');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.deepEqual(await nextOf(page, 'runPrompt'), { type: 'runPrompt', row: '1.1' });
  });

  it('closes with Escape, which keeps the text, and Enter sends that', async () => {
    const page = await browser.open('empty');
    await type(page, '/ex');
    await page.keyboard.press('Escape');
    assert.equal(await list(page).count(), 0);
    assert.equal(await box(page).inputValue(), '/ex');
    await page.keyboard.press('Enter');
    const asked = await nextOf(page, 'ask');
    assert.equal(asked?.type === 'ask' && asked.text, '/ex');
    assert.deepEqual(await postedOf(page, 'runPrompt'), []);
  });

  it("waits for the list if Enter is faster, and doesn't run a row that was listed for an earlier text", async () => {
    const page = await browser.open('empty');
    await box(page).pressSequentially('/rel');
    await page.keyboard.press('Enter');
    await respond(page, 'rel', rows.slice(2, 3));
    assert.deepEqual(await nextOf(page, 'runPrompt'), { type: 'runPrompt', row: '1.2' });
    assert.equal(await box(page).inputValue(), '');
    await forgetPosted(page);
    await type(page, '/');
    await box(page).pressSequentially('fix');
    await page.keyboard.press('Enter');
    assert.deepEqual(await postedOf(page, 'runPrompt'), []);
    await respond(page, 'fix', rows.slice(1, 2));
    assert.deepEqual(await nextOf(page, 'runPrompt'), { type: 'runPrompt', row: '1.1' });
    assert.deepEqual(await postedOf(page, 'ask'), []);
  });

  it('says that no name matches, and another Enter sends the text', async () => {
    const page = await browser.open('empty');
    await box(page).pressSequentially('/nothing');
    await page.keyboard.press('Enter');
    await respond(page, 'nothing', []);
    await list(page).getByText('No prompts match "nothing".').waitFor();
    await page.getByRole('status').getByText('No prompts match "nothing".').waitFor();
    await page.keyboard.press('ArrowDown');
    assert.equal(await box(page).inputValue(), '/nothing');
    assert.deepEqual(await postedOf(page, 'ask'), []);
    await page.keyboard.press('Enter');
    const asked = await nextOf(page, 'ask');
    assert.equal(asked?.type === 'ask' && asked.text, '/nothing');
    assert.equal(await list(page).count(), 0);
  });

  it('finds a prompt whose name has a space, and no sentence', async () => {
    const page = await browser.open('empty');
    const named = { id: '1.7', group: 'Yours', label: '/code review', detail: '' };
    await type(page, '/code');
    await respond(page, 'code', [named]);
    await box(page).pressSequentially(' re');
    await respond(page, 'code re', [named]);
    await page.keyboard.press('Enter');
    assert.deepEqual(await nextOf(page, 'runPrompt'), { type: 'runPrompt', row: '1.7' });
    assert.deepEqual(await postedOf(page, 'ask'), []);

    await type(page, '/code');
    await respond(page, 'code', [named]);
    await box(page).pressSequentially(' is law');
    assert.equal(await list(page).count(), 0);
    await page.keyboard.press('Enter');
    const asked = await nextOf(page, 'ask');
    assert.equal(asked?.type === 'ask' && asked.text, '/code is law');
  });

  it("doesn't open for a path or in a sentence", async () => {
    const page = await browser.open('empty');
    for (const text of ['/etc/hosts', 'What is /etc', '/ex plain']) {
      await box(page).fill('');
      await box(page).pressSequentially(text);
      assert.equal(await list(page).count(), 0, text);
    }
  });
});
