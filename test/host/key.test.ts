import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { type ApiKey, ApiKeyStore, mayGoTo } from '../../src/vscode/service/apiKeyStore.ts';
import { mainServiceId } from '../../src/shared/modelRef.ts';
import { KeyMemory } from '../../src/vscode/service/keyMemory.ts';
import { createRedactor } from '../../src/vscode/platform/redactor.ts';
import { MemoryMemento } from './memoryMemento.ts';
import { MemorySecrets } from './memorySecrets.ts';

const origin = 'https://service.example';
const canary = 'sk-canary-7f3a91';

describe('The API key store', () => {
  let secrets: MemorySecrets;
  let notes: MemoryMemento;
  let environment: string | undefined;
  let beforehand: string | undefined;
  let store: ApiKeyStore;
  const redactor = createRedactor();
  const errors: unknown[] = [];
  const another = (session = 'one') => {
    const variables = () => ({ SERVICE_API_KEY: environment, SERVICE_API_KEY_ORIGINS: beforehand });
    const onError = (error: unknown) => errors.push(error);
    return new ApiKeyStore({
      secrets,
      service: mainServiceId,
      environment: variables,
      memory: new KeyMemory(notes, mainServiceId),
      redactor,
      onError,
      session,
    });
  };
  const stored: ApiKey = { key: canary, source: 'stored', origins: [origin] };

  beforeEach(() => {
    secrets = new MemorySecrets();
    notes = new MemoryMemento();
    environment = undefined;
    beforehand = undefined;
    errors.length = 0;
    store = another();
  });
  afterEach(() => store.dispose());

  it("asks for a key when there's none", async () => {
    assert.deepEqual(await store.read(origin), { kind: 'setup', missing: 'apiKey' });
    assert.deepEqual(await store.sources(), { stored: false, lost: false, environment: false });
  });

  it("returns the stored key, trimmed, before the environment's", async () => {
    environment = 'from-environment';
    assert.equal(await store.store(`  ${canary}\n`, [origin]), 'stored');
    assert.deepEqual(await store.read(origin), stored);
    assert.deepEqual(await store.sources(), { stored: true, lost: false, environment: true });
  });

  it("returns the environment's current key when nothing is stored", async () => {
    environment = ' one ';
    assert.deepEqual(await store.read(origin), { key: 'one', source: 'environment', origins: [''] });
    environment = 'two';
    assert.deepEqual(await store.read(origin), { key: 'two', source: 'environment', origins: [''] });
    environment = 'with blanks in it';
    assert.deepEqual(await store.read(origin), { kind: 'setup', missing: 'validApiKey' });
    environment = '   ';
    assert.deepEqual(await store.read(origin), { kind: 'setup', missing: 'apiKey' });
  });

  it('sends a stored key only to the origins it was saved for, even when the environment has one', async () => {
    environment = 'from-environment';
    const origins = [origin, 'https://native.example'];
    await store.store(canary, origins);
    for (const other of ['http://service.example', 'https://service.example:8443', 'https://evil.example']) {
      const key = await store.read(other);
      assert.ok(!('kind' in key));
      assert.deepEqual(key, { ...stored, origins });
      assert.equal(mayGoTo(key, other), false, other);
      assert.equal(mayGoTo(key, origin), true);
    }
  });

  it('sends a key to another origin once the user allows it, and still to the first', async () => {
    await store.store(canary, [origin]);
    assert.equal(await store.allowFor(['https://new.example']), true);
    assert.deepEqual(await store.read(origin), { ...stored, origins: [origin, 'https://new.example'] });
    await store.remove();
    assert.equal(await store.allowFor([origin]), false);
  });

  it("sends the environment's key to no origin until the user allows it once for all windows", async () => {
    environment = canary;
    const goes = async (to: string, through = store) => {
      const key = await through.read(to);
      return 'kind' in key ? key.missing : mayGoTo(key, to);
    };
    assert.equal(await goes(origin), false);
    assert.equal(await store.allowFor([origin]), true);
    assert.equal(await goes(origin), true);
    assert.equal(await goes(origin, another('two')), true);
    assert.equal(await goes('https://new.example'), false);
    beforehand = 'https://ci.example, http://127.0.0.1:*';
    assert.deepEqual(
      [await goes('https://ci.example'), await goes('http://127.0.0.1:8080'), await goes('https://other.example')],
      [true, true, false],
    );
  });

  it("never replaces a saved key that was lost with the environment's: it reports the loss", async () => {
    environment = 'from-environment';
    await store.store(canary, [origin]);
    // Like a reload of VS Code in a browser.
    secrets = new MemorySecrets();
    const reloaded = another('two');
    const gone = { kind: 'setup', missing: 'savedApiKey', found: 'service.example' };
    assert.deepEqual(await reloaded.read(origin), gone);
    assert.deepEqual(await reloaded.read('https://new.example'), gone);
    assert.equal(await reloaded.allowFor(['https://new.example']), false);
    assert.equal(await reloaded.lifetime(), 'lost');
    await reloaded.remove();
    assert.deepEqual(await reloaded.read(origin), { key: environment, source: 'environment', origins: [''] });
  });

  it('concludes that keys are permanent if one still existed in a later session', async () => {
    await store.store(canary, [origin]);
    await another('two').read(origin);
    assert.equal(await store.lifetime(), 'lasting');
  });

  it("doesn't conclude from a key that was removed in another profile that keys are lost in a reload", async () => {
    // Profiles share the secrets, and each has its own notes.
    const removeElsewhere = () => secrets.delete('parlance.apiKey');
    await store.store(canary, [origin]);
    await removeElsewhere();
    assert.deepEqual([(await store.sources()).lost, await store.lifetime()], [true, 'unknown']);
    await store.store(canary, [origin]);
    await another('two').read(origin);
    await removeElsewhere();
    const later = another('three');
    assert.deepEqual([(await later.sources()).lost, await later.lifetime()], [true, 'lasting']);
  });

  it('has no key for a service that needs none, until one is stored for it', async () => {
    environment = 'from-environment';
    await store.useNone(origin);
    assert.deepEqual(await store.read(origin), { key: undefined, source: 'none', origins: [] });
    const elsewhere = await store.read('https://other.example');
    assert.equal('source' in elsewhere && elsewhere.source, 'environment');
    await store.store(canary, [origin]);
    assert.deepEqual(await store.read(origin), stored);
  });

  it("refuses and doesn't store what a header can't contain", async () => {
    for (const text of ['', ' ', 'a b', 'a\u00e9', 'line\nbreak', 'x'.repeat(513)]) {
      assert.equal(await store.store(text, [origin]), 'invalid', JSON.stringify(text));
    }
    assert.deepEqual(await secrets.keys(), []);
  });

  it("reads back what it stored, and says when the storage didn't keep it", async () => {
    secrets.forgetful = true;
    assert.equal(await store.store(canary, [origin]), 'notKept');
  });

  it('changes nothing if the storage refuses a key: the environment\'s stays in use, and so does "no key needed"', async () => {
    environment = 'from-environment';
    secrets.refuses = true;
    assert.equal(await store.store(canary, [origin]), 'notKept');
    assert.equal(errors.length, 1);
    assert.deepEqual(await store.read(origin), { key: environment, source: 'environment', origins: [''] });
    assert.deepEqual(await store.sources(), { stored: false, lost: false, environment: true });
    await store.useNone(origin);
    assert.equal(await store.store(canary, [origin]), 'notKept');
    assert.deepEqual(await store.read(origin), { key: undefined, source: 'none', origins: [] });
    // An existing key neither loses nor gains an origin.
    secrets.refuses = false;
    assert.equal(await store.store(canary, [origin]), 'stored');
    secrets.refuses = true;
    assert.equal(await store.allowFor(['https://new.example']), false);
    assert.deepEqual(await store.read(origin), stored);
    assert.deepEqual(notes.get('parlance.keyNotes'), {
      keyless: [],
      saved: { origins: [origin], session: 'one', survived: false },
    });
  });

  it("doesn't mistake a key that is saved again for one kept from an earlier session", async () => {
    await store.store(canary, [origin]);
    secrets = new MemorySecrets();
    const reloaded = another('two');
    const reads: Promise<unknown>[] = [];
    const subscription = reloaded.onDidChange(() => reads.push(reloaded.read(origin)));
    await reloaded.store('sk-another', [origin]);
    await Promise.all(reads);
    assert.equal(reads.length, 1);
    assert.equal(new KeyMemory(notes, mainServiceId).saved?.survived, false);
    subscription.dispose();
    reloaded.dispose();
  });

  it('notices at once what another window did', async () => {
    const elsewhere = another();
    let changes = 0;
    const subscription = store.onDidChange(() => (changes += 1));
    await elsewhere.store(canary, [origin]);
    assert.deepEqual(await store.read(origin), stored);
    await elsewhere.remove();
    assert.deepEqual(await store.read(origin), { kind: 'setup', missing: 'apiKey' });
    assert.equal(changes, 2);
    subscription.dispose();
    elsewhere.dispose();
  });

  it('reports that the key is lost if its entry is damaged', async () => {
    await store.store(canary, [origin]);
    const [name] = await secrets.keys();
    assert.ok(name);
    await secrets.store(name, canary);
    assert.deepEqual(await store.read(origin), { kind: 'setup', missing: 'savedApiKey', found: 'service.example' });
  });

  it('hides the key when the object is printed, and registers it with the redactor', async () => {
    await store.store(canary, [origin]);
    await store.read(origin);
    const seen = inspect(store, { depth: 10, showHidden: true }) + JSON.stringify(redactor);
    assert.ok(!seen.includes('canary'), seen);
    assert.equal(redactor.clean(`the key ${canary}`), 'the key [key]');
  });
});
