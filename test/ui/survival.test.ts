import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { ChatDriver } from './chatDriver.ts';
import { copiedMarkdown } from './copiedMarkdown.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';
import { writtenText } from './writtenText.ts';

const toggleSideBar = 'View: Toggle Secondary Side Bar Visibility';

describe('A reply', () => {
  const workbench = useWorkbench({
    service: { tokensPerSecond: 60 },
    settings: { 'parlance.chat.maxTokens': 60_000 },
  });

  /** Asks, and waits for the start of the reply. */
  async function asked(text: string): Promise<ChatDriver> {
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    await chat.send(text);
    await waitUntil('the first text', async () => (await chat.lastReply.locator('.answer').innerText()).length > 200);
    return chat;
  }

  /** The text of all replies that are being written. */
  async function repliesOnDisk(): Promise<string> {
    const { dataFolder } = workbench().server;
    const folder = join(dataFolder, 'data', 'User', 'globalStorage', 'parlance.parlance', 'conversations');
    const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    // The last line might not be complete.
    const lines = texts.flatMap((text) => text.split('\n').slice(0, -1));
    const entries = lines.filter((line) => line.includes('"replyGrew"')).map((line) => JSON.parse(line));
    return entries.map(({ text }) => text).join('');
  }

  it('is complete if its view was hidden in mid-stream and shown again', async () => {
    await asked('Write 300 tokens about hidden views');
    await workbench().runCommand(toggleSideBar);
    await waitUntil('no chat in view', async () => (await workbench().chatFrames()).length === 0);
    await workbench().runCommand(toggleSideBar);
    const chat = await ChatDriver.inView(workbench());
    await chat.ended(0);
    const entry = workbench().service.asked().at(-1);
    assert.ok(entry);
    assert.equal(await copiedMarkdown(workbench(), chat, 0), writtenText(entry));
  });

  it('and a message above its message box are kept when the chat is moved to another side bar', async () => {
    const { driver } = workbench();
    const move = (container: string) =>
      driver.run('vscode.moveViews', {
        viewIds: ['parlance.chat'],
        destinationId: `workbench.view.${container}`,
      });
    const note = (frame: Frame) => frame.locator('.note').filter({ hasText: 'The connection works' });
    const chat = await asked('Write 200 tokens about moving');
    await driver.run('parlance.testConnection');
    await note(chat.frame).waitFor();
    await move('explorer');
    await waitUntil('the end of the page', async () => chat.frame.isDetached());
    await workbench().driver.run('parlance.chat.focus');
    // There's only room for the message and the message box.
    const moved = await workbench().chatFrame();
    await note(moved).waitFor();
    await move('extension.parlance');
    await waitUntil('the end of the page', async () => moved.isDetached());
    const back = await ChatDriver.open(workbench());
    await note(back.frame).waitFor();
    await back.ended(0);
  });

  it('whose extension host died in mid-stream is kept up to that point', async () => {
    const chat = await asked('Write 4000 tokens about crashes');
    const seen = (await chat.lastReply.locator('.answer').innerText()).slice(0, 150);
    const begun = writtenText(workbench().service.asked().at(-1) ?? assert.fail()).slice(0, 400);
    // An extension host that's killed loses what arrived in the last tenth of a second.
    await waitUntil('what was seen, on the disk', async () => (await repliesOnDisk()).includes(begun));
    await workbench().killExtensionHost();
    const entry = await workbench().service.waitForEntry(({ outcome }) => outcome === 'canceled', 60_000);

    const again = await ChatDriver.open(workbench());
    const reply = again.frame.locator('article.reply[data-state=interrupted]');
    await reply.waitFor({ timeout: 60_000 });
    // The page draws a moment after the article appears.
    await waitUntil('what was seen before', async () => (await reply.locator('.answer').innerText()).startsWith(seen));
    assert.match(
      await reply.getByRole('group', { name: 'Metrics' }).innerText(),
      /m?s°?\s+(?:\(measured in VS Code\)\s+)?first token/,
    );
    const kept = await copiedMarkdown(workbench(), again, 0);
    assert.ok(writtenText(entry).startsWith(kept), kept);
    // The conversation can still be used.
    await again.ask('Write 20 tokens about going on');
  });
});

describe('A reply of 50,000 tokens', () => {
  const tokensPerSecond = 5_000;
  const workbench = useWorkbench({
    // Ten seconds of it: more than a user reads, and long enough to type something.
    service: { tokensPerSecond },
    settings: { 'parlance.chat.maxTokens': 60_000 },
  });

  it('arrives in full, while the page responds to the keyboard', async () => {
    const { service } = workbench();
    const chat = await ChatDriver.open(workbench());
    await chat.send('Write 50000 tokens about everything');
    let isLookedAt = false;
    const tokensAtFullSpeed = 40_000;
    // Close to its end, it waits for the other keys of a machine that is slower than the service.
    const nearEnd = service.waitForEntry(({ completionTokens = 0 }) => completionTokens > tokensAtFullSpeed, 120_000);
    void nearEnd.then(
      () => service.setSpeed(isLookedAt ? tokensPerSecond : 10),
      () => undefined,
    );
    await waitUntil('the first text', async () => (await chat.lastReply.locator('.answer').innerText()).length > 200);
    // How much was there when the page took the key, however long this test takes to press it.
    const atKey = await chat.lastReply.locator('.answer').evaluateHandle((answer) => {
      const drawn = { characters: Infinity };
      const note = () => (drawn.characters = answer.textContent.length);
      document.addEventListener('keydown', note, { capture: true, once: true });
      return drawn;
    });
    await chat.box.press('s');
    const { characters } = await atKey.jsonValue();
    const inFull = writtenText(service.asked().at(-1) ?? assert.fail()).length;
    assert.ok(characters < (inFull * tokensAtFullSpeed) / 50_000, 'it took no key before the reply got slower');
    await chat.box.pressSequentially('till here');
    assert.equal(await chat.box.inputValue(), 'still here');
    assert.equal(await chat.lastReply.getAttribute('data-state'), 'running', 'it was over before it was looked at');
    isLookedAt = true;
    service.setSpeed(tokensPerSecond);
    await chat.frame.locator('article.reply[data-state=done]').waitFor({ timeout: 120_000 });

    const entry = workbench().service.asked().at(-1);
    assert.equal(entry?.completionTokens, 50_000);
    const text = writtenText(entry);
    assert.equal(await copiedMarkdown(workbench(), chat, 0), text);
    const shown = await waitUntil('the end of the drawing', async () => {
      const drawn = await chat.lastReply.locator('.answer').evaluate(wordsShown);
      return drawn.at(-1) === text.match(words)?.at(-1) ? drawn : undefined;
    });
    assert.deepEqual(shown, text.replaceAll(signs, '').match(words));
  }).timeout(180_000);
});

const words = /\w+/g;
/**
 * Markdown syntax that contains words but isn't shown: languages of code blocks, list numbers and checkboxes, link
 * targets.
 */
const signs = /^ *```\w*$|^ *\d+\. |^ *- \[x\]|(?<=\])\([^)]*\)/gm;

/** In the page: every word of a reply, without text that Parlance adds. */
function wordsShown(answer: Element): readonly string[] {
  const copy = answer.cloneNode(true) as Element;
  for (const extra of copy.querySelectorAll('.md-code-header, .md-table-actions, .md-link-target')) extra.remove();
  // Blocks follow each other without white space.
  for (const block of copy.querySelectorAll(':not(span, a, code, strong, em, del)')) block.append(' ');
  return copy.textContent.match(/\w+/g) ?? [];
}
