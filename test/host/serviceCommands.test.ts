import assert from 'node:assert/strict';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ApiError } from '../../src/api/apiError.ts';
import { chatCompletion } from '../../src/api/operations/chatCompletion.ts';
import { FactsInMemory } from '../../src/api/service/serviceFacts.ts';
import { modelFromText } from '../../src/core/models/modelText.ts';
import { modelRef } from '../../src/shared/modelRef.ts';
import { modelLabel, useServiceNames } from '../../src/words/modelLabel.ts';
import { addService } from '../../src/vscode/connection/addService.ts';
import { setApiKey } from '../../src/vscode/connection/apiKeyCommands.ts';
import { removeService } from '../../src/vscode/connection/removeService.ts';
import { renameService } from '../../src/vscode/connection/renameService.ts';
import { watchLeftKeys } from '../../src/vscode/connection/watchLeftKeys.ts';
import { setBaseUrl } from '../../src/vscode/connection/setBaseUrl.ts';
import { CatalogFiles } from '../../src/vscode/models/catalogFiles.ts';
import type { NotifyButton } from '../../src/vscode/platform/notify.ts';
import { createRedactor } from '../../src/vscode/platform/redactor.ts';
import { Explainer } from '../../src/vscode/problems/explainer.ts';
import { LateClient, type LateClientDeps } from '../../src/vscode/service/lateClient.ts';
import { serviceFile } from '../../src/vscode/service/serviceFile.ts';
import { ServiceClients } from '../../src/vscode/service/serviceClients.ts';
import { Services } from '../../src/vscode/service/services.ts';
import { networkSettings } from '../../src/vscode/settings/networkSettings.ts';
import { chunk, delta, startRawServer, streamHead } from '../unit/api/rawServer.ts';
import { answering } from './answering.ts';
import { eventually } from './eventually.ts';
import { MemoryMemento } from './memoryMemento.ts';
import { MemorySecrets } from './memorySecrets.ts';
import { clearUserSettings, setUserSettings, UserServices } from './userSettings.ts';

const settingId = 'parlance.services';

describe('The commands for services', () => {
  const { createInputBox, showInputBox } = vscode.window;
  let list: UserServices;
  let secrets: MemorySecrets;
  let memento: MemoryMemento;
  let services: Services;
  let clients: ServiceClients;
  let folder: string;
  let told: string[];
  const notifier = { info: (text: string) => void told.push(text), error: (text: string) => void told.push(text) };
  const connect = (current: LateClientDeps['endpoint']) =>
    new LateClient({
      endpoint: current,
      settings: () => networkSettings({}),
      trace: () => undefined,
      firstByteMs: () => undefined,
      facts: Object.assign(new FactsInMemory(), { load: () => Promise.resolve({ paths: {} }) }),
    });

  beforeEach(async () => {
    await clearUserSettings();
    folder = await mkdtemp(join(tmpdir(), 'parlance-service-commands-'));
    list = new UserServices();
    secrets = new MemorySecrets();
    told = [];
    memento = new MemoryMemento();
    services = openServices();
    clients = new ServiceClients(services, ({ endpoint }) => connect(() => endpoint.current()));
  });
  afterEach(async () => {
    Object.assign(vscode.window, { createInputBox, showInputBox });
    clients.dispose();
    services.dispose();
    list.dispose();
    useServiceNames({});
    await clearUserSettings();
    await rm(folder, { recursive: true, force: true });
  });

  /** As a window does when it starts. */
  function openServices(): Services {
    return new Services({
      list,
      secrets,
      memento,
      environment: () => ({}),
      redactor: createRedactor(),
      onError: assert.ifError,
    });
  }

  /**
   * Types into the input box for a base URL, presses Enter, and cancels it if it's still open.
   * @returns its message
   */
  async function typingUrl<T>(typed: string, act: () => Promise<T>): Promise<{ result: T; said: string | undefined }> {
    let said: string | undefined;
    Object.assign(vscode.window, {
      createInputBox: () => {
        const box = createInputBox();
        const accepted = new vscode.EventEmitter<void>();
        const hidden = new vscode.EventEmitter<void>();
        return new Proxy(box, {
          get(target, name): unknown {
            if (name === 'onDidAccept') return accepted.event;
            if (name === 'onDidHide') return hidden.event;
            if (name === 'dispose') return () => target.dispose();
            if (name === 'show') {
              return () => {
                target.value = typed;
                accepted.fire();
                const { validationMessage } = target;
                said = typeof validationMessage === 'object' ? validationMessage.message : validationMessage;
                hidden.fire();
              };
            }
            const value: unknown = Reflect.get(target, name, target);
            return typeof value === 'function' ? value.bind(target) : value;
          },
          set: (target, name, value) => Reflect.set(target, name, value, target),
        });
      },
    });
    try {
      return { result: await act(), said };
    } finally {
      Object.assign(vscode.window, { createInputBox });
    }
  }

  /**
   * Types into a plain input box, unless it refuses the value.
   * @returns why it was refused
   */
  async function typing(typed: string | undefined, act: () => Promise<unknown>): Promise<unknown> {
    let refused: unknown;
    Object.assign(vscode.window, {
      showInputBox: async (options: vscode.InputBoxOptions) => {
        refused = typed === undefined ? undefined : await options.validateInput?.(typed);
        return refused === undefined ? typed : undefined;
      },
    });
    await act();
    Object.assign(vscode.window, { showInputBox });
    return refused;
  }

  it('add the first service without a name, and the next with a name taken from its host, each with its own key', async () => {
    await typingUrl('https://api.acme.test/v1', () => addService(services));
    assert.deepEqual(list.value, [{ id: 'service', baseUrl: 'https://api.acme.test/v1' }]);
    const { result: second } = await typingUrl('https://api.bolt.test/v1', () => addService(services));
    await typingUrl('https://api.bolt.test/other/v1', () => addService(services));
    assert.deepEqual(list.value, [
      { baseUrl: 'https://api.acme.test/v1', id: 'service' },
      { id: 'bolt.test', baseUrl: 'https://api.bolt.test/v1', name: 'bolt.test' },
      { id: 'bolt.test-2', baseUrl: 'https://api.bolt.test/other/v1', name: 'bolt.test 2' },
    ]);
    await typing('sk-bolt', () =>
      setApiKey({ ...(second ?? assert.fail()), id: 'bolt.test', notifier, keepId: async () => {} }),
    );
    const keyOf = async (id: string) => (await services.find(id)?.endpoint.current())?.apiKey;
    assert.equal(await keyOf('bolt.test'), 'sk-bolt');
    await assert.rejects(keyOf('service'));
    await assert.rejects(keyOf('bolt.test-2'));
  });

  it('show in the box what is wrong with a base URL, and accept the same one only once', async () => {
    await setUserSettings({
      [settingId]: [{ baseUrl: 'https://one.test/v1' }, { id: 'two', name: 'Two', baseUrl: 'https://two.test/v1' }],
    });
    const wrong = {
      'https://one.test/v1/': 'one.test already has this base URL.',
      'https://key@three.test/v1': 'Remove the user name and password from the URL. To save a key, use Set API Key.',
      'https://three.test/v1?key=1': 'Remove the query string (everything from the ? on).',
      'ftp://three.test/v1': 'The URL must start with https:// or http://',
    };
    for (const [typed, message] of Object.entries(wrong)) {
      const { said } = await typingUrl(typed, () => addService(services));
      assert.equal(said, message, typed);
    }
    const two = services.find('two') ?? assert.fail();
    await typingUrl('https://one.test/v1', () => setBaseUrl(two, services.all));
    assert.equal(services.all.length, 2);
    assert.equal(services.find('two')?.entry.value.baseUrl, 'https://two.test/v1');
    await typingUrl('https://two.test/v2', () => setBaseUrl(two, services.all));
    assert.equal(services.find('two')?.entry.value.baseUrl, 'https://two.test/v2');
  });

  it('rename a service, which keeps its key and its models, and refuse a name that is taken', async () => {
    await setUserSettings({
      [settingId]: [{ baseUrl: 'https://one.test/v1' }, { id: 'two', name: 'Two', baseUrl: 'https://two.test/v1' }],
    });
    const two = services.find('two') ?? assert.fail();
    await two.keys.store('sk-two', ['https://two.test']);
    const uses = { hasProvider: (word: string) => word === 'openai', wasName: (word: string) => word === 'lab' };
    const renamed = (name: string) => typing(name, () => renameService(two, services.all, uses));
    assert.match(String(await renamed('One.test')), /Another service/);
    assert.match(String(await renamed('a/b')), /slashes/);
    // Only a warning: the user might have meant it.
    assert.deepEqual(await renamed('OpenAI'), {
      message:
        'Another service has models whose IDs start with "OpenAI/". Prompts that name them would use this service.',
      severity: vscode.InputBoxValidationSeverity.Warning,
    });
    assert.deepEqual(await renamed('Lab'), {
      message: 'Another service had this name before. Prompts that still use it would use this service.',
      severity: vscode.InputBoxValidationSeverity.Warning,
    });
    assert.equal(await renamed('Work'), undefined);
    assert.equal(modelLabel(modelRef('two', 'maker/model')), 'maker/model (Work)');
    assert.equal((await two.endpoint.current()).apiKey, 'sk-two');
    await renamed('');
    assert.equal(two.name, 'two.test');
    // A prompt never goes to another service because of an old name in it.
    for (const name of ['Two', 'work', 'two.test']) {
      assert.equal(modelFromText(`${name}/maker/model`), modelRef('two', 'maker/model'), name);
    }
  });

  it('remove a service with its key and its model list after a confirmation, and name what remains', async () => {
    await setUserSettings({
      [settingId]: [
        { name: 'Main', baseUrl: 'https://one.test/v1' },
        // Written by hand, without an ID: its position must not matter now.
        { name: 'Two', baseUrl: 'https://two.test/v1' },
      ],
    });
    const catalogs = new CatalogFiles(folder, assert.ifError);
    const main = services.first;
    const href = 'https://one.test/v1';
    await main.keys.store('sk-main', ['https://one.test']);
    await services.find('two')?.keys.store('sk-two', ['https://two.test']);
    await catalogs.write(href, { fetchedAt: 1, models: [] });
    const file = serviceFile(folder, href, '.catalog.json');
    await access(file);
    const forget = (baseUrl: string) => catalogs.remove(baseUrl);

    const left = await answering(undefined, () => removeService(main, { isOnly: false, forget, notifier }));
    assert.deepEqual([left.result, services.all.length], [false, 2]);
    assert.match(left.details[0] ?? '', /API key and its model list are deleted.*media are kept/s);

    const removed = await answering('Remove Service', () => removeService(main, { isOnly: false, forget, notifier }));
    assert.equal(removed.result, true);
    assert.deepEqual(list.value, [{ id: 'two', name: 'Two', baseUrl: 'https://two.test/v1' }]);
    assert.equal((await services.find('two')?.endpoint.current())?.apiKey, 'sk-two');
    assert.deepEqual(await secrets.keys(), ['parlance.apiKey.two']);
    await assert.rejects(access(file));
    assert.equal(modelLabel('maker/model'), 'maker/model (Main)');
    assert.equal(modelLabel(modelRef('two', 'maker/model')), 'maker/model');
  });

  it('remove the only service with its key and everything known about it, and end its reply', async () => {
    const server = await startRawServer((socket) => {
      socket.write(Buffer.concat([streamHead(), chunk(delta('Hi'))]));
    });
    await setUserSettings({ [settingId]: [{ baseUrl: `${server.origin}/v1`, keysPage: 'https://one.test/keys' }] });
    const only = services.first;
    await only.keys.store('sk-only', [server.origin]);
    const forgotten: string[] = [];
    const forget = (baseUrl: string) => Promise.resolve(void forgotten.push(baseUrl));
    const request = chatCompletion({ model: 'm', messages: [{ role: 'user', content: 'Hello' }], stream: true });
    let detail = '';
    const talk = async (): Promise<void> => {
      for await (const event of clients.of(only.id).stream(request)) {
        if (event.type === 'text') {
          const remove = () => removeService(only, { isOnly: true, forget, notifier });
          detail = (await answering('Remove Service', remove)).details.join();
        }
      }
    };
    await assert.rejects(talk());
    assert.match(detail, /and belong to the next service that you set up\.$/);
    assert.deepEqual([list.value, forgotten], [undefined, [`${server.origin}/v1`]]);
    assert.deepEqual([services.all.length, services.first.entry.value.baseUrl], [1, '']);
    assert.deepEqual(services.first.pages(), {});
    assert.deepEqual(await secrets.keys(), []);
    // What is set up next starts over: without the key, and without a note that one was saved.
    await setUserSettings({ [settingId]: [{ baseUrl: `${server.origin}/v1` }] });
    const key = await services.first.keys.read(server.origin);
    assert.deepEqual(key, { kind: 'setup', missing: 'apiKey' });
    await server.allClosed();
    await server.close();
  });

  it('offer to delete the key of a service that was deleted in the settings by hand, and of no other', async () => {
    const one = { baseUrl: 'https://one.test/v1' };
    const two = { id: 'two', name: 'Two', baseUrl: 'https://two.test/v1' };
    const three = { id: 'three', name: 'Three', baseUrl: 'https://three.test/v1' };
    const offers: { readonly text: string; readonly buttons: readonly NotifyButton[] }[] = [];
    const warning = (text: string, buttons: readonly NotifyButton[] = []) => void offers.push({ text, buttons });
    const watch = watchLeftKeys(services, { warning }, 20);
    await setUserSettings({ [settingId]: [one, two, three] });
    await services.find('two')?.keys.store('sk-two', ['https://two.test']);

    await setUserSettings({ [settingId]: [one] });
    await eventually('an offer', () => offers.length > 0);
    assert.equal(offers.at(-1)?.text, 'Two is no longer in parlance.services, but its API key is still saved.');

    // It's back before the button is pressed.
    await setUserSettings({ [settingId]: [one, two] });
    await offers.at(-1)?.buttons[0]?.run();
    assert.deepEqual(await secrets.keys(), ['parlance.apiKey.two']);

    await setUserSettings({ [settingId]: [one] });
    await eventually('another offer', () => offers.length > 1);
    assert.deepEqual(await secrets.keys(), ['parlance.apiKey.two']);
    await offers.at(-1)?.buttons[0]?.run();
    assert.deepEqual(await secrets.keys(), []);
    assert.equal(offers.length, 2, 'Three has no key, so nothing is asked about it');
    watch.dispose();
  });

  it('offer to delete the key of a service that was deleted while VS Code was closed', async () => {
    const one = { baseUrl: 'https://one.test/v1' };
    await setUserSettings({ [settingId]: [one, { id: 'two', name: 'Two', baseUrl: 'https://two.test/v1' }] });
    await services.first.keys.store('sk-one', ['https://one.test']);
    await services.find('two')?.keys.store('sk-two', ['https://two.test']);
    services.dispose();
    await setUserSettings({ [settingId]: [one] });
    const later = openServices();
    const offers: { readonly text: string; readonly buttons: readonly NotifyButton[] }[] = [];
    const warning = (text: string, buttons: readonly NotifyButton[] = []) => void offers.push({ text, buttons });
    const watch = watchLeftKeys(later, { warning }, 20);
    await eventually('an offer', () => offers.length > 0);
    assert.equal(offers[0]?.text, 'two is no longer in parlance.services, but its API key is still saved.');
    await offers[0]?.buttons[0]?.run();
    assert.deepEqual(await secrets.keys(), ['parlance.apiKey']);
    assert.deepEqual(later.left, []);
    watch.dispose();
    later.dispose();
  });

  it('end the reply of a service that is removed, and show why', async () => {
    const server = await startRawServer((socket) => {
      socket.write(Buffer.concat([streamHead(), chunk(delta('Hi'))]));
    });
    await setUserSettings({
      [settingId]: [{ baseUrl: 'http://127.0.0.1:1/v1' }, { id: 'two', name: 'Two', baseUrl: `${server.origin}/v1` }],
    });
    const two = services.find('two') ?? assert.fail();
    await two.keys.store('sk-two', [server.origin]);
    const ref = modelRef('two', 'maker/model');
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const request = chatCompletion({ model: 'maker/model', messages, stream: true });
    let text = '';
    const talk = async (): Promise<void> => {
      for await (const event of clients.of('two').stream(request)) {
        if (event.type !== 'text') continue;
        text += event.text;
        await answering('Remove Service', () =>
          removeService(two, { isOnly: false, forget: async () => {}, notifier }),
        );
      }
    };
    const failure = await talk().then(
      () => assert.fail('The reply ended as if nothing had happened'),
      (error: unknown) => (error instanceof ApiError ? error.failure : assert.fail(String(error))),
    );
    const explainer = new Explainer({
      main: () => services.first,
      serviceOf: (id) => services.find(id),
      redactor: createRedactor(),
      log: { error: assert.ifError },
      closestModels: () => [],
    });
    assert.equal(text, 'Hi');
    const { title, detail } = explainer.problem(failure, { model: ref, hasPartialText: true });
    assert.equal(title, 'This service was removed');
    assert.match(detail, /"Two"/);
    await server.allClosed();
    await server.close();
  });
});
