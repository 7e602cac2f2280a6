import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { ApiKeyStore } from '../../src/vscode/apiKeyStore.ts';
import { createRedactor } from '../../src/vscode/redactor.ts';
import { MemorySecrets } from './memorySecrets.ts';

const origin = 'https://service.example';
const canary = 'sk-canary-7f3a91';

describe('The API key store', () => {
  let secrets: MemorySecrets;
  let environment: string | undefined;
  let store: ApiKeyStore;
  const redactor = createRedactor();
  const another = () => new ApiKeyStore({ secrets, environmentKey: () => environment, redactor });

  beforeEach(() => {
    secrets = new MemorySecrets();
    environment = undefined;
    store = another();
  });
  afterEach(() => store.dispose());

  it('asks for a key when there is none', async () => {
    assert.deepEqual(await store.read([origin]), { kind: 'setup', missing: 'apiKey' });
    assert.deepEqual(await store.sources(), { stored: false, environment: false });
  });

  it('gives back what was stored, trimmed, before what the environment has', async () => {
    environment = 'from-environment';
    assert.equal(await store.store(`  ${canary}\n`, [origin]), 'stored');
    assert.deepEqual(await store.read([origin]), { key: canary, source: 'stored' });
    assert.deepEqual(await store.sources(), { stored: true, environment: true });
  });

  it('takes the environment’s key when nothing is stored, as it is at that moment', async () => {
    environment = ' one ';
    assert.deepEqual(await store.read([origin]), { key: 'one', source: 'environment' });
    environment = 'two';
    assert.deepEqual(await store.read([origin]), { key: 'two', source: 'environment' });
    environment = 'with blanks in it';
    assert.deepEqual(await store.read([origin]), { kind: 'setup', missing: 'validApiKey' });
    environment = '   ';
    assert.deepEqual(await store.read([origin]), { kind: 'setup', missing: 'apiKey' });
  });

  it('hands a stored key to no other origin, not even when the environment has one', async () => {
    environment = 'from-environment';
    await store.store(canary, [origin, 'https://native.example']);
    const refused = { kind: 'setup', missing: 'apiKeyForThisHost', found: 'service.example, native.example' };
    for (const other of ['http://service.example', 'https://service.example:8443', 'https://evil.example']) {
      assert.deepEqual(await store.read([other]), refused, other);
      assert.deepEqual(await store.read([origin, other]), refused, other);
    }
  });

  it('goes to another origin once the user allows it, and still to the first', async () => {
    await store.store(canary, [origin]);
    assert.equal(await store.allowFor(['https://new.example']), true);
    assert.deepEqual(await store.read([origin, 'https://new.example']), { key: canary, source: 'stored' });
    await store.remove();
    assert.equal(await store.allowFor([origin]), false);
  });

  it('refuses what no header can carry, and stores nothing of it', async () => {
    for (const text of ['', ' ', 'a b', 'a\u00e9', 'line\nbreak', 'x'.repeat(513)]) {
      assert.equal(await store.store(text, [origin]), 'invalid', JSON.stringify(text));
    }
    assert.deepEqual(await secrets.keys(), []);
  });

  it('reads back what it stored, and says when the storage did not keep it', async () => {
    secrets.forgetful = true;
    assert.equal(await store.store(canary, [origin]), 'notKept');
  });

  it('sees at once what another window did', async () => {
    const elsewhere = another();
    let changes = 0;
    const subscription = store.onDidChange(() => (changes += 1));
    await elsewhere.store(canary, [origin]);
    assert.deepEqual(await store.read([origin]), { key: canary, source: 'stored' });
    await elsewhere.remove();
    assert.deepEqual(await store.read([origin]), { kind: 'setup', missing: 'apiKey' });
    assert.equal(changes, 2);
    subscription.dispose();
    elsewhere.dispose();
  });

  it('treats a damaged entry as no key', async () => {
    await store.store(canary, [origin]);
    const [name] = await secrets.keys();
    assert.ok(name);
    await secrets.store(name, canary);
    assert.deepEqual(await store.read([origin]), { kind: 'setup', missing: 'apiKey' });
  });

  it('shows the key to nobody who looks at the object, and the redactor knows it', async () => {
    await store.store(canary, [origin]);
    await store.read([origin]);
    const seen = inspect(store, { depth: 10, showHidden: true }) + JSON.stringify(redactor);
    assert.ok(!seen.includes('canary'), seen);
    assert.equal(redactor.clean(`the key ${canary}`), 'the key [key]');
  });
});
