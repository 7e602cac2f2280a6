import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ChatDriver } from './chatDriver.ts';
import { chooseFromMenu } from './contextMenu.ts';
import { MediaDriver } from './mediaDriver.ts';
import { answerDialog } from './modalDialog.ts';
import { ModelsDriver, modelsFocused } from './modelsDriver.ts';
import { QuickInput } from './quickInput.ts';
import { RequestsDriver } from './requestsDriver.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

// Commands that other test files run only by their IDs, or not at all, from the menu or the palette as a user does.
describe('Commands in the palette and the menus', () => {
  const workbench = useWorkbench({
    service: { tokensPerSecond: 400 },
    settings: { 'parlance.chat.model': 'local/echo' },
    files: () => ({
      '.github/prompts/greet.prompt.md': '---\ntarget: beside\n---\nGood morning',
      '.github/prompts/long.prompt.md': '---\ntarget: beside\nmodel: local/slow\n---\nWrite 900 tokens about trees',
    }),
  });
  const clipboard = () => workbench().page.evaluate(() => navigator.clipboard.readText());
  const copied = (what: string, words: string | RegExp) =>
    waitUntil(`${what} on the clipboard`, async () => new RegExp(words).test(await clipboard()));
  const chats = () =>
    workbench()
      .service.log()
      .filter(({ kind }) => kind === 'chat');

  it('open the settings, and a report that its button copies', async () => {
    const { page } = workbench();
    await workbench().runFromPalette('Parlance: Open Settings');
    await page.locator('.settings-editor').getByText('Base Url').first().waitFor({ timeout: 60_000 });
    await workbench().runFromPalette('Parlance: Show Diagnostics');
    await page.getByRole('tab', { name: /Parlance Diagnostics/ }).waitFor({ timeout: 60_000 });
    const notice = workbench().told('Nothing has been copied or sent.');
    await notice.press('Copy Report');
    await copied('the report', /Models in the list/);
    await workbench().runCommand('View: Close All Editors');
  });

  it('start a message, add context to it, and rename, export, and delete its conversation', async () => {
    const chat = await ChatDriver.open(workbench());
    // The rest is up to the user.
    await chat.button('Write a script').click();
    await waitUntil('the beginning of a message', async () => (await chat.box.inputValue()) === 'Write a script that ');
    await chat.box.fill('');
    await workbench().page.evaluate(() => navigator.clipboard.writeText('a word'));
    await workbench().runFromPalette('Parlance: Add Context to Chat…');
    const list = new QuickInput(workbench().page);
    await list.opened('Add Context');
    await list.pick('Clipboard');
    await chat.frame
      .locator('.composer')
      .getByRole('button', { name: /^Clipboard/ })
      .waitFor({ timeout: 60_000 });
    await chat.ask('Say this again');
    assert.match(JSON.stringify(chats().at(-1)?.requestBody), /a word.*Say this again/);
    await workbench().runFromPalette('Parlance: Rename Conversation…');
    await list.opened('Rename Conversation');
    await list.enter('Said again');
    await workbench().runFromPalette('Parlance: Export Conversation as Markdown…');
    await list.opened('Export as Markdown');
    const file = join(workbench().workspace, 'said.md');
    await list.saveAs(/\/Said again\.md$/, file);
    // It's opened once it's written.
    await workbench().page.getByRole('tab', { name: 'said.md' }).waitFor();
    assert.match(await readFile(file, 'utf8'), /^# Said again\n\n## You\n[^]*a word/);
    await workbench().runFromPalette('Parlance: Delete Conversation');
    await chat.frame.locator('.undo-bar', { hasText: 'Deleted "Said again".' }).waitFor({ timeout: 60_000 });
    await chat.questions.first().waitFor({ state: 'detached' });
    await workbench().runCommand('Notifications: Clear All Notifications');
    await workbench().runCommand('View: Close All Editors');
  });

  it('copy a request as code in each form, open its response, run it again, and export all', async () => {
    const { page } = workbench();
    const chat = await ChatDriver.open(workbench());
    await chat.ask('To be run twice');
    const requests = await RequestsDriver.open(workbench());
    const row = requests.row(/local\/echo, done/).first();
    await requests.choose(row, 'Copy as Code', 'Copy Request as TypeScript (fetch)');
    await copied('fetch', /await fetch\([^]*To be run twice/);
    await requests.choose(row, 'Copy as Code', 'Copy Request as TypeScript (openai)');
    await copied('the library for TypeScript', /new OpenAI\([^]*To be run twice/);
    await requests.choose(row, 'Copy as Code', 'Copy Request as Python (openai)');
    await copied('the library for Python', /import OpenAI[^]*To be run twice/);
    await workbench().runFromPalette('Parlance: Copy Request as Code…');
    const list = new QuickInput(page);
    await list.opened('Select Request');
    await list.choose(/^To be run twice/);
    await list.opened('Copy Request as Code');
    await list.choose('curl (bash)');
    await copied('curl', /^curl [^]*To be run twice/);
    await requests.choose(row, 'Open Response as JSON');
    await page.getByRole('tab', { name: /response\.json/ }).waitFor({ timeout: 60_000 });
    const before = chats();
    await requests.choose(row, 'Run Request Again');
    const replied = workbench().told('local/echo replied.');
    await replied.shown();
    assert.deepEqual(chats().at(-1)?.requestBody, before.at(-1)?.requestBody);
    assert.equal(chats().length, before.length + 1);
    await workbench().runCommand('View: Close All Editors');
    await replied.press('Show Request');
    await requests.requestPage(/succeeded \(200\)[^]*To be run twice/);
    await workbench().runFromPalette('Parlance: Export Requests…');
    await list.opened('Export Requests');
    await list.choose(/^JSON Lines with Content/);
    const file = join(workbench().workspace, 'requests.jsonl');
    await list.saveAs(/\.jsonl$/, file);
    await waitUntil('the file', async () => /To be run twice/.test(await readFile(file, 'utf8').catch(() => '')));
    await workbench().runCommand('View: Close All Editors');
  });

  it('run the active prompt file, and stop it', async () => {
    const before = chats().length;
    await workbench().openFile('.github/prompts/greet.prompt.md');
    await workbench().runFromPalette('Parlance: Run This Prompt File');
    await waitUntil('the request', () => chats()[before]?.outcome === 'done');
    await workbench().openFile('.github/prompts/long.prompt.md');
    await workbench().runFromPalette('Parlance: Run This Prompt File');
    await workbench()
      .told(/long.*is replying/)
      .shown();
    // Its own model, whatever the visible chat uses.
    const status = workbench()
      .page.locator('.part.statusbar')
      .getByRole('button', { name: /^Parlance: slow, / });
    await status.waitFor();
    // It's shown from the start, also while the request hasn't been sent.
    await waitUntil('the request at the service', () => chats().length > before + 1);
    await workbench().runFromPalette('Parlance: Stop Prompt');
    await workbench().service.waitForEntry(({ kind, outcome }) => kind === 'chat' && outcome === 'canceled', 60_000);
    await status.waitFor({ state: 'detached' });
  });

  it('show each view, and change the default model', async () => {
    const { page } = workbench();
    const header = (name: string) => page.locator(`.part.sidebar .pane-header[aria-label^="${name}"]`);
    for (const name of ['Media', 'Requests', 'Models']) {
      await workbench().runCommand('View: Show Explorer');
      await workbench().runFromPalette(`Parlance: Show ${name}`);
      await header(name).and(page.locator('[aria-expanded=true]')).waitFor({ timeout: 60_000 });
    }
    // A list that's open by then closes.
    await modelsFocused(workbench());
    await workbench().runFromPalette('Parlance: Select Default Model…');
    const list = new QuickInput(page);
    await list.opened('Select Model');
    await list.pick('local/fast');
    const models = await ModelsDriver.open(workbench());
    await models.openGroup('local');
    await models
      .row(/^local\/fast, chat, default/)
      .first()
      .waitFor({ timeout: 60_000 });
  });

  it('ask for what they need', async () => {
    const { page } = workbench();
    const list = new QuickInput(page);
    // Without a prompt file in front, a list asks which one a check is for.
    await workbench().runCommand('View: Close All Editors');
    await answerDialog(page, 'save the changes', "Don't Save");
    for (const [command, title] of [
      ['Set API Key…', 'API Key for'],
      ['New Prompt…', 'New Prompt'],
      ['New Check…', 'New Check'],
      ['Run Prompt…', 'Run Prompt'],
      ['Show Conversations…', 'Conversations'],
    ] as const) {
      await workbench().runFromPalette(`Parlance: ${command}`);
      await list.opened(title);
      await list.dismiss();
    }
    await workbench().runFromPalette('Parlance: Remove API Key…');
    await workbench().told('No API key is stored.').dismiss();
    await workbench().runFromPalette('Parlance: Clear Request History…');
    await answerDialog(page, 'Clear the request history?', 'Cancel');
  });

  it('open forms, the usage, and another chat', async () => {
    const { page } = workbench();
    await workbench().openFile('README.md');
    await workbench().runFromPalette('Parlance: Generate and Insert Image…');
    const form = await MediaDriver.inView(workbench(), '.media.studio');
    await form.frame.getByText('The image will be inserted into README.md.').waitFor();
    await workbench().runCommand('View: Close All Editors');
    for (const [command, tab] of [
      ['Generate Image…', 'Generate Image'],
      ['Generate Video…', 'Generate Video'],
      ['Show Usage', 'Usage'],
    ] as const) {
      await workbench().runFromPalette(`Parlance: ${command}`);
      await page.getByRole('tab', { name: tab }).waitFor({ timeout: 60_000 });
    }
    await workbench().runCommand('View: Close All Editors');
    await ChatDriver.open(workbench());
    await workbench().runFromPalette('Parlance: Open Chat in Editor');
    await waitUntil('two chats', async () => (await workbench().chatFrames()).length === 2);
    await workbench().runCommand('View: Close All Editors');
  });

  it('send the selection, or attach it to a question', async () => {
    const { page } = workbench();
    await workbench().driver.select('src/tasks.ts', 7, 12);
    const before = chats().length;
    const line = page.locator('.view-line', { hasText: 'removeDone' }).first();
    await chooseFromMenu(page, line, 'Parlance', 'Run Selection as Prompt');
    await waitUntil('the request', () => chats()[before]?.outcome === 'done');
    await workbench().driver.select('src/tasks.ts', 7, 12);
    await workbench().runFromPalette('Parlance: Ask About Selection…');
    const chat = await ChatDriver.inView(workbench());
    await chat.frame.getByRole('button', { name: 'Remove tasks.ts' }).waitFor({ timeout: 60_000 });
  });
});
