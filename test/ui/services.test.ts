import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { ChatDriver } from './chatDriver.ts';
import { chooseFromMenu, chooseFromTitle } from './contextMenu.ts';
import { answerDialog } from './modalDialog.ts';
import { MediaDriver } from './mediaDriver.ts';
import { ModelsDriver } from './modelsDriver.ts';
import { QuickInput } from './quickInput.ts';
import { RequestsDriver } from './requestsDriver.ts';
import { expandRow } from './row.ts';
import { unusedPort } from '../workbench/unusedPort.ts';
import { useWorkbench } from './useWorkbench.ts';
import { waitUntil } from './waitUntil.ts';

/** The ports that Find Local Services asks. */
const usualPorts = [4000, 8000, 8080, 1234, 11_434];

// From one service to two, and back: each step builds on the one before.
describe('Several services', () => {
  const workbench = useWorkbench({
    service: { tokensPerSecond: 400 },
    serviceFields: { name: 'First' },
    settings: { 'parlance.chat.model': 'local/echo' },
  });
  let second: InferenceService;
  let silent: Awaited<ReturnType<typeof silentServer>> | undefined;
  let added: string;
  let list: QuickInput;

  before('start another service', async () => {
    second = await startInferenceService({ tokensPerSecond: 400, apiKey: 'sk-of-the-second' });
    list = new QuickInput(workbench().page);
  });
  after(() => second?.close());
  after(() => silent?.close());

  const settings = (): Promise<string> =>
    readFile(join(workbench().server.dataFolder, 'data', 'User', 'settings.json'), 'utf8');
  const services = async (): Promise<readonly Record<string, unknown>[]> =>
    JSON.parse(await settings())['parlance.services'];
  const pageAbout = (baseUrl: string): Promise<Frame> =>
    waitUntil('the page about a service', async () => {
      for (const frame of workbench().page.frames()) {
        const about = frame.locator('#parlance-service', { hasText: baseUrl });
        if (await about.isVisible().catch(() => false)) return frame;
      }
      return undefined;
    });
  /** It's in its own bundle, which shares no state with the others. */
  const inStatusBar = (words: string) =>
    workbench().page.locator('.statusbar-item', { hasText: words }).waitFor({ timeout: 60_000 });
  const chatsOf = ({ log }: Pick<InferenceService, 'log'>) => log().filter(({ kind }) => kind === 'chat');

  it('begin with Add Service in the palette, which asks for a base URL and a key, and lists the models', async () => {
    const chat = await ChatDriver.open(workbench());
    await chat.ask('To the only one');
    await chat.box.fill('Not sent yet');
    await workbench().runFromPalette('Parlance: Add Service…');
    await list.opened('Add Service');
    await list.enter(second.baseUrl);
    await list.opened('API Key');
    await list.enter(second.apiKey);
    await list.closed();
    await second.waitForEntry(({ kind, outcome }) => kind === 'models' && outcome === 'done', 60_000);
    const entries = await waitUntil('the second service', async () => {
      const all = await services();
      return all.length === 2 ? all : undefined;
    });
    assert.equal(entries[1]?.['baseUrl'], second.baseUrl);
    assert.ok(!(await settings()).includes(second.apiKey));
    added = String(entries[1]?.['name']);
    const models = await ModelsDriver.open(workbench());
    await models.row(/^First, \d+ models/).waitFor({ timeout: 60_000 });
    await models.row(new RegExp(`^${RegExp.escape(added)}, \\d+ models`)).waitFor({ timeout: 60_000 });
  });

  it('are named in a chat that was open before, which keeps what was typed', async () => {
    const chat = await ChatDriver.open(workbench());
    await chat.lastReply.getByText('local/echo (First)').first().waitFor({ timeout: 60_000 });
    assert.equal(await chat.box.inputValue(), 'Not sent yet');
    await inStatusBar('echo (First)');
    await chat.frame.locator('.model-button', { hasText: 'local/echo (First)' }).waitFor();
  });

  it('are renamed from the menu of their row', async () => {
    const models = await ModelsDriver.open(workbench());
    const row = models.row(new RegExp(`^${RegExp.escape(added)}, `)).first();
    await chooseFromMenu(workbench().page, row, 'Rename Service…');
    await list.opened(`Rename ${added}`);
    await list.enter('first');
    await list.says('Another service has this name.');
    await list.enter('Second');
    await list.closed();
    await models.row(/^Second, \d+ models/).waitFor({ timeout: 60_000 });
    assert.deepEqual(
      (await services()).map(({ name }) => name),
      ['First', 'Second'],
    );
  });

  it("are all refreshed in the view's title, which asks where to switch to, whatever row has the focus", async () => {
    const { page, service } = workbench();
    const models = await ModelsDriver.open(workbench());
    const row = models.row(/^Second, \d+ models$/);
    const lists = () => [service, second].map((each) => each.log().filter(({ kind }) => kind === 'models').length);
    const [first = 0, other = 0] = lists();
    // A click that collapses it focuses it, too.
    await expandRow(row, false);
    await models.pressTitleButton('Refresh Models');
    await waitUntil('both lists', () => lists().every((count, place) => count > ([first, other][place] ?? 0)));
    // One that is still being read would be shared.
    await waitUntil('both answers', () =>
      [service, second].every((each) =>
        each.log().every(({ kind, outcome }) => kind !== 'models' || outcome !== 'running'),
      ),
    );
    await workbench().settle();
    // VS Code passes no row to a menu's command if the tree was redrawn in the meantime.
    const again = lists();
    await workbench().driver.runToEnd('parlance.refreshServiceModels');
    assert.ok(
      lists().every((count, place) => count > (again[place] ?? 0)),
      String(lists()),
    );
    await chooseFromTitle(page, 'Models', 'Switch Service…');
    await list.opened('Switch Service');
    await list.dismiss();
    await expandRow(row, true);
  });

  it('are switched, and the next chat goes to the other one with its own key', async () => {
    await workbench().runFromPalette('Parlance: Switch Service…');
    await list.opened('Switch Service');
    await list.choose(/Second/);
    await workbench().told('New conversations use local/echo (Second).').press('Use in Current Chat');
    const before = chatsOf(workbench().service).length;
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    await chat.ask('To the second one');
    await inStatusBar('echo (Second)');
    assert.match(JSON.stringify(chatsOf(second).at(-1)?.requestBody), /To the second one/);
    assert.equal(chatsOf(second).at(-1)?.outcome, 'done');
    assert.equal(chatsOf(workbench().service).length, before);
  });

  it('have a page about each', async () => {
    await workbench().runFromPalette('Parlance: Show Service');
    await list.opened('Show Service');
    await list.choose(/Second/);
    await pageAbout(second.baseUrl);
    await workbench().page.locator('.part.editor').getByRole('button', { name: 'Test Connection' }).click();
    await workbench()
      .told(/^The connection works: .* local\/echo \(Second\) replied at /)
      .shown();
    await workbench().runCommand('View: Close All Editors');
    const models = await ModelsDriver.open(workbench());
    await chooseFromMenu(workbench().page, models.row(/^First, \d+ models/), 'Show Service');
    await pageAbout(workbench().service.baseUrl);
    await workbench().runCommand('View: Close All Editors');
  });

  it('keep the details that a user sets for a model that their list leaves out', async () => {
    const models = await ModelsDriver.open(workbench());
    const row = models.row(/echo/).last();
    await chooseFromMenu(workbench().page, row, 'Set Model Details…');
    await list.opened('Details of');
    await list.choose(/Context window/);
    await list.enter('0');
    await list.says('Enter a whole number above 0.');
    await list.enter('32768');
    await waitUntil('the context window in the settings', async () => (await settings()).includes('32768'));
    await list.opened('Details of');
    await list.dismiss();
  });

  it('filter the requests', async () => {
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    const requests = await RequestsDriver.open(workbench());
    await requests
      .row(/To the second one/)
      .first()
      .waitFor({ timeout: 60_000 });
    await requests.pressTitleButton('Filter Requests by Service…');
    await list.opened('Filter Requests by Service');
    await list.choose(/First/);
    for (const [name, next] of [
      ['First', 'Main'],
      ['Main', 'First'],
    ] as const) {
      await requests.view.getByText(`Filter: ${name}.`).waitFor({ timeout: 60_000 });
      await workbench().runFromPalette('Parlance: Rename Service…');
      await list.opened('Rename Service');
      await list.choose(new RegExp(name));
      await list.opened(`Rename ${name}`);
      await list.enter(next);
      await list.closed();
    }
    await requests.view.getByText('Filter: First.').waitFor({ timeout: 60_000 });
    await requests
      .row(/To the second one/)
      .first()
      .waitFor({ state: 'detached' });
    await workbench().runFromPalette('Parlance: Filter Requests by Service…');
    await list.opened('Filter Requests by Service');
    await list.choose(/All Services/);
    await requests
      .row(/To the second one/)
      .first()
      .waitFor({ timeout: 60_000 });
  });

  it("run each other's requests again, and each has its own URL and key variable in copied code", async () => {
    const { page, service } = workbench();
    const requests = await RequestsDriver.open(workbench());
    const row = requests.row(/^To the second one, local\/echo \(Second\), done/).first();
    await requests.choose(row, 'Copy as Code', 'Copy Request as curl (bash)');
    const code = await waitUntil('curl on the clipboard', async () => {
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      return copied.startsWith('curl ') ? copied : undefined;
    });
    assert.ok(code.includes(`${second.baseUrl}/chat/completions`), code);
    assert.match(code, /Bearer \$SERVICE_[A-Z0-9_]+_API_KEY/);
    assert.ok(!code.includes(second.apiKey) && !code.includes(service.apiKey));
    // Test Connection has asked it since.
    const sent = chatsOf(second).find((each) => JSON.stringify(each.requestBody)?.includes('To the second one'));
    const before = chatsOf(second).length;
    await requests.choose(row, 'Run Request with Another Model…');
    await list.opened('Select Model');
    await list.box.fill('local/echo');
    await list.choose('local/echo (First)');
    await workbench().told('local/echo (First) replied.').shown();
    assert.ok(sent !== undefined);
    assert.deepEqual(chatsOf(service).at(-1)?.requestBody, sent.requestBody);
    assert.equal(chatsOf(service).at(-1)?.outcome, 'done');
    assert.equal(chatsOf(second).length, before);
    await requests
      .row(/^To the second one, local\/echo \(First\), done/)
      .first()
      .waitFor({ timeout: 60_000 });
  });

  /** Pages are loaded again once a service was added or removed: what a test does before that could get lost. */
  async function changeNames(entries: readonly unknown[]): Promise<void> {
    const { frame } = await ChatDriver.open(workbench());
    await workbench().changeSettings({ 'parlance.services': entries });
    await waitUntil('the chat is loaded again', () => Promise.resolve(frame.isDetached()));
  }

  it("say in the chat's own list of models which of them has none, and are set up and found by name there", async () => {
    const before = await services();
    const baseUrl = `http://127.0.0.1:${await unusedPort()}/v1`;
    await changeNames([...before, { id: 'third', name: 'Third', baseUrl }]);
    const chat = await ChatDriver.open(workbench());
    const picker = chat.frame.getByRole('dialog', { name: 'Select Model' });
    const about = picker.getByRole('group', { name: 'Third', exact: true });
    await chat.button(/^Model: /).click();
    await about.getByRole('button', { name: 'Set API Key' }).click();
    await list.opened('API Key');
    await list.enter('sk-of-the-third');
    await list.closed();
    // VS Code gives the focus back a moment later, which closes a list that's open by then.
    await chat.box.and(chat.frame.locator(':focus')).waitFor();
    await chat.button(/^Model: /).click();
    await about.getByText(/^Third: 127\.0\.0\.1:\d+ refused the connection/).waitFor({ timeout: 60_000 });
    await about.getByRole('button', { name: 'Retry' }).click();
    await about.getByText(/refused the connection/).waitFor({ timeout: 60_000 });
    await chat.modelSearch.fill('second local/echo');
    await chat.modelRow('local/echo (Second)').waitFor();
    await chat.modelRow('local/echo (First)').waitFor({ state: 'detached' });
    await picker.getByRole('button', { name: 'Add Service…' }).click();
    await list.opened('Add Service');
    await list.dismiss();
    await changeNames(before);
    await workbench()
      .told('Third is no longer in parlance.services, but its API key is still saved.')
      .press('Delete API Key');
  });

  it("leave the focus in the box for a new one's key while an open form is loaded again", async () => {
    const { page } = workbench();
    const before = await services();
    const { frame } = await MediaDriver.openForm(workbench(), 'Parlance: Generate Video…');
    const prompt = frame.getByLabel('Prompt', { exact: true });
    await prompt.and(frame.locator(':focus')).waitFor();
    await workbench().runFromPalette('Parlance: Add Service…');
    await list.opened('Add Service');
    await list.enter(`http://127.0.0.1:${await unusedPort()}/v1`);
    await list.opened('API Key');
    await waitUntil('the form is loaded again', () => Promise.resolve(frame.isDetached()));
    const form = await MediaDriver.inView(workbench(), '.media.studio');
    await page.keyboard.insertText('sk-typed-for-the-box');
    assert.deepEqual(
      [await list.box.inputValue(), await form.field('Prompt').inputValue()],
      ['sk-typed-for-the-box', ''],
    );
    await list.dismiss();
    await changeNames(before);
    await workbench().runCommand('View: Close All Editors');
  });

  it('have a budget each, and a row each on the usage page', async () => {
    const [first, other] = await services();
    await workbench().changeSettings({ 'parlance.services': [first, { ...other, dailyBudget: 0.000_000_1 }] });
    const chat = await ChatDriver.open(workbench());
    await chat.ask('For a little money');
    await workbench()
      .told(/^Today's requests to Second cost .*, more than your daily budget of /)
      .press('Show Usage');
    const usage = await (await RequestsDriver.open(workbench())).usagePage();
    await usage.getByText(/^Second: .* of the daily budget of /).waitFor();
    const table = usage.getByRole('region', { name: 'Service' });
    for (const name of ['First', 'Second']) await table.getByRole('rowheader', { name }).waitFor();
    await workbench().runCommand('View: Close All Editors');
    await workbench().changeSettings({ 'parlance.services': [first, other] });
  });

  it('are found on this computer', async () => {
    const local = await listenOn(usualPorts);
    assert.ok(local, 'all the usual ports are taken');
    await workbench().runFromPalette('Parlance: Find Local Services');
    const told = workbench().told(/Added from this computer: [^]*1 model/);
    await told.shown();
    assert.ok((await services()).some(({ baseUrl }) => baseUrl === `http://127.0.0.1:${local.port}/v1`));
    await new Promise((resolve) => local.server.close(resolve));
  });

  it("keep their last list and say why while they're down, without affecting the others, until they're back", async () => {
    const { page } = workbench();
    const models = await ModelsDriver.open(workbench());
    const row = models.row(/^Second, /).first();
    const { port } = new URL(second.baseUrl);
    await second.close();
    await chooseFromMenu(page, row, 'Refresh Models');
    await models
      .row(/^Second, \d+ models, 127\.0\.0\.1:\d+ refused the connection, list from /)
      .waitFor({ timeout: 60_000 });
    await models.row(/^First, \d+ models$/).waitFor();
    await workbench().changeSettings({ 'parlance.chat.model': 'local/echo' });
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    await chat.ask('To the one that is up');
    assert.equal(chatsOf(workbench().service).at(-1)?.outcome, 'done');

    silent = await silentServer(Number(port));
    await chooseFromMenu(page, row, 'Refresh Models');
    await models.row(/^Second, \d+ models, fetching models$/).waitFor({ timeout: 60_000 });
    await waitUntil('a request for the models', () => (silent?.requests() ?? 0) > 0);
    await models.row(/^First, \d+ models$/).waitFor();
    await chat.ask('While the other one is silent');
    assert.equal(chatsOf(workbench().service).at(-1)?.outcome, 'done');
    await workbench().runFromPalette('Parlance: Select Default Model…');
    await list.opened('Select Model');
    await list.box.fill('local/echo');
    await list.row('local/echo (First)').first().waitFor({ timeout: 60_000 });
    await list.row('local/echo (Second)').first().waitFor({ timeout: 60_000 });
    await list.dismiss();
    // On a busy machine, it has given up by now.
    await models.row(/^Second, \d+ models, (?:fetching models$|127\.0\.0\.1:\d+ )/).waitFor();
    await silent.close();

    second = await startInferenceService({ tokensPerSecond: 400, apiKey: 'sk-of-the-second', port: Number(port) });
    await waitUntil('the list of the one that is back', async () => {
      // The request that was cut off is repeated, or has failed.
      if (await models.row(/^Second, \d+ models, 127/).isVisible()) await chooseFromMenu(page, row, 'Refresh Models');
      return models.row(/^Second, \d+ models$/).isVisible();
    });
  });

  it('are removed from the menu of their row, after a confirmation', async () => {
    const models = await ModelsDriver.open(workbench());
    await chooseFromMenu(workbench().page, models.row(/^Second, /).first(), 'Remove Service…');
    const text = await answerDialog(workbench().page, 'Remove the service Second?', 'Remove Service');
    assert.match(text, /conversations, requests, and media are kept/);
    await models
      .row(/^Second, /)
      .first()
      .waitFor({ state: 'detached' });
    assert.ok(!(await settings()).includes(second.baseUrl));
  });
});

/** A server that accepts everything and responds to nothing. */
async function silentServer(port: number) {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => (requests += 1));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { requests: () => requests, close };
}

/** A server with one model, at the first of these ports that's free. */
async function listenOn(ports: readonly number[]): Promise<{ server: Server; port: number } | undefined> {
  for (const port of ports) {
    const server = createServer((request, response) => {
      const isList = request.url === '/v1/models';
      response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json', connection: 'close' });
      response.end(isList ? '{"object":"list","data":[{"id":"m","object":"model","owned_by":"vllm"}]}' : '{}');
    });
    server.listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) return { server, port };
  }
  return undefined;
}
