import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiKeyStore } from '../../src/vscode/service/apiKeyStore.ts';
import { setApiKey } from '../../src/vscode/connection/apiKeyCommands.ts';
import { EndpointSource } from '../../src/vscode/service/endpoint.ts';
import { emptyEntry } from '../../src/core/services/serviceEntry.ts';
import { mainServiceId } from '../../src/shared/modelRef.ts';
import { KeyMemory } from '../../src/vscode/service/keyMemory.ts';
import { createRedactor } from '../../src/vscode/platform/redactor.ts';
import { answering } from './answering.ts';
import { MemoryMemento } from './memoryMemento.ts';
import { MemorySecrets } from './memorySecrets.ts';

const origin = 'https://service.example';

describe('Set API Key', () => {
  const { showInputBox } = vscode.window;
  let secrets: MemorySecrets;
  let notes: MemoryMemento;
  let keys: ApiKeyStore;
  let told: string[];
  let prompts: string[];
  const open = (session: string) =>
    new ApiKeyStore({
      secrets,
      service: mainServiceId,
      environment: () => ({}),
      memory: new KeyMemory(notes, mainServiceId),
      redactor: createRedactor(),
      onError: () => {},
      session,
    });

  beforeEach(() => {
    told = [];
    prompts = [];
    secrets = new MemorySecrets();
    notes = new MemoryMemento();
    keys = open('one');
  });
  afterEach(() => {
    Object.assign(vscode.window, { showInputBox });
    keys.dispose();
  });

  /** @param typed undefined for Escape */
  async function type(typed: string | undefined, answer: string | undefined): Promise<readonly string[]> {
    const entry = {
      value: { ...emptyEntry, baseUrl: `${origin}/v1` },
      onDidChange: () => new vscode.Disposable(() => {}),
    };
    const endpoint = new EndpointSource({ entry, keys });
    const input = ({ prompt = '' }: vscode.InputBoxOptions) => {
      prompts.push(prompt);
      return Promise.resolve(typed);
    };
    Object.assign(vscode.window, { showInputBox: input });
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

  it('says that this VS Code keeps keys in memory only, once a saved one was gone after a reload', async () => {
    await keys.store('k', [origin]);
    keys.dispose();
    // What a reload of VS Code in a browser does.
    secrets = new MemorySecrets();
    keys = open('two');
    await type(undefined, undefined);
    assert.match(
      prompts[0] ?? '',
      /This VS Code keeps keys in memory only: you need to set it again after each reload/,
    );
    // One that is there after a reload is kept for good, wherever VS Code runs.
    await keys.store('k', [origin]);
    keys.dispose();
    keys = open('three');
    await keys.read(origin);
    await type(undefined, undefined);
    assert.match(prompts[1] ?? '', /It's kept in VS Code's secret storage/);
  });

  it("says that the secret storage didn't keep the key", async () => {
    secrets.refuses = true;
    await type('k', undefined);
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /secret storage didn't save the key/);
    assert.deepEqual(await keys.read(origin), { kind: 'setup', missing: 'apiKey' });
  });
});
