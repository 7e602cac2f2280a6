import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { LogEntry } from '../service/inferenceLog.ts';
import { ChatDriver } from './chatDriver.ts';
import { clickUntil } from './clickUntil.ts';
import { chooseFromMenu, chooseFromTitle } from './contextMenu.ts';
import { answerDialog } from './modalDialog.ts';
import { ModelsDriver } from './modelsDriver.ts';
import { QuickInput } from './quickInput.ts';
import { RequestsDriver } from './requestsDriver.ts';
import { unusedPort } from '../workbench/unusedPort.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

const builtIn = [
  ['Explain', /^Explain this code from tasks\.ts/],
  ['Fix', /^Fix this code from tasks\.ts/],
  ['Simplify', /^Improve this code from tasks\.ts/],
  ['Generate Tests', /^Write tests for this code from tasks\.ts/],
  ['Generate Docs', /^Add documentation comments to this code from tasks\.ts/],
  ['Translate Text…', /^Translate this from tasks\.ts to German\./],
  ['Review', /^Review this code from tasks\.ts/],
] as const;

const repliesWithCode: ReadonlySet<string> = new Set(['Fix', 'Simplify', 'Generate Docs']);

// Buttons and rows that other files don't cover, each pressed once to see what it does.
describe('Every button and every list row', () => {
  const workbench = useWorkbench({
    service: { tokensPerSecond: 4000 },
    settings: { 'parlance.chat.model': 'local/error-402' },
    files: () => ({
      '.github/prompts/cut.prompt.md': '---\ntarget: replace\nmodel: local/fault-error-later\n---\nGo on',
    }),
  });
  const chats = (): readonly LogEntry[] =>
    workbench()
      .service.log()
      .filter(({ kind }) => kind === 'chat');
  const answered = (place: number): Promise<LogEntry> =>
    waitUntil('the answer', () => (chats()[place]?.outcome === 'running' ? undefined : chats()[place]));
  /**
   * Resolves when a diff shows the reply, or when it has been closed because the reply is the same code: that depends on
   * whether the code around it was found in time, which is sent back here, too.
   */
  const proposed = async (): Promise<void> => {
    const diff = workbench().page.locator('.editor-actions').getByRole('button', { name: 'Keep All', exact: true });
    const same = workbench().told('The model suggested no changes.');
    await waitUntil('the change', async () => (await diff.first().isVisible()) || (await same.isShown()));
    if (await same.isShown()) await same.dismiss();
  };
  const list = (): QuickInput => new QuickInput(workbench().page);
  /** Before they're closed: VS Code asks again about one that gets its text while it asks. */
  const unsaved = (count: number) =>
    waitUntil(`${count} unsaved replies`, async () => (await workbench().page.locator('.tab.dirty').count()) === count);
  const output = () => workbench().page.locator('.part.panel .view-line');

  it('for a failing connection leads to the next step', async () => {
    const { page } = workbench();
    const press = (name: string) => workbench().told('Out of credits').press(name);
    await workbench().runCommand('Parlance: Test Connection');
    await answered(0);
    await press('Test Again');
    await answered(1);
    await press('Show Log');
    await output().filter({ hasText: '402' }).first().waitFor({ timeout: 60_000 });
    await workbench().runCommand('View: Close Panel');
    await output().first().waitFor({ state: 'hidden' });
    await workbench().runFromPalette('Parlance: Show Log');
    await output().filter({ hasText: '402' }).first().waitFor({ timeout: 60_000 });
    await workbench().runCommand('View: Close Panel');

    // A conversation that nobody sees isn't meant.
    await ChatDriver.open(workbench());
    await workbench().runCommand('View: Hide Secondary Side Bar');
    await workbench().runCommand('Parlance: Test Connection');
    await answered(2);
    await press('Select Another Model…');
    await list().opened('Select Model');
    await list().pick('local/echo');
    await workbench().told('The connection works').dismiss();
    const settings = await readFile(workbench().server.settingsFile, 'utf8');
    assert.match(settings, /"parlance\.chat\.model": "local\/echo"/);
    const chat = await ChatDriver.open(workbench());
    await chat.button('Model: local/echo').waitFor();

    await workbench().changeSettings({
      'http.proxy': `http://127.0.0.1:${await unusedPort()}`,
      'parlance.services': [{ baseUrl: 'http://service.example/v1' }],
    });
    await workbench().runCommand('Parlance: Test Connection');
    await workbench().told("The API key isn't approved here").press('Use No Key');
    await workbench().told("The proxy couldn't connect").press('Open Proxy Settings');
    await page.locator('.settings-editor').getByText('Http: Proxy', { exact: true }).first().waitFor();
    await workbench().changeSettings({
      'http.proxy': '',
      'parlance.services': [{ baseUrl: workbench().service.baseUrl }],
    });
    await workbench().runCommand('View: Close All Editors');
  });

  it('on a card about the connection leads to the next step', async () => {
    const { page, server, service } = workbench();
    const settingsPage = page.locator('.settings-editor');
    let requests = 0;
    let isMoved = false;
    const other = createServer(({ url, headers }, response) => {
      requests += 1;
      if (isMoved) response.writeHead(308, { location: `https://${headers.host}${url}` }).end();
      else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"Nothing here"}}');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    // The key is only for the numeric address.
    const host = `localhost:${(other.address() as AddressInfo).port}`;
    /** An empty chat that knows where its first message would be sent. */
    const chatAt = async (shownHost: string) => {
      const chat = await ChatDriver.open(workbench());
      await chat.startAnew();
      await chat.frame.locator('.connection', { hasText: shownHost }).waitFor();
      return chat;
    };

    await workbench().changeSettings({ 'parlance.services': [{ baseUrl: `http://${host}/v1` }] });
    const chat = await chatAt(host);
    await chat.send('Is anybody there?');
    await chat.refusal.getByRole('button', { name: 'Use No Key' }).click();
    await chat.frame.locator('.connection.ready').waitFor();
    await chat.box.press('Enter');
    await chat.ended(0);
    const before = requests;
    await chat.card.getByRole('button', { name: 'Test Connection' }).click();
    await waitUntil('the test', () => requests > before);
    isMoved = true;
    await chat.card.getByRole('button', { name: 'Retry' }).click();
    await chat.card.getByRole('button', { name: 'Use https://' }).click();
    await waitUntil('the encrypted base URL', async () =>
      (await readFile(server.settingsFile, 'utf8')).includes(`https://${host}/v1`),
    );
    other.close();

    await workbench().changeSettings({
      'http.proxy': `http://127.0.0.1:${await unusedPort()}`,
      'parlance.services': [{ baseUrl: 'http://service.example/v1' }],
    });
    const behindProxy = await chatAt('service.example');
    await behindProxy.ask('And there?');
    await behindProxy.card.getByRole('button', { name: 'Open Proxy Settings' }).click();
    await settingsPage.getByText('Http: Proxy', { exact: true }).first().waitFor();
    await workbench().runCommand('View: Close All Editors');

    await workbench().changeSettings({ 'http.proxy': '', 'parlance.services': undefined });
    const unconnected = await chatAt('No service connected');
    await unconnected.send('Or anywhere?');
    await unconnected.refusal.getByRole('button', { name: 'Open Settings' }).click();
    await settingsPage.first().waitFor();
    await workbench().runCommand('View: Close All Editors');
    await unconnected.refusal.getByRole('button', { name: 'Find Local Services' }).click();
    // There might be one.
    await workbench()
      .told(/No service on this computer returned a model list|Added from this computer|requires an API key/)
      .shown();

    await workbench().changeSettings({ 'parlance.services': [{ baseUrl: service.baseUrl }] });
    const reconnected = await chatAt(new URL(service.baseUrl).host);
    await reconnected.box.fill('');
    await workbench().runCommand('Notifications: Clear All Notifications');
  });

  it('for a working connection shows what the service supports', async () => {
    await workbench().changeSettings({ 'parlance.chat.model': 'local/echo' });
    await workbench().runCommand('Parlance: Test Connection');
    const works = workbench().told('The connection works');
    await works.press('Show What It Supports');
    const said = await waitUntil('the page about the service', async () => {
      for (const frame of workbench().page.frames()) {
        // The page is rewritten when its content changes, so its frame can disappear while it's read.
        const [text] = await frame
          .locator('#parlance-service')
          .allInnerTexts()
          .catch(() => []);
        if (text !== undefined && /Image generation\s+Native API/.test(text)) return text;
      }
      return undefined;
    });
    assert.match(said, /Chat\s+OpenAI-compatible API/);
    await workbench().runCommand('View: Close All Editors');
    await workbench().runCommand('Notifications: Clear All Notifications');
  });

  it('for a page of the service opens its URL, once VS Code has asked', async () => {
    const { page } = workbench();
    await workbench().changeSettings({
      'parlance.services': [
        {
          baseUrl: workbench().service.baseUrl,
          keysPage: 'https://service.example/keys',
          creditsPage: 'https://service.example/credits',
          inferenceLogPage: 'https://service.example/log',
        },
      ],
    });
    const asked = () => answerDialog(page, 'open the external website', 'Cancel');
    await workbench().runFromPalette('Parlance: Open Keys Page');
    assert.match(await asked(), /service\.example\/keys/);
    await workbench().runFromPalette('Parlance: Open Credits Page');
    assert.match(await asked(), /service\.example\/credits/);
    const requests = await RequestsDriver.open(workbench());
    await requests.pressTitleButton('Open Inference Log');
    assert.match(await asked(), /service\.example\/log/);
  });

  it('on a card about a message that is too long leads to the parameters, and to a new chat', async () => {
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    await chat.chooseModel('local/error-413');
    await chat.ask('Too much');
    await chat.card.getByRole('button', { name: 'Change Parameters…' }).click();
    await chat.frame.getByLabel('System prompt').waitFor();
    await chat.button('Close').click();
    await chat.card.getByRole('button', { name: 'New Chat' }).click();
    await chat.replies.first().waitFor({ state: 'detached' });
  });

  for (const [how, run] of [
    [
      'of the list of prompts runs that prompt',
      async (name: string) => {
        await workbench().runCommand('Parlance: Run Prompt…');
        await list().opened('Run Prompt');
        // Once the list is complete. While it's being filled, the click might run the prompt in the next row, and making
        // it again wouldn't undo that.
        await list().row('New Prompt…').waitFor();
        await list().choose(new RegExp(`^${name}`));
      },
    ],
    [
      'of the list of prompts has a command, which runs that prompt',
      (name: string) => workbench().runFromPalette(`Parlance: ${name}`),
    ],
  ] as const) {
    it(how, async function () {
      await workbench().driver.select('src/tasks.ts', 7, 12);
      for (const [name, words] of builtIn) {
        const before = chats().length;
        await run(name);
        if (name.startsWith('Translate')) {
          await list().opened('Translate Text');
          await list().pick('German');
        }
        assert.match(messageIn(await answered(before)), words);
        if (repliesWithCode.has(name)) await proposed();
        await workbench().driver.select('src/tasks.ts', 7, 12);
      }
      await workbench().runCommand('Notifications: Clear All Notifications');
      await unsaved(2);
      await workbench().runCommand('View: Close All Editors');
      // The two replies that have their own documents.
      await answerDialog(workbench().page, 'save the changes', "Don't Save");
    });
  }

  it('of the languages of people is sent with the text to translate', async () => {
    for (const language of ['English', 'French', 'Spanish', 'Portuguese', 'Chinese', 'Japanese']) {
      await workbench().driver.select('src/tasks.ts', 7, 12);
      const before = chats().length;
      await workbench().runCommand('Parlance: Translate Text…');
      await list().opened('Translate Text');
      await list().pick(language);
      assert.match(messageIn(await answered(before)), new RegExp(`^Translate this from tasks\\.ts to ${language}\\.`));
    }
    await workbench().runCommand('Notifications: Clear All Notifications');
    await unsaved(6);
    await workbench().runCommand('View: Close All Editors');
    await answerDialog(workbench().page, 'save the changes', "Don't Save");
  });

  it('after a / in the message box runs that prompt on the selection', async () => {
    await workbench().driver.select('src/tasks.ts', 7, 12);
    const before = chats().length;
    const chat = await ChatDriver.open(workbench());
    await chat.box.pressSequentially('/expl');
    await chat.frame
      .getByRole('option', { name: /Explain/ })
      .first()
      .waitFor();
    await chat.box.press('Tab');
    assert.match(messageIn(await answered(before)), /^Explain this code from tasks\.ts/);
    assert.equal(await chat.box.inputValue(), '');
    await workbench().runCommand('View: Close All Editors');
  });

  it("of a prompt shows where its reply appears, what it's about, and what to do if it broke off", async () => {
    const { page } = workbench();
    const code = await readFile(`${workbench().workspace}/src/tasks.ts`, 'utf8');
    const before = chats().length;
    await workbench().driver.select('src/tasks.ts', 8);
    await workbench().runFromPalette('Parlance: Run Selection as Prompt (Select Location)');
    await list().choose(/New chat/);
    await list().opened('Select What to Send');
    await list().choose(/Paragraph/);
    assert.equal(messageIn(await answered(before)).trimEnd(), code.slice(code.indexOf('/** Removes')).trimEnd());

    await workbench().driver.select('src/tasks.ts', 7, 12);
    const run = async () => {
      await workbench().runCommand('Parlance: Run Prompt…');
      await list().opened('Run Prompt');
      await list().choose(/^cut/);
    };
    await run();
    await workbench().told('The text so far was kept.').press('Run Again');
    await answered(before + 2);
    await workbench().told('The text so far was kept.').press('Open Reply');
    await page.locator('.editor-instance .view-line', { hasText: 'The answer begins here' }).first().waitFor();
    await workbench().closeEditor('The answer begins here');
    await workbench().runCommand('View: Close All Editors');

    await workbench().runCommand('Parlance: Run Prompt…');
    await list().opened('Run Prompt');
    await list().choose(/New Prompt/);
    await list().choose(/For yourself/);
    await list().enter('mine');
    await page.getByRole('tab', { name: 'mine.prompt.md' }).waitFor();
    await workbench().runCommand('View: Close All Editors');
  });

  it('of the context list adds what it names', async () => {
    await workbench().openFile('README.md');
    const chat = await ChatDriver.open(workbench());
    const chip = (name: RegExp) => chat.frame.locator('.composer').getByRole('button', { name });
    const add = async (row: string) => {
      await chat.button(/^Add Context/).click();
      await list().opened('Add Context');
      await list().choose(row);
    };
    await add('Symbol…');
    await list().opened('Add a Symbol from README.md');
    await list().choose(/Tasks/);
    await chip(/Tasks/).first().waitFor({ timeout: 60_000 });
    await add('Select Another File…');
    await list().opened('Add a File');
    await list().pick('main.py');
    await chip(/^main\.py ?,/).waitFor({ timeout: 60_000 });
    await chat.startAnew();
  });

  it('of a model marks and unmarks it, copies its ID, shows it, and makes it the default', async () => {
    const { page, server } = workbench();
    const models = await ModelsDriver.open(workbench());
    await models.openGroup('local');
    const fast = models.row(/^local\/fast,/).first();
    await chooseFromMenu(page, fast, 'Copy Model ID');
    await waitUntil(
      'the id on the clipboard',
      async () => (await page.evaluate(() => navigator.clipboard.readText())) === 'local/fast',
    );
    await chooseFromMenu(page, fast, 'Show Model Details');
    await page.getByRole('tab', { name: basename('local/fast') }).waitFor({ timeout: 60_000 });
    await models.pressIcon(/^local\/fast,/, 'Add to Favorites');
    await models.row('Favorites, 1 model').waitFor();
    await models.pressIcon(/^local\/fast,/, 'Remove from Favorites');
    await models.row('Favorites, 1 model').waitFor({ state: 'detached' });
    await chooseFromMenu(page, fast, 'Hide Model');
    await fast.waitFor({ state: 'detached' });
    await chooseFromTitle(page, 'Models', 'Show Hidden Models');
    const hidden = models.row(/^local\/fast, chat, hidden/);
    await chooseFromMenu(page, hidden, 'Unhide Model');
    await hidden.first().waitFor({ state: 'detached' });
    await fast.waitFor();
    await chooseFromTitle(page, 'Models', 'Show Visible Models Only');
    await chooseFromMenu(page, fast, 'Set as Default');
    await waitUntil('the default in the settings', async () =>
      /"parlance\.chat\.model": "local\/fast"/.test(await readFile(server.settingsFile, 'utf8')),
    );
  });

  it('of several selected models marks and copies all of them, and leaves out what is about one', async () => {
    const { page } = workbench();
    const models = await ModelsDriver.open(workbench());
    await models.openGroup('local');
    const echo = models.row(/^local\/echo,/).first();
    const selectBoth = () => models.select('local/slow', 'local/echo');
    await selectBoth();
    await chooseFromMenu(page, echo, 'Copy Model ID');
    await waitUntil('both IDs on the clipboard', async () => {
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      return copied.split('\n').toSorted().join() === 'local/echo,local/slow';
    });
    await chooseFromMenu(page, echo, 'Add to Favorites');
    await models.row('Favorites, 2 models').waitFor();
    await selectBoth();
    await chooseFromMenu(page, echo, 'Remove from Favorites');
    await models.row(/^Favorites, /).waitFor({ state: 'detached' });
    await selectBoth();
    await chooseFromMenu(page, echo, 'Hide Model');
    for (const id of ['echo', 'slow']) await models.row(`local/${id},`).first().waitFor({ state: 'detached' });
    await workbench().runCommand('Parlance: Show Hidden Models');
    await selectBoth();
    const entry = (name: string) => page.locator('.monaco-menu').getByRole('menuitem', { name, exact: true });
    await clickUntil(
      'the menu of two models',
      (tryClick) => tryClick(echo, { button: 'right' }),
      () => entry('Unhide Model').isVisible(),
    );
    for (const name of ['Show Model Details', 'Set as Default']) assert.equal(await entry(name).count(), 0, name);
    await page.keyboard.press('Escape');
    await chooseFromMenu(page, echo, 'Unhide Model');
    await models
      .row(/, hidden/)
      .first()
      .waitFor({ state: 'detached' });
    await workbench().runCommand('Parlance: Show Visible Models Only');
  });

  it('of the model sort order sorts by it, and the groups can be restored', async () => {
    const { page } = workbench();
    const models = await ModelsDriver.open(workbench());
    await chooseFromTitle(page, 'Models', 'Show Models as One List');
    await models.row(/^All Models, /).waitFor();
    for (const [row, words] of [
      ['Price', 'Sorted by price.'],
      ['Context Window', 'Sorted by context window.'],
      ['Time to First Token', 'Sorted by time to first token.'],
      ['Name', ''],
    ] as const) {
      await workbench().runCommand('Parlance: Sort Models');
      await list().opened('Sort Models');
      await list().choose(new RegExp(`^${row}`));
      if (words === '') await models.message.waitFor({ state: 'hidden' });
      else await models.message.getByText(words).waitFor();
    }
    await models.pressTitleButton('Filter Models');
    await list().opened('Filter Models');
    await list().dismiss();
    for (const row of ['Chat', 'Chat with images', 'Images', 'Audio']) {
      const input = await models.filter('');
      const box = input.widget.getByRole('checkbox', { name: row, exact: true }).first();
      await box.click();
      await input.box.press('Enter');
      await models.message.getByText(`Filter: ${row.toLowerCase()}.`).waitFor();
      await workbench().runCommand('Parlance: Clear Model Filter');
      await models.message.waitFor({ state: 'hidden' });
    }
    await chooseFromTitle(page, 'Models', 'Group Models by Provider');
    await models.row(/^local, /).waitFor();
  });

  it('of a long conversation loads its beginning while scrolling up', async () => {
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    await chat.chooseModel('local/echo');
    for (let number = 0; number < 16; number += 1) await chat.ask(`Number ${number}.`);
    await chat.startAnew();
    await workbench().runCommand('Parlance: Show Conversations');
    await list().opened('Conversations');
    await list().choose(/^Number 0\./);
    const shown = await ChatDriver.inView(workbench());
    await shown.questions.getByText('Number 15.', { exact: true }).waitFor();
    assert.equal(await shown.questions.getByText('Number 0.', { exact: true }).count(), 0);
    await shown.frame.getByRole('log').hover();
    await waitUntil('the beginning', async () => {
      await workbench().page.mouse.wheel(0, -4000);
      return (await shown.questions.getByText('Number 0.', { exact: true }).count()) > 0;
    });
  });
});

function messageIn({ requestBody }: LogEntry): string {
  const { messages } = requestBody as { messages: { content: string }[] };
  return messages.at(-1)?.content ?? '';
}
