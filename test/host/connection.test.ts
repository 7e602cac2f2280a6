import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError } from '../../src/api/apiError.ts';
import { ApiKeyStore } from '../../src/vscode/apiKeyStore.ts';
import { addressText, checkBaseUrl } from '../../src/vscode/commands/baseUrlCheck.ts';
import { EndpointSource } from '../../src/vscode/endpoint.ts';
import { createRedactor } from '../../src/vscode/redactor.ts';
import type { Setting } from '../../src/vscode/setting.ts';
import { type InferenceService, startInferenceService } from '../service/inferenceService.ts';
import { MemorySecrets } from './memorySecrets.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

/** A setting whose value a test sets. */
class SetBySuite implements Setting<string> {
  readonly #changed = new vscode.EventEmitter<string>();
  readonly onDidChange = this.#changed.event;
  #value: string;

  constructor(value = '') {
    this.#value = value;
  }

  get value(): string {
    return this.#value;
  }

  set(value: string): void {
    this.#value = value;
    this.#changed.fire(value);
  }
}

describe('The endpoint', () => {
  const baseUrl = new SetBySuite();
  const nativeUrl = new SetBySuite();
  let keys: ApiKeyStore;
  let endpoint: EndpointSource;

  beforeEach(() => {
    baseUrl.set('');
    nativeUrl.set('');
    keys = new ApiKeyStore({
      secrets: new MemorySecrets(),
      environmentKey: () => undefined,
      redactor: createRedactor(),
    });
    const settings = { baseUrl, nativeUrl, nativeSegment: new SetBySuite('svcai'), legacyBaseUrl: new SetBySuite() };
    endpoint = new EndpointSource({ settings, keys });
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

  it('says step by step what is still to do', async () => {
    assert.deepEqual(await missing(), { kind: 'setup', missing: 'baseUrl' });
    assert.deepEqual(await endpoint.connection('m'), { state: 'needsBaseUrl', host: '' });
    baseUrl.set('ftp://service.example');
    assert.deepEqual(await missing(), { kind: 'setup', missing: 'validBaseUrl', found: 'ftp://service.example' });
    baseUrl.set('https://service.example/v1/');
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

  it('does not repeat an address that may hold a secret', async () => {
    baseUrl.set('https://user:canary@service.example/v1');
    assert.deepEqual(await missing(), { kind: 'setup', missing: 'validBaseUrl' });
    baseUrl.set('https://service.example/v1?key=canary');
    assert.deepEqual(await missing(), { kind: 'setup', missing: 'validBaseUrl' });
  });

  it('wants the key to be allowed for the native address too', async () => {
    baseUrl.set('https://service.example/v1');
    await keys.store('k', ['https://service.example']);
    nativeUrl.set('https://native.example/api');
    assert.deepEqual(await missing(), { kind: 'setup', missing: 'apiKeyForThisHost', found: 'service.example' });
  });

  it('tells when the address or the key changes', async () => {
    let changes = 0;
    const subscription = endpoint.onDidChange(() => (changes += 1));
    baseUrl.set('https://service.example/v1');
    nativeUrl.set('https://service.example/api');
    await keys.store('k', ['https://service.example']);
    assert.equal(changes, 3);
    subscription.dispose();
  });
});

describe('The check of a base address', () => {
  const { Error: bad, Warning: warning } = vscode.InputBoxValidationSeverity;

  it('accepts a good one in silence', () => {
    const check = checkBaseUrl('https://service.example/v1');
    assert.equal(check.message, undefined);
    assert.equal(check.url && addressText(check.url), 'https://service.example/v1');
  });

  it('puts right what can be put right, and says so', () => {
    for (const text of ['https://service.example/v1/chat/completions', 'service.example', 'https://service.example/']) {
      const check = checkBaseUrl(text);
      assert.equal(check.url && addressText(check.url), 'https://service.example/v1', text);
      assert.match(check.message ?? '', /https:\/\/service\.example\/v1/, text);
      assert.notEqual(check.severity, bad);
    }
  });

  it('warns of a key in the clear, except on this machine', () => {
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

  it('sends nothing while no address is set', async () => {
    await clearUserSettings();
    process.env['SERVICE_API_KEY'] = service.apiKey;
    await vscode.commands.executeCommand('parlance.testConnection');
    assert.equal(service.log().length, 0);
  });

  it('makes one small chat request with the chosen model', async () => {
    process.env['SERVICE_API_KEY'] = service.apiKey;
    await setUserSettings({ 'parlance.service.baseUrl': service.baseUrl, 'parlance.chat.model': 'local/echo' });
    await vscode.commands.executeCommand('parlance.testConnection');
    const entries = service.log();
    assert.equal(entries.length, 1);
    assert.equal(entries[0]?.status, 200);
  });

  it('asks once and no more when the key is refused', async () => {
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
