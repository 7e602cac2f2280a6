import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { ChatDriver } from './chatDriver.ts';
import { answerDialog } from './modalDialog.ts';
import { QuickInput } from './quickInput.ts';
import { RequestsDriver } from './requestsDriver.ts';
import { waitUntil } from './waitUntil.ts';
import { writtenText } from './writtenText.ts';
import {
  answered,
  chats,
  functionOf,
  lastMessage,
  messageIn,
  runPrompt,
  selectFunction,
  usePrompts,
} from './promptsDriver.ts';

describe('Prompts on selected code', () => {
  const { workbench, code } = usePrompts();

  it('sends the selection unchanged to a chat, which shows its speed', async () => {
    await selectFunction(workbench());
    await workbench().runCommand('Parlance: Run Selection as Prompt');
    const chat = await ChatDriver.inView(workbench());
    const reply = await chat.ended(0);
    assert.match(await reply.getByRole('group', { name: 'Metrics' }).innerText(), /first token/);
    assert.equal(lastMessage(workbench()), functionOf(code()));
    const requests = await RequestsDriver.open(workbench());
    // The first question leads to a model list. If its row arrived while the menu was open, VS Code would forget
    // which row the menu is about.
    await requests.row(/^Model list, done/).waitFor();
    await requests.choose(requests.row(/local\/echo, done/).first(), 'Open Request as JSON');
    const sent = `"content": ${JSON.stringify(functionOf(code()))}`;
    await waitUntil('what was sent, as it was sent', async () => (await requests.editorText()).includes(sent));
  });

  it('ends earlier confirmations in the chat, like a typed question does', async () => {
    await ChatDriver.open(workbench());
    await workbench().runCommand('Parlance: Test Connection');
    const works = workbench().told('The connection works');
    await works.shown();
    await selectFunction(workbench());
    const before = chats(workbench()).length;
    await workbench().runCommand('Parlance: Explain Code');
    await answered(workbench(), before);
    await workbench().settle();
    assert.equal(await works.isShown(), false);
  });

  it("keeps its Windows line breaks when it's edited in the chat and sent again", async () => {
    const before = chats(workbench()).length;
    await runPrompt(workbench(), 'windows');
    const sent = await answered(workbench(), before);
    assert.equal(messageIn(sent.requestBody), 'one\r\ntwo');
    const chat = await ChatDriver.inView(workbench());
    await chat.questions.first().getByText('two').waitFor();
    await chat.ended(0);
    const question = chat.questions.first();
    await question.hover();
    await question.getByRole('button', { name: 'Edit', exact: true }).click();
    const editor = chat.frame.getByRole('textbox', { name: 'Edit message' });
    await editor.fill('one\nand a half\ntwo');
    await editor.press('Enter');
    const again = await answered(workbench(), before + 1);
    assert.equal(messageIn(again.requestBody), 'one\r\nand a half\r\ntwo');
  });

  it('attaches it to a question in the chat, and keeps a draft that was being typed', async () => {
    await selectFunction(workbench());
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    await chat.box.fill('A draft');
    await workbench().runCommand('View: Focus First Editor Group');
    await workbench().runCommand('Parlance: Ask About Selection');
    await chat.frame.getByRole('button', { name: 'Remove tasks.ts' }).waitFor();
    await chat.frame.getByRole('button', { name: 'Remove Surrounding code' }).waitFor();
    // The command moves the focus to the message box.
    await chat.focused();
    await workbench().page.keyboard.type(': why?');
    await workbench().page.keyboard.press('Enter');
    await chat.ended(0);
    const sent = lastMessage(workbench());
    assert.match(
      sent,
      /^Selection: src\/tasks\.ts, lines [\d-]+\n```typescript\n[^]+\n```\n\nFor reference, [^]+\n\nIt uses: src\/tasks\.ts, lines 1-4\n```typescript\nexport interface Task \{[^`]+\}\n```\n\nEnd of the reference\.\n\nA draft: why\?$/,
    );
    assert.ok(sent.includes(functionOf(code())), sent);
  });

  it('is attached with chips that show exactly what is sent', async () => {
    await selectFunction(workbench());
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    await workbench().runCommand('View: Focus First Editor Group');
    await workbench().runCommand('Parlance: Ask About Selection');
    await chat.frame.getByRole('button', { name: 'Remove Surrounding code' }).waitFor();
    const requests = await RequestsDriver.open(workbench());
    const texts: string[] = [];
    for (const [name, start] of [
      ['tasks.ts', 'Selection: src/tasks.ts'],
      ['Surrounding code', 'For reference, '],
    ] as const) {
      await chat.frame
        .locator('.composer')
        .getByRole('button', { name: new RegExp(`^${name}`) })
        .first()
        .click();
      const text = await waitUntil(`the text of ${name}`, async () => {
        const drawn = await requests.editorText();
        return drawn.startsWith(start) ? drawn : undefined;
      });
      texts.push(text.trimEnd());
    }
    await chat.box.fill('Why?');
    await chat.box.press('Enter');
    await chat.ended(0);
    // The editor draws a long line as several.
    const inOneLine = (text: string) => text.replace(/\s+/g, ' ');
    assert.equal(inOneLine(lastMessage(workbench())), inOneLine([...texts, 'Why?'].join(' ')));
  });

  it('is attached by a suggestion of an empty chat, which follows what is selected', async () => {
    await selectFunction(workbench());
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    const ofSelection = chat.frame.getByRole('button', { name: 'Explain the selected code' });
    await ofSelection.waitFor();
    // The key below goes to the editor only if the chat has taken the focus before.
    await chat.focused();
    await workbench().runCommand('View: Focus First Editor Group');
    await workbench().page.locator('.editor-instance .monaco-editor.focused').waitFor();
    await workbench().page.keyboard.press('ArrowLeft');
    await chat.frame.getByRole('button', { name: 'Explain this file' }).waitFor();
    await selectFunction(workbench());
    await ofSelection.click();
    await chat.frame.getByRole('button', { name: 'Remove tasks.ts' }).waitFor();
    const words = 'Explain this code: what it does, how, and what to watch out for.';
    assert.equal(await chat.box.inputValue(), words);
    await chat.box.press('Enter');
    await chat.ended(0);
    const sent = lastMessage(workbench());
    assert.ok(sent.startsWith('Selection: src/tasks.ts') && sent.endsWith(words), sent);
    assert.ok(sent.includes(functionOf(code())), sent);
  });

  it('is attached without what surrounds it if the setting is off', async () => {
    await workbench().changeSettings({ 'parlance.prompts.includeSurroundingCode': false });
    await selectFunction(workbench());
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    await workbench().runCommand('View: Focus First Editor Group');
    await workbench().driver.runToEnd('parlance.askAboutSelection');
    await chat.frame.getByRole('button', { name: 'Remove tasks.ts' }).waitFor();
    await chat.ask('Why?');
    assert.match(
      lastMessage(workbench()),
      /^Selection: src\/tasks\.ts, lines [\d-]+\n```typescript\n[^`]+\n```\n\nWhy\?$/,
    );
    await workbench().changeSettings({ 'parlance.prompts.includeSurroundingCode': undefined });
  });

  it('is compared with its file, from the code in the reply', async () => {
    const { page } = workbench();
    await selectFunction(workbench());
    await workbench().runCommand('Parlance: Explain Code');
    const chat = await ChatDriver.inView(workbench());
    // The chat might still show the previous test's reply, and the reply repeats the code around the function first.
    const reply = chat.replies
      .filter({ hasText: 'Explain this code from tasks.ts' })
      .and(chat.frame.locator('[data-state=done]'));
    const block = reply.locator('.md-code', { hasText: 'export function removeDone' });
    await block.waitFor();
    // In a narrow window, VS Code would draw the lines of both sides in one.
    await workbench().changeSettings({ 'diffEditor.useInlineViewWhenSpaceIsLimited': false });
    await block.getByRole('button', { name: 'Compare with Current File' }).click();
    await page.locator('.tabs-container .tab.active', { hasText: 'tasks.ts ↔ Code from Reply' }).waitFor();
    const diff = page.locator('.monaco-diff-editor');
    await diff.locator('.editor.original .view-line', { hasText: 'export interface Task' }).first().waitFor();
    await diff.locator('.editor.modified .view-line', { hasText: 'export function' }).first().waitFor();
    const shownLines = diff.locator('.editor.modified .lines-content > .view-lines > .view-line');
    const lines = await shownLines.allInnerTexts();
    assert.equal(
      lines.some((line) => line.includes('interface')),
      false,
      String(lines),
    );
    await workbench().changeSettings({ 'diffEditor.useInlineViewWhenSpaceIsLimited': undefined });
  });

  it("offers everything in one submenu of the editor's context menu", async () => {
    await selectFunction(workbench());
    const { page } = workbench();
    await page.keyboard.press('Shift+F10');
    const menu = page.locator('.context-view .monaco-menu').first();
    await menu.waitFor();
    const own = menu.getByRole('menuitem', { name: /Parlance/ });
    assert.equal(await own.count(), 1);
    await own.click();
    const submenu = page.locator('.monaco-menu').last();
    for (const name of [
      'Explain',
      'Fix',
      'Simplify',
      'Generate Tests',
      'Generate Docs',
      'Translate Text',
      'Review',
      'Run Prompt',
    ]) {
      await submenu
        .getByRole('menuitem', { name: new RegExp(`^${name}`) })
        .first()
        .waitFor();
    }
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  it('offers the block around the cursor if nothing is selected, and shows it first', async () => {
    await workbench().driver.select('src/tasks.ts', 9);
    const before = chats(workbench()).length;
    await workbench().runCommand('Parlance: Run Selection as Prompt');
    const input = new QuickInput(workbench().page);
    await input.opened('Select What to Send');
    await workbench().page.locator('.editor-instance .selected-text').first().waitFor();
    await input.dismiss();
    await workbench().runCommand('Parlance: Run Selection as Prompt');
    await input.opened('Select What to Send');
    await input.choose(/Whole document/);
    const entry = await answered(workbench(), before);
    assert.equal(messageIn(entry.requestBody), code());
    assert.equal(chats(workbench()).length, before + 1);
  });

  it('draws no icon and no link from a hostile prompt, wherever its text is shown', async () => {
    const { page } = workbench();
    const input = new QuickInput(page);
    const plain = async (place: Locator, where: string) => {
      await place.getByText('[press]').first().waitFor({ timeout: 60_000 });
      assert.equal(await place.locator('.codicon-flame').count(), 0, `an icon in ${where}`);
      assert.equal(await place.locator('a[href]', { hasText: 'press' }).count(), 0, `a link in ${where}`);
    };
    await workbench().runCommand('Parlance: Run Prompt');
    await input.opened('Run Prompt');
    await input.box.fill('pressme');
    await plain(input.widget, 'the list of prompts');
    await input.choose(/pressme/);
    await plain(input.widget.locator('.quick-input-title'), 'the title of a box');
    await plain(input.widget.locator('#quickInput_message'), 'the prompt of a box');
    await input.enter('x');
    // The service doesn't have this model, and names it.
    await plain(await workbench().told('none/').shown(), 'the message about it');
    const requests = await RequestsDriver.open(workbench());
    await plain(requests.row(/none\//).first(), 'the tree of requests');
    await workbench().runCommand('Notifications: Clear All Notifications');
  });

  it('are listed, and a search that finds none says what it searched for', async () => {
    await workbench().runCommand('Parlance: Run Prompt…');
    const input = new QuickInput(workbench().page);
    await input.opened('Run Prompt');
    await input.box.fill('nothing like it');
    const none = input.row('No prompts match "nothing like it".');
    await none.waitFor();
    await input.row('New Prompt…').waitFor();
    // It isn't a prompt, so Enter on it doesn't close the list.
    await input.marked('No prompts match');
    await input.box.press('Enter');
    await input.box.fill('tidy');
    await none.waitFor({ state: 'detached' });
    await input.row(/^tidy/).first().waitFor();
    await input.dismiss();
  });

  it('asks before a prompt from the workspace sends the clipboard', async () => {
    await selectFunction(workbench());
    await workbench().page.evaluate(() => navigator.clipboard.writeText('a secret'));
    const before = chats(workbench()).length;
    await runPrompt(workbench(), 'clip');
    const text = await answerDialog(workbench().page, 'sends more than your selection', 'Cancel');
    assert.match(text, /Clipboard: a secret/);
    assert.match(text, /Open editors \(1\) · src\/tasks\.ts/);
    await runPrompt(workbench(), 'clip');
    await answerDialog(workbench().page, 'sends more than your selection', 'Send All');
    const entry = await answered(workbench(), before);
    assert.match(messageIn(entry.requestBody), /^a secret\nFile: src\/tasks\.ts\n/);
    assert.equal(chats(workbench()).length, before + 1);
  });

  it("warns before sending that it's more than the model accepts", async () => {
    await workbench().runCommand('Parlance: Refresh Models');
    await workbench().service.waitForEntry(({ kind }) => kind === 'models', 60_000);
    const before = chats(workbench()).length;
    await runPrompt(workbench(), 'long');
    const text = await answerDialog(workbench().page, /Send ≈ 375 tokens to local\/small\?/, 'Cancel');
    assert.match(text, /more than this model's context window of 256 tokens/);
    await runPrompt(workbench(), 'short');
    await answered(workbench(), before);
    assert.deepEqual(
      chats(workbench())
        .slice(before)
        .map(({ requestBody }) => messageIn(requestBody)),
      ['Only this'],
    );
  });

  it('stops a running prompt, keeps its text, and shows its speed in the status bar', async () => {
    await selectFunction(workbench());
    const before = chats(workbench()).length;
    await runPrompt(workbench(), 'slow');
    const { page } = workbench();
    const progress = workbench().told('slow');
    await progress.shown();
    await waitUntil('a beginning', async () => /is replying/.test(await progress.innerText()));
    // That's shown from the start, also while the request hasn't been sent.
    await waitUntil('the request at the service', () => chats(workbench()).length > before);
    // In Parlance's only status bar item besides the chat's icon; it shows the model's name again some time later.
    const stopped = page.locator('.statusbar-item[id$="parlance.status"]', { hasText: /slow · stopped/ }).waitFor();
    await progress.press('Cancel');
    await workbench().service.waitForEntry(({ kind, outcome }) => kind === 'chat' && outcome === 'canceled', 60_000);
    await stopped;
    const items = page.locator('.right-items .statusbar-item[id*="parlance."]');
    const ids = await items.evaluateAll((each) => each.map(({ id }) => id.split('.').at(-1)));
    assert.deepEqual(new Set(ids), new Set(['chat', 'status']));
    assert.equal(ids.length, 2);
    await page.locator('.codelens-decoration', { hasText: /local\/slow · .*first token.* · stopped/ }).waitFor();
  });

  it('continues a reply in the file that its document is saved as', async () => {
    const { page, service, workspace } = workbench();
    const before = chats(workbench()).length;
    await selectFunction(workbench());
    // Faster once it's saved.
    service.setSpeed(2);
    await runPrompt(workbench(), 'trees');
    await page.locator('.editor-group-container').nth(1).locator('.view-line', { hasText: /\S/ }).first().waitFor();
    await workbench().runCommand('View: Focus Second Editor Group');
    await workbench().runCommand('File: Save');
    const file = join(workspace, 'trees.md');
    await new QuickInput(page).saveAs(/\.md$/, file);
    await page.getByRole('tab', { name: 'trees.md' }).waitFor();
    const [begun, running] = [await readFile(file, 'utf8'), chats(workbench())[before]];
    assert.equal(running?.outcome, 'running', 'it was saved too late for what is tested');
    service.setSpeed(400);
    const whole = writtenText(await answered(workbench(), before));
    assert.ok(begun !== '' && begun.length < whole.length && whole.startsWith(begun), begun);
    await waitUntil('the rest of the reply', async () => {
      await workbench().runCommand('File: Save');
      return (await readFile(file, 'utf8')) === whole;
    });
  });

  it('shows what happened and what to do when a reply breaks off', async () => {
    await selectFunction(workbench());
    // It's there for some time only.
    const failed = workbench()
      .page.locator('.statusbar-item[id$="parlance.status"]', { hasText: /broken · failed/ })
      .waitFor();
    await runPrompt(workbench(), 'broken');
    const notice = workbench().told('The text so far was kept.');
    await notice.shown();
    await (await notice.shown()).getByRole('button', { name: 'Run Again' }).waitFor();
    await failed;
    await workbench().runCommand('Notifications: Clear All Notifications');
  });

  it('creates a prompt file, marks its errors, and runs it from its own editor', async () => {
    const { page } = workbench();
    await workbench().runCommand('Parlance: New Prompt');
    const input = new QuickInput(page);
    await input.choose(/In the workspace/);
    await input.enter('simple');
    await page.getByRole('tab', { name: 'simple.prompt.md' }).waitFor();
    await page.locator('.codelens-decoration', { hasText: 'Run with Parlance' }).waitFor({ timeout: 60_000 });
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText('---\ntemperature: hot\n---\nHello');
    await page.locator('.squiggly-error').first().waitFor({ timeout: 60_000 });
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText('---\ntarget: beside\n---\nHello');
    await page.keyboard.press('ControlOrMeta+S');
    await page.locator('.squiggly-error').first().waitFor({ state: 'detached', timeout: 60_000 });
    const before = chats(workbench()).length;
    await page.locator('.codelens-decoration a', { hasText: 'Run with Parlance' }).click();
    const entry = await waitUntil('the request', () => chats(workbench())[before]);
    assert.equal(messageIn(entry.requestBody), 'Hello');
  });
});
