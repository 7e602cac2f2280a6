import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { LogEntry } from '../service/inferenceLog.ts';
import { ChatDriver } from './chatDriver.ts';
import { chooseFromMenu } from './contextMenu.ts';
import { answerDialog, modalDialog } from './modalDialog.ts';
import { QuickInput } from './quickInput.ts';
import { RequestsDriver } from './requestsDriver.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';
import type { WorkbenchPage } from './workbenchPage.ts';

const better = `export function removeDone(tasks: readonly Task[]): Task[] {
  const open = tasks.filter((task) => !task.done);
  return open;
}`;

/** Drawn as Markdown, this would be an icon, and a link that closes the window. */
const hostile = '$(flame)[press](command:workbench.action.closeWindow)';

describe('Prompts on selected code', () => {
  const workbench = useWorkbench({
    // In a browser VS Code saves after a second, and a save ends an undo step.
    settings: { 'parlance.chat.model': 'local/echo' },
  });
  let code: string;

  before('write prompts', async () => {
    const folder = join(workbench().workspace, '.github', 'prompts');
    await mkdir(folder, { recursive: true });
    const write = (name: string, text: string) => writeFile(join(folder, `${name}.prompt.md`), text);
    const read = () => readFile(join(workbench().workspace, 'src/tasks.ts'), 'utf8');
    // The model echoes: the prompt's text is the reply.
    await write('tidy', `---\ndescription: Makes it simpler\ntarget: replace\n---\n\`\`\`ts\n${better}\n\`\`\`\n`);
    await write(
      'hidden',
      `---\ntarget: replace\n---\n\`\`\`ts\n${better.replace('open;', 'open; // \u202Ehid')}\n\`\`\`\n`,
    );
    await write('slow', '---\ntarget: beside\nmodel: local/slow\n---\nWrite 900 tokens about trees');
    await write('broken', '---\ntarget: beside\nmodel: local/fault-error-later\n---\nWrite 90 tokens about trees');
    await write('clip', '---\ntarget: beside\n---\n${clipboard}\n${openEditors}');
    // As in a hostile workspace. Only the words before it are ours.
    await write(
      `pressme ${hostile}`,
      `---\ntarget: beside\ndescription: ${JSON.stringify(hostile)}\nmodel: ${JSON.stringify(`none/${hostile}`)}\n---\nOnly \${input:name:${hostile}}`,
    );
    await write('short', '---\ntarget: beside\n---\nOnly this');
    await write(
      'explained',
      `---\ntarget: cursor\n---\n${'Every task that is done goes. '.repeat(6)}\n\`\`\`ts\ndoneGoes();\n\`\`\`\n`,
    );
    await write('windows', '---\r\ntarget: chat\r\n---\r\none\r\ntwo');
    await write('long', `---\ntarget: beside\nmodel: local/small\n---\n${'word '.repeat(300)}`);
    code = await read();
    const two = functionOf(code)
      .replace('tasks: Task[])', 'tasks: Task[], log = false)')
      .replace('return tasks;', 'return [...tasks];');
    await write('two', `---\ntarget: replace\n---\n\`\`\`ts\n${two}\n\`\`\`\n`);
  });
  afterEach('close all, and put the file back', async () => {
    const { page } = workbench();
    await page.keyboard.press('Escape');
    await workbench().runCommand('View: Close All Editors');
    const leave = modalDialog(page, /save/i).getByRole('button', { name: "Don't Save" });
    await waitUntil('no editors', async () => {
      if (await leave.isVisible()) await leave.click();
      return (await page.locator('.tabs-container .tab').count()) === 0;
    });
    await writeFile(join(workbench().workspace, 'src/tasks.ts'), code);
    await workbench().changeSettings({ 'parlance.chat.model': 'local/echo' });
  });

  it('sends the selection unchanged to a chat, which shows its speed', async () => {
    await selectFunction(workbench());
    await workbench().runCommand('Parlance: Run Selection as Prompt');
    const chat = await ChatDriver.inView(workbench());
    const reply = await chat.ended(0);
    assert.match(await reply.getByRole('group', { name: 'Metrics' }).innerText(), /first token/);
    assert.equal(lastMessage(workbench()), functionOf(code));
    const requests = await RequestsDriver.open(workbench());
    // The first question leads to a model list. If its row arrived while the menu was open, VS Code would forget
    // which row the menu is about.
    await requests.row(/^Model list, done/).waitFor();
    await requests.choose(requests.row(/local\/echo, done/).first(), 'Open Request as JSON');
    const sent = `"content": ${JSON.stringify(functionOf(code))}`;
    await waitUntil('what was sent, as it was sent', async () => (await requests.editorText()).includes(sent));
  });

  it('is fixed and kept with three keys, from the selection to the saved file', async () => {
    const { page } = workbench();
    // Quick fixes exist once Parlance has been used in the window.
    await ChatDriver.open(workbench());
    // An echo of the question leaves the code as it is.
    await workbench().changeSettings({ 'parlance.chat.model': 'local/fast' });
    const before = chats(workbench()).length;
    await selectFunction(workbench());
    const fix = page.locator('.action-widget').getByText('Fix with Parlance');
    // VS Code closes the list if the chat only takes the focus then.
    await waitUntil('the quick fixes', async () => {
      await workbench().runCommand('View: Focus First Editor Group');
      await page.keyboard.press('ControlOrMeta+.');
      return fix.waitFor({ timeout: 4_000 }).then(
        () => true,
        () => false,
      );
    });
    await page.keyboard.press('Enter');
    const { requestBody } = await answered(workbench(), before);
    assert.match(messageIn(requestBody), /Fix/);
    await titleButton(workbench(), 'Keep All').waitFor({ timeout: 60_000 });
    // The key works once the diff has the focus.
    await page.locator('.monaco-diff-editor .editor.modified .monaco-editor.focused').waitFor({ timeout: 60_000 });
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+S');
    const file = join(workbench().workspace, 'src/tasks.ts');
    await waitUntil('the file with the fix', async () => (await readFile(file, 'utf8')) !== code);
  });

  it('is fixed and kept with three clicks: in the context menu, on Fix Code, and on Keep All', async () => {
    const { page } = workbench();
    await workbench().changeSettings({ 'parlance.chat.model': 'local/fast' });
    const before = chats(workbench()).length;
    await selectFunction(workbench());
    // Pointing at the submenu opens it.
    await chooseFromMenu(page, page.locator('.view-line', { hasText: 'removeDone' }).first(), 'Parlance', 'Fix Code');
    const { requestBody } = await answered(workbench(), before);
    assert.ok(messageIn(requestBody).includes(functionOf(code)));
    const keepAll = titleButton(workbench(), 'Keep All');
    await keepAll.waitFor({ timeout: 60_000 });
    await keepAll.click();
    await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+S');
    const file = join(workbench().workspace, 'src/tasks.ts');
    await waitUntil('the file with the fix', async () => (await readFile(file, 'utf8')) !== code);
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
    await chat.box.and(chat.frame.locator(':focus')).waitFor();
    await workbench().page.keyboard.type(': why?');
    await workbench().page.keyboard.press('Enter');
    await chat.ended(0);
    const sent = lastMessage(workbench());
    assert.match(
      sent,
      /^Selection: src\/tasks\.ts, lines [\d-]+\n```typescript\n[^]+\n```\n\nFor reference, [^]+\n\nIt uses: src\/tasks\.ts, lines 1-4\n```typescript\nexport interface Task \{[^`]+\}\n```\n\nEnd of the reference\.\n\nA draft: why\?$/,
    );
    assert.ok(sent.includes(functionOf(code)), sent);
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
    await workbench().runCommand('View: Focus First Editor Group');
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
    assert.ok(sent.includes(functionOf(code)), sent);
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
    const compare = block.getByRole('button', { name: 'Compare with Current File' });
    // In a narrow window, VS Code would draw the lines of both sides in one.
    await workbench().changeSettings({ 'diffEditor.useInlineViewWhenSpaceIsLimited': false });
    // Once it has ended, the reply is drawn again with colored code.
    const tab = page.locator('.tabs-container .tab.active', { hasText: 'tasks.ts ↔ Code from Reply' });
    await waitUntil('the comparison', async () => {
      await compare.click({ timeout: 5_000 }).catch(() => undefined);
      return tab.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    });
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

  it('shows a replacement as a diff, applies it with one button, and undoes it in one step', async () => {
    await selectFunction(workbench());
    await runPrompt(workbench(), 'tidy');
    const diff = await proposal(workbench(), 'const open');
    await marked(workbench(), ['Change 1 of 1']);
    assert.equal(await readFile(join(workbench().workspace, 'src/tasks.ts'), 'utf8'), code);
    await titleButton(workbench(), 'Keep All').click();
    await diff.waitFor({ state: 'detached' });
    await shown(workbench(), 'const open');
    await workbench().page.keyboard.press('ControlOrMeta+Z');
    await shown(workbench(), 'tasks.splice');
    await saved(workbench(), code);
  });

  it('applies one change and rejects another', async () => {
    await selectFunction(workbench());
    await runPrompt(workbench(), 'two');
    const diff = await proposal(workbench(), 'log = false');
    const { page } = workbench();
    await marked(workbench(), ['Change 1 of 2', 'Change 2 of 2']);
    // The change at the cursor, which is the first and then the next one.
    await workbench().runCommand('Parlance: Discard');
    await marked(workbench(), ['Change 1 of 1']);
    await workbench().runCommand('Parlance: Keep');
    await diff.waitFor({ state: 'detached' });
    await shown(workbench(), 'return [...tasks];');
    await saved(workbench(), code.replace('return tasks;', 'return [...tasks];'));
    await page.keyboard.press('ControlOrMeta+Z');
    await shown(workbench(), 'return tasks;');
    await saved(workbench(), code);
  });

  it('applies one change, and rejects another, with the labeled buttons above each', async () => {
    await selectFunction(workbench());
    await runPrompt(workbench(), 'two');
    const diff = await proposal(workbench(), 'log = false');
    const { page } = workbench();
    await marked(workbench(), ['Change 1 of 2', 'Change 2 of 2']);
    await page.getByText('Replaces 1 line', { exact: true }).first().waitFor();
    // A comment with text would open this view.
    assert.equal(await page.getByRole('tab', { name: 'Comments' }).count(), 0);
    await changeButton(workbench(), 'Change 2 of 2', 'Keep').click();
    await marked(workbench(), ['Change 1 of 1']);
    await changeButton(workbench(), 'Change 1 of 1', 'Discard').click();
    await diff.waitFor({ state: 'detached' });
    await shown(workbench(), 'return [...tasks];');
    await saved(workbench(), code.replace('return tasks;', 'return [...tasks];'));
    await page.keyboard.press('ControlOrMeta+Z');
    await saved(workbench(), code);
  });

  it("shows invisible characters before they're inserted into the file", async () => {
    await selectFunction(workbench());
    await runPrompt(workbench(), 'hidden');
    // The prompt came with the folder, so it's confirmed before sending too.
    const prompt = await answerDialog(workbench().page, 'The workspace prompt "hidden"', 'Send Anyway');
    assert.match(prompt, /line 7: U\+202E/);
    const diff = await proposal(workbench(), 'const open');
    await titleButton(workbench(), 'Keep All').click();
    const text = await answerDialog(workbench().page, 'invisible characters', 'Cancel');
    assert.match(text, /U\+202E/);
    await titleButton(workbench(), 'Discard All').click();
    await diff.waitFor({ state: 'detached' });
    await saved(workbench(), code);
  });

  it('says where the reply is if a reload removed a proposed change', async () => {
    const { page } = workbench();
    await selectFunction(workbench());
    await runPrompt(workbench(), 'tidy');
    await proposal(workbench(), 'const open');
    const loaded = page.waitForEvent('load');
    await workbench().runCommand('Developer: Reload Window');
    await loaded;
    // Parlance starts when it's first used.
    await ChatDriver.open(workbench());
    const notice = workbench().told('A proposed change was closed with its window');
    await notice.shown(40_000);
    await notice.press('Show Requests');
    await page
      .locator('.part.sidebar')
      .getByRole('treeitem', { name: /local\/echo, done/ })
      .first()
      .waitFor();
    await saved(workbench(), code);
  });

  it('offers the block around the cursor if nothing is selected, and shows it first', async () => {
    await workbench().driver.select('src/tasks.ts', 9);
    const before = chats(workbench()).length;
    await workbench().runCommand('Parlance: Run Selection as Prompt');
    const input = new QuickInput(workbench().page);
    await input.opened('Select What to Send');
    await workbench().page.locator('.editor-instance .selected-text').first().waitFor();
    await workbench().page.keyboard.press('Escape');
    await input.closed();
    await workbench().runCommand('Parlance: Run Selection as Prompt');
    await input.opened('Select What to Send');
    await input.row(/Whole document/).click();
    const entry = await answered(workbench(), before);
    assert.equal(messageIn(entry.requestBody), code);
    assert.equal(chats(workbench()).length, before + 1);
  });

  // After the tests that run it without a confirmation: the palette lists the last command first.
  it('puts the reply where the user says: below the selection, in a document to the side, or in the chat', async () => {
    const { page } = workbench();
    const input = new QuickInput(page);
    const run = async (place: RegExp): Promise<void> => {
      await selectFunction(workbench());
      await workbench().runCommand('Parlance: Run Selection as Prompt (Select Location)');
      await input.row(place).click();
    };
    const heads = page.locator('.editor-instance .view-line').filter({ hasText: 'export function removeDone' });
    await run(/At the cursor/);
    await waitUntil('the reply below', async () => (await heads.count()) === 2);
    await page.keyboard.press('ControlOrMeta+Z');
    await waitUntil('nothing but the code', async () => (await heads.count()) === 1);
    await saved(workbench(), code);
    // A code file gets only the code, and a message says where the rest is.
    await selectFunction(workbench());
    await runPrompt(workbench(), 'explained');
    const inFile = page.locator('.editor-instance .view-line').filter({ hasText: 'doneGoes();' });
    await waitUntil('the code of the reply', async () => (await inFile.count()) === 1);
    await page.keyboard.press('ControlOrMeta+Z');
    await saved(workbench(), code);
    await workbench().told("Only the reply's code was inserted.").press('Open Reply');
    await page.locator('.editor-instance .view-line').filter({ hasText: 'Every task that is done' }).first().waitFor();
    await run(/Document to the side/);
    await page.locator('.codelens-decoration', { hasText: /local\/echo · .*first token/ }).waitFor({ timeout: 60_000 });
    await waitUntil('the reply beside', async () => (await heads.count()) === 2);
    const chat = await ChatDriver.open(workbench());
    const before = await chat.questions.count();
    await run(/Current chat/);
    await waitUntil('one more question', async () => (await chat.questions.count()) === before + 1);
    await chat.ended(0);
    assert.equal(lastMessage(workbench()), functionOf(code));
  });

  it('asks before it sends several requests', async () => {
    const { page } = workbench();
    await select(workbench(), 2, 2);
    await workbench().runCommand('Add Cursor Below');
    await page.locator('.statusbar-item', { hasText: '2 selections' }).waitFor();
    const before = chats(workbench()).length;
    await workbench().runCommand('Parlance: Run Selection as Prompt (Select Location)');
    await new QuickInput(page).row(/In place of the selection/).click();
    await answerDialog(page, /Send 2 requests/, 'Cancel');
    await workbench().runCommand('Parlance: Run Selection as Prompt (Select Location)');
    await new QuickInput(page).row(/At the cursor/).click();
    await answerDialog(page, /Send 2 requests/, 'Send');
    const lines = code.split('\n');
    const both = lines.flatMap((line, index) => (index === 1 || index === 2 ? [line, line] : [line])).join('\n');
    // Not saved before: that would end the undo step.
    const last = page.locator('.editor-instance .view-line').filter({ hasText: lines[2]?.trim() ?? '' });
    await waitUntil('both replies', async () => (await last.count()) === 2);
    // The two requests of the run that was confirmed, and none of the canceled one.
    assert.equal(chats(workbench()).length, before + 2);
    await saved(workbench(), both);
    await page.keyboard.press('ControlOrMeta+Z');
    await saved(workbench(), code);
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
    await input
      .row(/pressme/)
      .first()
      .click();
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
    await workbench().page.keyboard.press('Escape');
    await input.closed();
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
    await runPrompt(workbench(), 'slow');
    const { page } = workbench();
    const progress = workbench().told('slow');
    await progress.shown();
    await waitUntil('a beginning', async () => /is replying/.test(await progress.innerText()));
    await progress.press('Cancel');
    await workbench().service.waitForEntry(({ kind, outcome }) => kind === 'chat' && outcome === 'canceled', 60_000);
    // In Parlance's only status bar item besides the chat's icon; it shows the model's name again some time later.
    await page.locator('.statusbar-item[id$="parlance.status"]', { hasText: /slow · stopped/ }).waitFor();
    const items = page.locator('.right-items .statusbar-item[id*="parlance."]');
    const ids = await items.evaluateAll((each) => each.map(({ id }) => id.split('.').at(-1)));
    assert.deepEqual(new Set(ids), new Set(['chat', 'status']));
    assert.equal(ids.length, 2);
    await page.locator('.codelens-decoration', { hasText: /local\/slow · .*first token.* · stopped/ }).waitFor();
  });

  it('shows what happened and what to do when a reply breaks off', async () => {
    await selectFunction(workbench());
    await runPrompt(workbench(), 'broken');
    const notice = workbench().told('The text so far was kept.');
    await notice.shown();
    await (await notice.shown()).getByRole('button', { name: 'Run Again' }).waitFor();
    await workbench()
      .page.locator('.statusbar-item[id$="parlance.status"]', { hasText: /broken · failed/ })
      .waitFor();
    await workbench().runCommand('Notifications: Clear All Notifications');
  });

  it('creates a prompt file, marks its errors, and runs it from its own editor', async () => {
    const { page } = workbench();
    await workbench().runCommand('Parlance: New Prompt');
    const input = new QuickInput(page);
    await input.row(/In the workspace/).click();
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

async function selectFunction(workbench: WorkbenchPage): Promise<void> {
  await select(workbench, 7, 12);
}

/** Selects whole lines of the code, and resolves when they're drawn as selected. */
async function select(workbench: WorkbenchPage, from: number, to: number): Promise<void> {
  await workbench.driver.select('src/tasks.ts', from, to);
  await workbench.page.locator('.editor-instance .selected-text').first().waitFor();
}

function functionOf(code: string): string {
  return code.slice(code.indexOf('export function')).trimEnd();
}

async function runPrompt(workbench: WorkbenchPage, name: string): Promise<void> {
  await workbench.runCommand('Parlance: Run Prompt…');
  const input = new QuickInput(workbench.page);
  await input.opened('Run Prompt');
  await input
    .row(new RegExp(`^${name}`))
    .first()
    .click();
}

/** The diff of a proposed change, once it contains these words and can be applied. */
async function proposal(workbench: WorkbenchPage, words: string): Promise<Locator> {
  const diff = workbench.page.locator('.monaco-diff-editor');
  await diff.locator('.editor.modified .view-lines').getByText(words).first().waitFor({ timeout: 60_000 });
  await titleButton(workbench, 'Keep All').waitFor({ timeout: 60_000 });
  return diff;
}

/** Waits until these are at the ends of the changes' lines. They're drawn by style alone, so they aren't text. */
async function marked(workbench: WorkbenchPage, labels: readonly string[]): Promise<void> {
  const heads = workbench.page.locator('.editor.modified .review-widget .head .filename');
  await waitUntil(
    `the changes ${labels.join(', ')}`,
    async () => String(await heads.allInnerTexts()) === String(labels),
  );
}

/** The change's button with this label. */
function changeButton(workbench: WorkbenchPage, label: string, name: 'Keep' | 'Discard'): Locator {
  const head = workbench.page.locator('.editor.modified .review-widget .head').filter({ hasText: label });
  return head.getByRole('button', { name, exact: true });
}

function titleButton(workbench: WorkbenchPage, name: string): Locator {
  return workbench.page.locator('.editor-actions').getByRole('button', { name, exact: true }).first();
}

async function shown(workbench: WorkbenchPage, words: string | RegExp): Promise<void> {
  await workbench.page.locator('.editor-instance .view-line').filter({ hasText: words }).first().waitFor();
}

/** Saves the file, and waits until it contains this. */
async function saved(workbench: WorkbenchPage, code: string): Promise<void> {
  await workbench.page.keyboard.press('ControlOrMeta+S');
  const file = join(workbench.workspace, 'src/tasks.ts');
  await waitUntil('the file with what was expected', async () => (await readFile(file, 'utf8')) === code);
}

/** The requests of prompts; views fetch models too. */
function chats(workbench: WorkbenchPage): readonly LogEntry[] {
  return workbench.service.log().filter(({ kind }) => kind === 'chat');
}

/** Waits until the service has answered the request at this position: earlier ones have arrived by then. */
function answered(workbench: WorkbenchPage, place: number): Promise<LogEntry> {
  return waitUntil('the request', () => {
    const entry = chats(workbench)[place];
    return entry?.outcome === 'done' ? entry : undefined;
  });
}

function lastMessage(workbench: WorkbenchPage): string {
  return messageIn(chats(workbench).at(-1)?.requestBody);
}

function messageIn(body: unknown): string {
  const { messages } = body as { messages: { content: string }[] };
  return messages.at(-1)?.content ?? '';
}
