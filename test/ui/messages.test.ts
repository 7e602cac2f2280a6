import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { ChatDriver } from './chatDriver.ts';
import { answerDialog, modalDialog } from './modalDialog.ts';
import { QuickInput } from './quickInput.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

const code = 'def half(value):\n    return value / 2\n';
const withCode = `Here:\n\n\`\`\`py\n${code}\`\`\`\n\nDone.`;

describe('Messages', () => {
  const workbench = useWorkbench({
    service: { tokensPerSecond: 2000 },
    settings: { 'parlance.chat.model': 'local/echo', 'files.insertFinalNewline': false },
  });
  let chat: ChatDriver;

  before('open the chat', async function () {
    chat = await ChatDriver.open(workbench());
    // VS Code runs a view's first command only after asking the extension host to activate: a message sent in that
    // moment would be overtaken.
    await chat.startAnew();
  });
  beforeEach('an empty chat', async () => {
    await chat.startAnew();
  });

  it('are asked again with Retry; the earlier reply and what followed it are one key away', async () => {
    await chat.ask('Once more, please');
    await chat.ask('And then?');
    await press(chat.replies.first(), 'Retry');
    await chat.frame.getByRole('menuitem', { name: 'Retry', exact: true }).press('Enter');
    await chat.replies.nth(1).waitFor({ state: 'detached' });
    await chat.ended(0);
    assert.equal(await chat.replies.count(), 1);
    assert.deepEqual(lastMessages(), [{ role: 'user', content: 'Once more, please' }]);
    await chat.lastReply.getByText('2/2').waitFor();
    await chat.lastReply.getByRole('button', { name: 'Previous Version' }).press('Enter');
    await chat.replies.first().getByText('1/2').waitFor();
    assert.deepEqual(await chat.questions.locator('.bubble').allInnerTexts(), ['Once more, please', 'And then?']);
    await chat.ask('On from the first');
    const sent = JSON.stringify(lastMessages());
    assert.match(sent, /"Once more, please".*"And then\?".*"On from the first"/);
  });

  it("stay in the new chat that was just opened, whether it's ready yet or not", async () => {
    for (const text of ['At once, in an empty chat', 'At once, in a new chat']) {
      await workbench().runCommand('Parlance: New Chat');
      await workbench().page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
      await chat.sendAtOnce(text);
      await chat.lastReply.locator('.answer', { hasText: text }).waitFor();
      await chat.ended(0);
      assert.deepEqual(await chat.questions.locator('.bubble').allInnerTexts(), [text]);
      assert.deepEqual(lastMessages(), [{ role: 'user', content: text }]);
    }
  });

  it('are edited and sent again, with the earlier question and what followed it as another version', async () => {
    await chat.ask('The first');
    await chat.ask('The second');
    await press(chat.questions.first(), 'Edit');
    const editor = chat.frame.getByRole('textbox', { name: 'Edit message' });
    assert.equal(await editor.inputValue(), 'The first');
    await editor.fill('The first, but better');
    await editor.press('Enter');
    await chat.lastReply.locator('.answer', { hasText: 'The first, but better' }).waitFor();
    await chat.ended(0);
    assert.deepEqual(await chat.questions.locator('.bubble').allInnerTexts(), ['The first, but better']);
    assert.deepEqual(lastMessages(), [{ role: 'user', content: 'The first, but better' }]);
    await press(chat.questions.first(), 'Previous Version');
    await chat.questions.getByText('The second').waitFor();
    assert.deepEqual(await chat.questions.locator('.bubble').allInnerTexts(), ['The first', 'The second']);
    await chat.ask('The third');
    assert.equal(lastMessages().length, 5);
  });

  it("are copied as they were written, not as they're rendered", async () => {
    await chat.ask('A **bold** word and `code`');
    await chat.lastReply.locator('.answer', { hasText: /^\s*A bold word and code\s*$/ }).waitFor();
    await press(chat.lastReply, 'Copy');
    await waitUntil('the reply on the clipboard', async () => (await clipboard()) === 'A **bold** word and `code`');
    const before = await open('src/main.py');
    await workbench().page.keyboard.press('ControlOrMeta+A');
    await workbench().page.keyboard.press('ControlOrMeta+V');
    await saves('src/main.py', 'A **bold** word and `code`');
    await workbench().page.keyboard.press('ControlOrMeta+Z');
    await saves('src/main.py', before);
  });

  it('are deleted individually, left out of the next request, and restored with Undo', async () => {
    await chat.ask('Something to forget');
    await press(chat.questions.first(), 'Delete');
    await chat.frame.locator('.undo-bar', { hasText: 'Message deleted.' }).waitFor();
    await chat.questions.first().waitFor({ state: 'detached' });
    assert.equal(await chat.replies.count(), 1);
    // A page that's hidden is destroyed.
    await workbench().runCommand('View: Toggle Secondary Side Bar Visibility');
    await workbench().page.locator('.part.auxiliarybar').waitFor({ state: 'hidden' });
    await workbench().runCommand('View: Toggle Secondary Side Bar Visibility');
    chat = await ChatDriver.inView(workbench());
    await chat.button('Undo').click();
    await chat.questions.getByText('Something to forget').waitFor();
    await press(chat.lastReply, 'Delete');
    await chat.lastReply.waitFor({ state: 'detached' });
    await chat.ask('Go on');
    assert.deepEqual(lastMessages(), [
      { role: 'user', content: 'Something to forget' },
      { role: 'user', content: 'Go on' },
    ]);
  });

  it('stop being written when their question is deleted and its earlier version is shown again', async () => {
    await chat.ask('The first');
    await chat.chooseModel('local/writer');
    await press(chat.questions.first(), 'Edit');
    const editor = chat.frame.getByRole('textbox', { name: 'Edit message' });
    // Long enough to be seen.
    workbench().service.setSpeed(20);
    await editor.fill('Better, in 40000 tokens');
    await editor.press('Enter');
    await chat.lastReply.and(chat.frame.locator('[data-state=running]')).waitFor();
    await press(chat.questions.first(), 'Delete');
    await chat.questions.getByText('The first').waitFor();
    await chat.button('Stop').waitFor({ state: 'detached' });
    await chat.ask('The second, in 5 tokens');
    assert.deepEqual(await chat.questions.locator('.bubble').allInnerTexts(), ['The first', 'The second, in 5 tokens']);
  });

  it('contain code that the keyboard alone inserts at the cursor, copies, and opens in a new file', async () => {
    const { page } = workbench();
    await chat.ask(withCode);
    await chat.lastReply.locator('code .tok-keyword').first().waitFor();
    const before = await open('src/main.py');
    await putCursorInLine(2);

    await pressByKeyboard('Insert at Cursor');
    const [first, ...rest] = before.split('\n');
    // The editor is focused now, so that the next keys go to it.
    await saves('src/main.py', [first, code + rest.join('\n')].join('\n'));
    await page.keyboard.press('ControlOrMeta+Z');
    await saves('src/main.py', before);

    await pressByKeyboard('Copy code');
    await waitUntil('the code on the clipboard', async () => (await clipboard()) === code);

    await pressByKeyboard('Open as New File');
    await page.locator('.statusbar-item', { hasText: 'Python' }).waitFor();
    await waitUntil('the code in a new file', async () => (await drawnLines()).join('\n') === code);
    await workbench().closeEditor(/^def half/);
  });

  it('show code only on the background of its block, whatever VS Code applies to code elsewhere', async () => {
    const reply = await chat.ask(withCode);
    const background = await reply.locator('pre > code').evaluate((drawn) => getComputedStyle(drawn).backgroundColor);
    assert.equal(background, 'rgba(0, 0, 0, 0)');
  });

  it('contain code with invisible characters, which is inserted only after a confirmation', async () => {
    const { page } = workbench();
    const bad = 'if (level !== "user\u202E // only admins\u2066") {}\n';
    await chat.ask(`\`\`\`ts\n${bad}\`\`\``);
    const before = await open('src/tasks.ts');
    await putCursorInLine(1);

    await chat.button('Insert at Cursor').click();
    const asked = await answerDialog(page, 'This code contains invisible characters', 'Cancel');
    assert.match(asked, /Found 2; the first is on line 1: U\+202E, U\+2066\./);

    await chat.button('Insert at Cursor').click();
    await answerDialog(page, 'This code contains invisible characters', 'Use Anyway');
    await page.locator('.editor-instance .view-line', { hasText: 'only admins' }).first().waitFor();
    // VS Code's dialog returns the focus to the chat, whose frame takes it a moment later, sometimes from the editor.
    await workbench().runCommand('View: Focus Active Editor Group');
    await saves('src/tasks.ts', bad + before);
    await page.keyboard.press('ControlOrMeta+Z');
    await saves('src/tasks.ts', before);

    await chat.button('Open as New File').click();
    await answerDialog(page, 'This code contains invisible characters', 'Cancel');
  });

  it('are sent with the parameters that were set, and with no others', async () => {
    await chat.ask('Nothing is set');
    assert.deepEqual(lastBody(), {
      model: 'local/echo',
      messages: [{ role: 'user', content: 'Nothing is set' }],
      stream: true,
    });

    await chat.button('Parameters').click();
    await chat.frame.getByLabel('System prompt').fill('Be brief.');
    await chat.frame.getByLabel('Temperature').fill('-1');
    await chat.frame.getByText('A number, 0 or more').waitFor();
    // Enter in the message box doesn't send an invalid message.
    await chat.send('Not yet');
    assert.equal(await chat.box.inputValue(), 'Not yet');
    await chat.frame.getByLabel('Temperature').fill('0,3');
    await chat.frame.getByLabel('Max tokens').fill('500');
    await chat.frame.getByLabel('Top P').fill('0.9');
    await chat.ask('All are set');
    assert.deepEqual(lastBody(), {
      model: 'local/echo',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Nothing is set' },
        { role: 'assistant', content: 'Nothing is set' },
        { role: 'user', content: 'All are set' },
      ],
      max_tokens: 500,
      temperature: 0.3,
      top_p: 0.9,
      stream: true,
    });
    await chat.button('Parameters (4 set)').waitFor();

    await chat.button('Reset').click();
    await chat.button('Close').click();
    await chat.ask('Nothing is set any more');
    assert.deepEqual(Object.keys(Object(lastBody())).toSorted(), ['messages', 'model', 'stream']);
    assert.deepEqual(lastMessages()[0], { role: 'user', content: 'Nothing is set' });
  });

  it('arrive whole if streaming is off', async () => {
    await chat.button('Parameters').click();
    await chat.frame.getByLabel('Stream').selectOption('off');
    await chat.button('Close').click();
    const reply = await chat.ask('All at once');
    assert.equal(Object(lastBody()).stream, false);
    assert.equal(workbench().service.asked().at(-1)?.stream, false);
    await reply.locator('.answer', { hasText: 'All at once' }).waitFor();
    assert.match(await reply.locator('.footer').innerText(), /\b3 tokens/);
  });

  it("show a model's reasoning separately from its reply, collapsed", async () => {
    await chat.chooseModel('local/thinker');
    const reply = await chat.ask('Why is the sky blue? In 60 tokens.');
    const thoughts = reply.locator('.reasoning-text');
    assert.equal(await thoughts.isVisible(), false);
    // On a busy machine it arrives all at once, in `<10 ms` or without a duration; the page's tests check its words.
    await reply.getByText(/^(Thought for |Reasoning$)/).click();
    await thoughts.getByText('It names the number 60').waitFor();
    assert.doesNotMatch((await reply.locator('.answer').textContent()) ?? '', /It names the number 60/);
    // Its reasoning isn't part of the conversation that is sent.
    await chat.ask('And at night? In 20 tokens.');
    assert.ok(!JSON.stringify(lastMessages()).includes('It names the number 60'));
  });

  it('open a link only after VS Code asks for confirmation, and load no image', async () => {
    const { page } = workbench();
    const reply = await chat.ask(
      'See [the guide](https://guide.example/start?x=1) ![a cat](https://tracker.example/cat.png) <img src="https://tracker.example/dog.png">',
    );
    assert.equal(await reply.locator('img').count(), 0);
    await reply.getByRole('link', { name: 'Image: a cat (tracker.example)' }).waitFor();
    await reply.getByRole('link', { name: 'the guide' }).click();
    assert.match(
      await answerDialog(page, 'open the external website', 'Cancel'),
      /https:\/\/guide\.example\/start\?x=1/,
    );
    await reply.getByRole('link', { name: 'Image: a cat' }).press('Enter');
    await answerDialog(page, 'open the external website', 'Cancel');
    assert.equal(await modalDialog(page, 'external').count(), 0);
    assert.deepEqual(requestsToStrangers(), []);
    assert.equal(workbench().context.pages().length, 1);
  });

  it("cause no violation of the page's content policy, and no error on the page", () => {
    const complaints = workbench().consoleLines.filter((line) =>
      /content security policy|refused to|^pageerror/i.test(line),
    );
    assert.deepEqual(complaints, []);
    assert.deepEqual(requestsToStrangers(), []);
  });

  async function press(message: Locator, button: string): Promise<void> {
    await message.hover();
    await message.getByRole('button', { name: button, exact: true }).click();
  }

  /** From the message box back to the button, then Enter. */
  async function pressByKeyboard(name: string): Promise<void> {
    await workbench().runCommand('Parlance: Open Chat');
    await chat.focused();
    await waitUntil(`the focus on "${name}"`, async () => {
      await workbench().page.keyboard.press('Shift+Tab');
      return chat.frame.evaluate((wanted) => document.activeElement?.getAttribute('aria-label') === wanted, name);
    });
    await workbench().page.keyboard.press('Enter');
  }

  /**
   * Opens a file of the workspace in a focused editor.
   * @returns its text.
   */
  async function open(path: string): Promise<string> {
    const { page, workspace } = workbench();
    await page.keyboard.press('ControlOrMeta+P');
    const list = new QuickInput(page);
    await list.box.fill(path);
    await list
      .row(path.split('/').at(-1) ?? path)
      .first()
      .waitFor();
    await list.box.press('Enter');
    await focusedEditor().waitFor();
    // The list gives the focus back to the chat when it closes, which can come later.
    await workbench().settle();
    await workbench().runCommand('View: Focus Active Editor Group');
    await focusedEditor().waitFor();
    return readFile(join(workspace, path), 'utf8');
  }

  async function putCursorInLine(line: number): Promise<void> {
    const { page } = workbench();
    const place = page
      .locator('.statusbar-item', { hasText: `Ln ${line}, Col 1` })
      .and(page.locator(':not(:has-text("selected"))'));
    // A key pressed while the focus is moving to the editor is lost.
    await waitUntil(`the cursor in line ${line}`, async () => {
      await page.keyboard.press('ControlOrMeta+Home');
      for (let below = 1; below < line; below++) await page.keyboard.press('ArrowDown');
      return (await place.count()) === 1;
    });
  }

  /** Waits until the editor is focused, and until saving it gives the file this text. */
  async function saves(path: string, wanted: string): Promise<void> {
    const { page, workspace } = workbench();
    await focusedEditor().waitFor();
    let text = '';
    await waitUntil(`${path} as wanted`, async () => {
      await page.keyboard.press('ControlOrMeta+S');
      text = await readFile(join(workspace, path), 'utf8');
      return text === wanted;
    }).catch(() => assert.equal(text, wanted));
  }

  function focusedEditor(): Locator {
    return workbench().page.locator('.editor-instance .monaco-editor.focused');
  }

  /** The lines that the visible editor draws, from top to bottom. */
  function drawnLines(): Promise<readonly string[]> {
    return workbench()
      .page.locator('.editor-instance .view-line')
      .evaluateAll((lines) =>
        lines
          .toSorted((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
          .map((line) => line.textContent.replaceAll('\u00a0', ' ')),
      );
  }

  /** Except for VS Code's own: its service worker serves the page's files, and its gallery isn't ours. */
  function requestsToStrangers(): readonly string[] {
    return workbench().foreignRequests.filter(
      (address) => !/\.vscode-resource\.vscode-cdn\.net$|^open-vsx\.org$/.test(new URL(address).hostname),
    );
  }

  function clipboard(): Promise<string> {
    return workbench().page.evaluate(() => navigator.clipboard.readText());
  }

  function lastBody(): unknown {
    return workbench().service.asked().at(-1)?.requestBody;
  }

  function lastMessages(): readonly unknown[] {
    return Object(lastBody()).messages;
  }
});
