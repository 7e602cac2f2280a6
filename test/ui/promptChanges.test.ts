import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ChatDriver } from './chatDriver.ts';
import { chooseFromMenu } from './contextMenu.ts';
import { answerDialog } from './modalDialog.ts';
import { QuickInput } from './quickInput.ts';
import { RequestsDriver } from './requestsDriver.ts';
import { treeRow } from './row.ts';
import { tryUntil } from './tryUntil.ts';
import { waitUntil } from './waitUntil.ts';
import {
  answered,
  changeButton,
  chats,
  functionOf,
  lastMessage,
  marked,
  messageIn,
  proposal,
  runPrompt,
  saveChanged,
  saved,
  select,
  selectFunction,
  shown,
  titleButton,
  usePrompts,
} from './promptsDriver.ts';

describe('Code that a prompt changes', () => {
  const { workbench, code } = usePrompts();

  it('is fixed and kept with three keys, from the selection to the saved file', async () => {
    const { page } = workbench();
    // Quick fixes exist once Parlance has been used in the window.
    const chat = await ChatDriver.open(workbench());
    // VS Code closes the list below if the chat only takes the focus then.
    await chat.focused();
    // An echo of the question leaves the code as it is.
    await workbench().changeSettings({ 'parlance.chat.model': 'local/fast' });
    const before = chats(workbench()).length;
    await selectFunction(workbench());
    const list = page.locator('.action-widget');
    await tryUntil('the quick fixes', async (limitMs) => {
      // In an open list, the key selects what would be fixed.
      if (!(await list.isVisible())) await page.keyboard.press('ControlOrMeta+.');
      await list.getByText('Fix with Parlance').waitFor({ timeout: limitMs });
      return true;
    });
    await page.keyboard.press('Enter');
    const { requestBody } = await answered(workbench(), before);
    assert.match(messageIn(requestBody), /Fix/);
    await titleButton(workbench(), 'Keep All').waitFor({ timeout: 60_000 });
    // The key works once the diff has the focus.
    await page.locator('.monaco-diff-editor .editor.modified .monaco-editor.focused').waitFor({ timeout: 60_000 });
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    await saveChanged(workbench(), code());
  });

  it('is fixed and kept with three clicks: in the context menu, on Fix Code, and on Keep All', async () => {
    const { page } = workbench();
    await workbench().changeSettings({ 'parlance.chat.model': 'local/fast' });
    const before = chats(workbench()).length;
    await selectFunction(workbench());
    // Pointing at the submenu opens it.
    await chooseFromMenu(page, page.locator('.view-line', { hasText: 'removeDone' }).first(), 'Parlance', 'Fix Code');
    const { requestBody } = await answered(workbench(), before);
    assert.ok(messageIn(requestBody).includes(functionOf(code())));
    const keepAll = titleButton(workbench(), 'Keep All');
    await keepAll.waitFor({ timeout: 60_000 });
    await keepAll.click();
    await page.locator('.monaco-diff-editor').waitFor({ state: 'detached' });
    await saveChanged(workbench(), code());
  });

  it('shows a replacement as a diff, applies it with one button, and undoes it in one step', async () => {
    await selectFunction(workbench());
    await runPrompt(workbench(), 'tidy');
    const diff = await proposal(workbench(), 'const open');
    await marked(workbench(), ['Change 1 of 1']);
    assert.equal(await readFile(join(workbench().workspace, 'src/tasks.ts'), 'utf8'), code());
    await titleButton(workbench(), 'Keep All').click();
    await diff.waitFor({ state: 'detached' });
    await shown(workbench(), 'const open');
    await workbench().page.keyboard.press('ControlOrMeta+Z');
    await shown(workbench(), 'tasks.splice');
    await saved(workbench(), code());
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
    await saved(workbench(), code().replace('return tasks;', 'return [...tasks];'));
    await page.keyboard.press('ControlOrMeta+Z');
    await shown(workbench(), 'return tasks;');
    await saved(workbench(), code());
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
    await saved(workbench(), code().replace('return tasks;', 'return [...tasks];'));
    await page.keyboard.press('ControlOrMeta+Z');
    await saved(workbench(), code());
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
    await saved(workbench(), code());
  });

  it('is no longer written after Stop in its own diff, or on the page of its request, while others continue', async () => {
    const { page, service } = workbench();
    const sent = () =>
      service.log().flatMap(({ kind, requestBody, outcome }) => {
        const words = kind === 'chat' && requestBody !== undefined ? messageIn(requestBody) : '';
        return words.startsWith('Write 4000') ? [`${words.split(' ').at(-1)} ${outcome}`] : [];
      });
    const start = async (file: string, count: number) => {
      await workbench().driver.select(file, 1, 2);
      await runPrompt(workbench(), 'rewrite');
      await waitUntil(`the request about ${file}`, () => sent().length === count);
    };
    await start('src/tasks.ts', 1);
    await start('src/main.py', 2);
    await page.getByRole('tab', { name: /^tasks\.ts: rewrite/ }).click();
    await titleButton(workbench(), 'Stop Prompt').click();
    await waitUntil('the end of one', () => sent().some((each) => !each.endsWith('running')));
    assert.deepEqual(sent(), ['tasks.ts canceled', 'main.py running']);

    await start('src/tasks.ts', 3);
    const requests = await RequestsDriver.open(workbench());
    const older = requests.row(/^rewrite, local\/slow, running/).nth(1);
    const shownRequest = await requests.openPage(older, 'about main.py');
    await shownRequest.getByRole('button', { name: 'Stop' }).click();
    await waitUntil('the end of another', () => sent().filter((each) => each.endsWith('running')).length < 2);
    assert.deepEqual(sent(), ['tasks.ts canceled', 'main.py canceled', 'tasks.ts running']);
  });

  it('says where the reply is if a reload removed a proposed change', async () => {
    const { page } = workbench();
    await selectFunction(workbench());
    await runPrompt(workbench(), 'tidy');
    await proposal(workbench(), 'const open');
    await workbench().reload();
    // Parlance starts when it's first used.
    await ChatDriver.open(workbench());
    const notice = workbench().told('A proposed change was closed with its window');
    await notice.shown();
    await notice.press('Show Requests');
    await treeRow(page.locator('.part.sidebar'), /local\/echo, done/)
      .first()
      .waitFor();
    await saved(workbench(), code());
  });

  // After the tests that run it without a confirmation: the palette lists the last command first.
  it('puts the reply where the user says: below the selection, in a document to the side, or in the chat', async () => {
    const { page } = workbench();
    const input = new QuickInput(page);
    const run = async (place: RegExp): Promise<void> => {
      await selectFunction(workbench());
      await workbench().runCommand('Parlance: Run Selection as Prompt (Select Location)');
      await input.choose(place);
    };
    const heads = page.locator('.editor-instance .view-line').filter({ hasText: 'export function removeDone' });
    await run(/At the cursor/);
    await waitUntil('the reply below', async () => (await heads.count()) === 2);
    await page.keyboard.press('ControlOrMeta+Z');
    await waitUntil('nothing but the code', async () => (await heads.count()) === 1);
    await saved(workbench(), code());
    // A code file gets only the code, and a message says where the rest is.
    await selectFunction(workbench());
    await runPrompt(workbench(), 'explained');
    const inFile = page.locator('.editor-instance .view-line').filter({ hasText: 'doneGoes();' });
    await waitUntil('the code of the reply', async () => (await inFile.count()) === 1);
    await page.keyboard.press('ControlOrMeta+Z');
    await saved(workbench(), code());
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
    assert.equal(lastMessage(workbench()), functionOf(code()));
  });

  it('asks before it sends several requests', async () => {
    const { page } = workbench();
    await select(workbench(), 2, 2);
    await workbench().runCommand('Add Cursor Below');
    await page.locator('.statusbar-item', { hasText: '2 selections' }).waitFor();
    const before = chats(workbench()).length;
    await workbench().runCommand('Parlance: Run Selection as Prompt (Select Location)');
    await new QuickInput(page).choose(/In place of the selection/);
    await answerDialog(page, /Send 2 requests/, 'Cancel');
    await workbench().runCommand('Parlance: Run Selection as Prompt (Select Location)');
    await new QuickInput(page).choose(/At the cursor/);
    await answerDialog(page, /Send 2 requests/, 'Send');
    const lines = code().split('\n');
    const both = lines.flatMap((line, index) => (index === 1 || index === 2 ? [line, line] : [line])).join('\n');
    // Not saved before: that would end the undo step.
    const last = page.locator('.editor-instance .view-line').filter({ hasText: lines[2]?.trim() ?? '' });
    await waitUntil('both replies', async () => (await last.count()) === 2);
    // The two requests of the run that was confirmed, and none of the canceled one.
    assert.equal(chats(workbench()).length, before + 2);
    await saved(workbench(), both);
    await page.keyboard.press('ControlOrMeta+Z');
    await saved(workbench(), code());
  });
});
