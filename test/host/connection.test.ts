import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError } from '../../src/api/apiError.ts';
import { ApiKeyStore } from '../../src/vscode/service/apiKeyStore.ts';
import { addressText, checkBaseUrl } from '../../src/vscode/connection/baseUrlCheck.ts';
import { emptyEntry, type ServiceEntry } from '../../src/core/services/serviceEntry.ts';
import { mainServiceId } from '../../src/shared/modelRef.ts';
import { EndpointSource } from '../../src/vscode/service/endpoint.ts';
import { LateClient } from '../../src/vscode/service/lateClient.ts';
import { FactsInMemory } from '../../src/api/service/serviceFacts.ts';
import { KeyMemory } from '../../src/vscode/service/keyMemory.ts';
import { networkSettings } from '../../src/vscode/settings/networkSettings.ts';
import type { SetupFailure } from '../../src/shared/apiFailure.ts';
import { createRedactor } from '../../src/vscode/platform/redactor.ts';
import type { Setting } from '../../src/vscode/settings/setting.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import {
  chunk,
  delta,
  done,
  json,
  lastChunk,
  type Responder,
  startRawServer,
  streamHead,
} from '../unit/api/rawServer.ts';
import { hello, outcomeOf } from '../unit/api/testClient.ts';
import { MemoryMemento } from './memoryMemento.ts';
import { MemorySecrets } from './memorySecrets.ts';
import { MemorySink } from './memorySink.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';
import { chatCompletion } from '../../src/api/operations/chatCompletion.ts';
import { listModels } from '../../src/api/operations/listModels.ts';

/** A service's settings, some of which a test changes. */
class SetBySuite implements Setting<ServiceEntry> {
  readonly #changed = new vscode.EventEmitter<ServiceEntry>();
  readonly onDidChange = this.#changed.event;
  #value = emptyEntry;

  get value(): ServiceEntry {
    return this.#value;
  }

  set(fields: Partial<ServiceEntry>): void {
    this.#value = { ...this.#value, ...fields };
    this.#changed.fire(this.#value);
  }
}

describe('The endpoint', () => {
  const entry = new SetBySuite();
  let keys: ApiKeyStore;
  let endpoint: EndpointSource;

  beforeEach(() => {
    entry.set(emptyEntry);
    keys = new ApiKeyStore({
      secrets: new MemorySecrets(),
      service: mainServiceId,
      environment: () => ({}),
      memory: new KeyMemory(new MemoryMemento(), mainServiceId),
      redactor: createRedactor(),
      onError: assert.ifError,
    });
    endpoint = new EndpointSource({ entry, keys });
  });
  afterEach(() => {
    endpoint.dispose();
    keys.dispose();
  });

  const missing = async () => {
    try {
      await endpoint.current();
      return undefined;
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return error.failure;
    }
  };

  it('lists step by step what still needs to be set up', async () => {
    assert.deepEqual(await missing(), { kind: 'setup', missing: 'baseUrl' });
    assert.deepEqual(await endpoint.connection('m'), { state: 'needsBaseUrl', host: '' });
    entry.set({ baseUrl: 'ftp://service.example' });
    assert.deepEqual(await missing(), { kind: 'setup', missing: 'validBaseUrl', found: 'ftp://service.example' });
    entry.set({ baseUrl: 'https://service.example/v1/' });
    assert.deepEqual(await missing(), { kind: 'setup', missing: 'apiKey' });
    assert.deepEqual(await endpoint.connection('m'), { state: 'needsApiKey', host: 'service.example' });
    await keys.store('k', ['https://service.example']);
    assert.deepEqual(await endpoint.connection(undefined), { state: 'needsModel', host: 'service.example' });
    assert.deepEqual(await endpoint.connection('m'), { state: 'ready', host: 'service.example' });
    const { baseUrl: base, nativeUrl: native, apiKey } = await endpoint.current();
    assert.deepEqual(
      [base.href, native.href, apiKey],
      ['https://service.example/v1', 'https://service.example/api', 'k'],
    );
    assert.equal(endpoint.keySource, 'stored');
  });

  it('knows a service on this computer, and that it can be used without a key', async () => {
    const connection = () => endpoint.connection('m');
    for (const host of ['localhost:11434', '127.0.0.1:8080', '[::1]:8000']) {
      entry.set({ baseUrl: `http://${host}/v1` });
      assert.deepEqual(await connection(), { state: 'needsApiKey', host, isLocal: true });
    }
    await keys.useNone('http://[::1]:8000');
    assert.deepEqual(await connection(), { state: 'ready', host: '[::1]:8000' });
  });

  it("doesn't repeat a URL that might contain a secret", async () => {
    entry.set({ baseUrl: 'https://user:canary@service.example/v1' });
    assert.deepEqual(await missing(), { kind: 'setup', missing: 'validBaseUrl' });
    entry.set({ baseUrl: 'https://service.example/v1?key=canary' });
    assert.deepEqual(await missing(), { kind: 'setup', missing: 'validBaseUrl' });
  });

  /** Over real sockets, with the extension's own client. */
  const lateClient = () =>
    new LateClient({
      endpoint: () => endpoint.current(),
      addresses: () => endpoint.configured(),
      imageApi: () => 'native',
      settings: () => networkSettings({}),
      onExchange: () => undefined,
      onHostSwitched: () => undefined,
      trace: () => undefined,
      firstByteMs: () => undefined,
      facts: Object.assign(new FactsInMemory(), { load: () => Promise.resolve({ paths: {} }) }),
    });
  async function chatAndList(): Promise<{ readonly text: string; readonly models: readonly string[] }> {
    const client = lateClient();
    try {
      const { text } = await outcomeOf(client.stream(chatCompletion(hello)));
      const models = await client.ask(listModels);
      return { text, models: models.map(({ id }) => id) };
    } finally {
      client.dispose();
    }
  }
  it('is enough for a download without its key: like a link, it needs none', async () => {
    const film = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(64)]);
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${film.length}\r\n\r\n`;
    const server = await startRawServer((socket) => socket.end(Buffer.concat([Buffer.from(head), film])));
    const client = lateClient();
    try {
      const load = () => client.downloadMedia(`${server.origin}/film.webm`, new MemorySink());
      await assert.rejects(load(), (error) => error instanceof ApiError && error.failure.kind === 'setup');
      entry.set({ baseUrl: `${server.origin}/v1` });
      assert.deepEqual(await missing(), { kind: 'setup', missing: 'apiKey' });
      assert.equal((await load()).sizeBytes, film.length);
    } finally {
      client.dispose();
      await server.close();
    }
  });

  const serving: Responder = (socket, { method }) =>
    socket.write(
      method === 'GET'
        ? json(200, { data: [{ id: 'maker/model' }] })
        : Buffer.concat([streamHead(), chunk(delta('Hi') + done), lastChunk]),
    );

  it('chats and lists with a stored key when a legacy and a native host are set afterwards, and asks about each', async () => {
    const [base, native, legacy] = [
      await startRawServer(serving),
      await startRawServer(serving),
      await startRawServer(serving),
    ];
    const troubles: SetupFailure[] = [];
    const subscription = endpoint.onTrouble((failure) => troubles.push(failure));
    entry.set({ baseUrl: `${base.origin}/v1` });
    await keys.store('stored-key', [base.origin]);
    entry.set({ nativeUrl: `${native.origin}/api` });
    entry.set({ fallbackBaseUrl: `${legacy.origin}/v1` });
    assert.deepEqual(await chatAndList(), { text: 'Hi', models: ['maker/model'] });
    assert.deepEqual([native.accepted(), legacy.accepted()], [0, 0]);
    assert.deepEqual(new Set(troubles.map(({ target }) => target)), new Set([native.origin, legacy.origin]));
    assert.deepEqual(await endpoint.unapproved(), [native.origin, legacy.origin]);
    await keys.allowFor([native.origin]);
    await chatAndList();
    assert.deepEqual([native.requests.length, legacy.accepted()], [1, 0]);
    subscription.dispose();
    for (const server of [base, native, legacy]) await server.close();
  });

  it('chats without a key, and sends no header for one, if the service needs none', async () => {
    const base = await startRawServer(serving);
    entry.set({ baseUrl: `${base.origin}/v1` });
    await keys.useNone(base.origin);
    assert.deepEqual(await endpoint.connection('m'), { state: 'ready', host: new URL(base.origin).host });
    assert.deepEqual(await chatAndList(), { text: 'Hi', models: ['maker/model'] });
    assert.deepEqual(
      base.requests.map(({ headers }) => headers['authorization']),
      [undefined, undefined],
    );
    await base.close();
  });

  for (const [what, legacy, obstacle] of [
    ['a typo', 'htps:/old.example', 'validLegacyUrl'],
    ['no TLS next to a base URL that has it', 'http://old.example/v1', 'encryptedLegacyUrl'],
  ] as const) {
    it(`works without a legacy host that has ${what}, and names the setting`, async () => {
      entry.set({ baseUrl: 'https://service.example/v1' });
      await keys.store('k', ['https://service.example']);
      entry.set({ fallbackBaseUrl: legacy });
      const troubles: SetupFailure[] = [];
      const subscription = endpoint.onTrouble((failure) => troubles.push(failure));
      assert.equal((await endpoint.current()).fallbackBaseUrl, undefined);
      assert.deepEqual(
        troubles.map((failure) => failure.missing),
        [obstacle],
      );
      subscription.dispose();
    });
  }

  it('derives the native URL while the configured one has a typo, and says so', async () => {
    entry.set({ baseUrl: 'https://service.example/v1' });
    await keys.store('k', ['https://service.example']);
    entry.set({ nativeUrl: 'htps:/native.example' });
    const addresses = endpoint.addresses();
    assert.ok('faults' in addresses);
    assert.deepEqual(
      addresses.faults.map((failure) => failure.missing),
      ['validNativeUrl'],
    );
    assert.equal((await endpoint.current()).nativeUrl.href, 'https://service.example/api');
  });

  it("reports a new base URL that the key isn't approved for, and sends it nothing", async () => {
    const other = await startRawServer(serving);
    entry.set({ baseUrl: `${other.origin}/v1` });
    await keys.store('stored-key', ['https://service.example']);
    const refused = { kind: 'setup', missing: 'apiKeyForThisHost', found: 'service.example', target: other.origin };
    assert.deepEqual(await endpoint.misfit(), refused);
    assert.deepEqual((await chatAndList().catch((error: unknown) => error)) instanceof ApiError, true);
    assert.equal(other.accepted(), 0);
    await keys.allowFor([other.origin]);
    assert.equal((await chatAndList()).text, 'Hi');
    await other.close();
  });

  it('reports changes of the base URL or the key', async () => {
    let changes = 0;
    const subscription = endpoint.onDidChange(() => (changes += 1));
    entry.set({ baseUrl: 'https://service.example/v1' });
    entry.set({ nativeUrl: 'https://service.example/api' });
    await keys.store('k', ['https://service.example']);
    assert.equal(changes, 3);
    subscription.dispose();
  });
});

describe('The check of a base URL', () => {
  const { Error: bad, Warning: warning } = vscode.InputBoxValidationSeverity;

  it('accepts a good one silently', () => {
    const check = checkBaseUrl('https://service.example/v1');
    assert.equal(check.message, undefined);
    assert.equal(check.url && addressText(check.url), 'https://service.example/v1');
  });

  it('corrects what can be corrected, and says so', () => {
    for (const text of ['https://service.example/v1/chat/completions', 'service.example', 'https://service.example/']) {
      const check = checkBaseUrl(text);
      assert.equal(check.url && addressText(check.url), 'https://service.example/v1', text);
      assert.match(check.message ?? '', /https:\/\/service\.example\/v1/, text);
      assert.notEqual(check.severity, bad);
    }
  });

  it('warns about an unencrypted key, except on this machine', () => {
    assert.equal(checkBaseUrl('http://service.example/v1').severity, warning);
    assert.equal(checkBaseUrl('http://10.0.0.7:8080/v1').inTheClear, true);
    for (const host of ['localhost:1234', '127.0.0.1:1234', '[::1]:1234']) {
      assert.equal(checkBaseUrl(`http://${host}/v1`).inTheClear, false, host);
    }
  });

  it('refuses the rest', () => {
    for (const text of [
      '',
      'ftp://x/v1',
      'https://',
      'https://u:p@x/v1',
      'https://x/v1?a=b',
      'https://x/v1#a',
      'a b',
    ]) {
      const check = checkBaseUrl(text);
      assert.equal(check.url, undefined, text);
      assert.equal(check.severity, bad, text);
      assert.ok(check.message, text);
    }
  });
});

describe('Test Connection', () => {
  let service: InferenceService;

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Number.POSITIVE_INFINITY });
  });
  after(async () => {
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await service.close();
  });

  it('sends nothing while no base URL is set', async () => {
    await clearUserSettings();
    process.env['SERVICE_API_KEY'] = service.apiKey;
    await vscode.commands.executeCommand('parlance.testConnection');
    assert.equal(service.log().length, 0);
  });

  it('sends one small chat request with the selected model', async () => {
    process.env['SERVICE_API_KEY'] = service.apiKey;
    await setUserSettings({ 'parlance.services': [{ baseUrl: service.baseUrl }], 'parlance.chat.model': 'local/echo' });
    await vscode.commands.executeCommand('parlance.testConnection');
    const entries = service.log();
    assert.deepEqual(
      entries.filter(({ method, status }) => method === 'POST' && status === 200).map(({ model }) => model),
      ['local/echo'],
    );
    // The other requests are a model list or are rejected before any work: one path is deliberately made up.
    assert.ok(
      entries.every(
        ({ method, status = 0, model }) => method === 'GET' || [400, 404].includes(status) || model === 'local/echo',
      ),
    );
    assert.ok(entries.length > 5);
  });

  it('asks the API that the settings name for chats', async () => {
    process.env['SERVICE_API_KEY'] = service.apiKey;
    await setUserSettings({ 'parlance.services': [{ baseUrl: service.baseUrl, chatApi: 'native' }] });
    const earlier = service.log().length;
    await vscode.commands.executeCommand('parlance.testConnection');
    const chats = service
      .log()
      .slice(earlier)
      .filter(({ method, status }) => method === 'POST' && status === 200);
    assert.deepEqual(
      chats.map(({ path }) => path),
      ['/api/v1/svcai/chat/completions'],
    );
  });

  it('gives up on a silent service after the time in the settings', async () => {
    process.env['SERVICE_API_KEY'] = service.apiKey;
    const silent = await startRawServer(() => undefined);
    try {
      await setUserSettings({
        'parlance.services': [{ baseUrl: `${silent.origin}/v1` }],
        'parlance.chat.firstByteSeconds': 1,
      });
      // Without the setting this would wait for minutes.
      await vscode.commands.executeCommand('parlance.testConnection');
      const chats = silent.requests.filter(({ method }) => method === 'POST');
      assert.deepEqual(
        chats.map(({ target }) => target),
        ['/v1/chat/completions'],
      );
    } finally {
      await setUserSettings({
        'parlance.services': [{ baseUrl: service.baseUrl }],
        'parlance.chat.firstByteSeconds': undefined,
      });
      await silent.close();
    }
  });

  it('asks only once if the key is refused', async () => {
    process.env['SERVICE_API_KEY'] = 'wrong-key';
    const earlier = service.log().length;
    await vscode.commands.executeCommand('parlance.testConnection');
    const entries = service.log().slice(earlier);
    assert.deepEqual(
      entries.map((entry) => entry.status),
      [401],
    );
  });
});
