import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiKeyStore } from '../../src/vscode/apiKeyStore.ts';
import { setApiKey } from '../../src/vscode/commands/apiKeyCommands.ts';
import { EndpointSource } from '../../src/vscode/endpoint.ts';
import { KeyMemory } from '../../src/vscode/keyMemory.ts';
import { createRedactor } from '../../src/vscode/redactor.ts';
import type { Setting } from '../../src/vscode/setting.ts';
import { answering } from './answering.ts';
import { MemoryMemento } from './memoryMemento.ts';
import { MemorySecrets } from './memorySecrets.ts';

const origin = 'https://service.example';

describe('Set API Key', () => {
  const { showInputBox } = vscode.window;
  let keys: ApiKeyStore;
  let told: string[];

  beforeEach(() => {
    told = [];
    keys = new ApiKeyStore({
      secrets: new MemorySecrets(),
      environment: () => ({}),
      memory: new KeyMemory(new MemoryMemento()),
      redactor: createRedactor(),
    });
  });
  afterEach(() => {
    Object.assign(vscode.window, { showInputBox });
    keys.dispose();
  });

  /** @param typed undefined for Escape */
  async function type(typed: string | undefined, answer: string | undefined): Promise<readonly string[]> {
    const setting = (value: string): Setting<string> => ({ value, onDidChange: () => new vscode.Disposable(() => {}) });
    const endpoint = new EndpointSource({
      settings: {
        baseUrl: setting(`${origin}/v1`),
        nativeUrl: setting(''),
        nativeSegment: setting('svcai'),
        legacyBaseUrl: setting(''),
      },
      keys,
    });
    Object.assign(vscode.window, { showInputBox: () => Promise.resolve(typed) });
    const tell = (text: string) => void told.push(text);
    const { asked } = await answering(answer, () =>
      setApiKey({ keys, endpoint, notifier: { info: tell, error: tell } }),
    );
    return asked;
  }

  it('with nothing typed asks whether the service needs none, and then sends none', async () => {
    assert.deepEqual(await type(' ', 'Use No Key'), ['Send requests to service.example without a key?']);
    assert.deepEqual(await keys.read(origin), { key: undefined, source: 'none', origins: [] });
    assert.deepEqual(told, ['Requests to service.example are sent without a key.']);
  });

  it('with nothing typed changes nothing when that question is left', async () => {
    await keys.store('k', [origin]);
    assert.equal((await type('', undefined)).length, 1);
    const kept = await keys.read(origin);
    assert.equal('key' in kept && kept.key, 'k');
    assert.deepEqual(told, []);
  });

  it('asks nothing of a key, nor when it is left', async () => {
    assert.deepEqual(await type(undefined, undefined), []);
    assert.deepEqual(await type(' k ', undefined), []);
    const stored = await keys.read(origin);
    assert.equal('key' in stored && stored.key, 'k');
    assert.deepEqual(told, ['The API key is stored for service.example.']);
  });
});
