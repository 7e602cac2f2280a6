import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { ChatDriver } from './chatDriver.ts';
import { chooseFromMenu } from './contextMenu.ts';
import { answerDialog } from './modalDialog.ts';
import { ModelsDriver } from './modelsDriver.ts';
import { QuickInput } from './quickInput.ts';
import { RequestsDriver } from './requestsDriver.ts';
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
  let added: string;
  let list: QuickInput;

  before('start another service', async () => {
    second = await startInferenceService({ tokensPerSecond: 400, apiKey: 'sk-of-the-second' });
    list = new QuickInput(workbench().page);
  });
  after(() => second?.close());

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
    workbench().page.locator('.statusbar-item', { hasText: words }).waitFor({ timeout: 20_000 });
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
    await second.waitForEntry(({ kind, outcome }) => kind === 'models' && outcome === 'done', 20_000);
    const entries = await waitUntil('the second service', async () => {
      const all = await services();
      return all.length === 2 ? all : undefined;
    });
    assert.equal(entries[1]?.['baseUrl'], second.baseUrl);
    assert.ok(!(await settings()).includes(second.apiKey));
    added = String(entries[1]?.['name']);
    const models = await ModelsDriver.open(workbench());
    await models.row(/^First, \d+ models/).waitFor({ timeout: 20_000 });
    await models.row(new RegExp(`^${RegExp.escape(added)}, \\d+ models`)).waitFor({ timeout: 20_000 });
  });

  it('are named in a chat that was open before, which keeps what was typed', async () => {
    const chat = await ChatDriver.open(workbench());
    await chat.lastReply.getByText('local/echo (First)').first().waitFor({ timeout: 20_000 });
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
    await models.row(/^Second, \d+ models/).waitFor({ timeout: 20_000 });
    assert.deepEqual(
      (await services()).map(({ name }) => name),
      ['First', 'Second'],
    );
  });

  it('are switched, and the next chat goes to the other one with its own key', async () => {
    await workbench().runFromPalette('Parlance: Switch Service…');
    await list.opened('Switch Service');
    await list.row(/Second/).click();
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
    await list.row(/Second/).click();
    await pageAbout(second.baseUrl);
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
    await list.row(/Context window/).click();
    await list.enter('0');
    await list.says('Enter a whole number above 0.');
    await list.enter('32768');
    await waitUntil('the context window in the settings', async () => (await settings()).includes('32768'));
    await workbench().page.keyboard.press('Escape');
  });

  it('filter the requests', async () => {
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    const requests = await RequestsDriver.open(workbench());
    await requests
      .row(/To the second one/)
      .first()
      .waitFor({ timeout: 20_000 });
    await requests.pressTitleButton('Filter Requests by Service…');
    await list.opened('Filter Requests by Service');
    await list.row(/First/).click();
    await requests.view.getByText('Filter: First.').waitFor({ timeout: 20_000 });
    await requests
      .row(/To the second one/)
      .first()
      .waitFor({ state: 'detached' });
    await workbench().runFromPalette('Parlance: Filter Requests by Service…');
    await list.opened('Filter Requests by Service');
    await list.row(/All Services/).click();
    await requests
      .row(/To the second one/)
      .first()
      .waitFor({ timeout: 20_000 });
  });

  it('are found on this computer', async function () {
    const local = await listenOn(usualPorts);
    if (local === undefined) return this.skip();
    await workbench().runFromPalette('Parlance: Find Local Services');
    const told = workbench().told(/Added from this computer: [^]*1 model/);
    await told.shown();
    assert.ok((await services()).some(({ baseUrl }) => baseUrl === `http://127.0.0.1:${local.port}/v1`));
    await new Promise((resolve) => local.server.close(resolve));
    return undefined;
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
      .waitFor({ timeout: 20_000 });
    await models.row(/^First, \d+ models$/).waitFor();
    await workbench().changeSettings({ 'parlance.chat.model': 'local/echo' });
    const chat = await ChatDriver.open(workbench());
    await chat.startAnew();
    await chat.ask('To the one that is up');
    assert.equal(chatsOf(workbench().service).at(-1)?.outcome, 'done');

    second = await startInferenceService({ tokensPerSecond: 400, apiKey: 'sk-of-the-second', port: Number(port) });
    await chooseFromMenu(page, row, 'Refresh Models');
    await models.row(/^Second, \d+ models$/).waitFor({ timeout: 20_000 });
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

/** A server with one model, at the first of these ports that's free. */
async function listenOn(ports: readonly number[]): Promise<{ server: Server; port: number } | undefined> {
  for (const port of ports) {
    const server = createServer((request, response) => {
      const isList = request.url === '/v1/models';
      response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json', connection: 'close' });
      response.end(isList ? '{"object":"list","data":[{"id":"m","object":"model","owned_by":"vllm"}]}' : '{}');
    });
    server.listen(port, '127.0.0.1');
    const isFree = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]);
    if (isFree) return { server, port };
  }
  return undefined;
}
