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
      setApiKey({ keys, endpoint, notifier: { info: tell, error: tell }, keepId: () => Promise.resolve() }),
    );
    return asked;
  }

  it('asks with an empty input whether the service needs no key, and then sends none', async () => {
    assert.deepEqual(await type(' ', 'Use No Key'), ['Send requests to service.example without a key?']);
    assert.deepEqual(await keys.read(origin), { key: undefined, source: 'none', origins: [] });
    assert.deepEqual(told, ['Requests to service.example are sent without a key.']);
  });

  it('changes nothing with an empty input if that question is canceled', async () => {
    await keys.store('k', [origin]);
    assert.equal((await type('', undefined)).length, 1);
    const kept = await keys.read(origin);
    assert.equal('key' in kept && kept.key, 'k');
    assert.deepEqual(told, []);
  });

  it('asks nothing if a key was typed, or if the box is canceled', async () => {
    assert.deepEqual(await type(undefined, undefined), []);
    assert.deepEqual(await type(' k ', undefined), []);
    const stored = await keys.read(origin);
    assert.equal('key' in stored && stored.key, 'k');
    assert.deepEqual(told, ['The API key is stored for service.example.']);
  });

  it('warns that this VS Code keeps keys only in memory, once a saved one was lost in a reload', async () => {
    await keys.store('k', [origin]);
    keys.dispose();
    // Like a reload of VS Code in a browser.
    secrets = new MemorySecrets();
    keys = open('two');
    await type(undefined, undefined);
    assert.match(
      prompts[0] ?? '',
      /This VS Code keeps keys in memory only: you need to set it again after each reload/,
    );
    // A key that still exists after a reload is kept permanently, wherever VS Code runs.
    await keys.store('k', [origin]);
    keys.dispose();
    keys = open('three');
    await keys.read(origin);
    await type(undefined, undefined);
    assert.match(prompts[1] ?? '', /It's kept in VS Code's secret storage/);
  });

  it("reports that the secret storage didn't keep the key", async () => {
    secrets.refuses = true;
    await type('k', undefined);
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /secret storage didn't save the key/);
    assert.deepEqual(await keys.read(origin), { kind: 'setup', missing: 'apiKey' });
  });
});
