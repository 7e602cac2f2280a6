import assert from 'node:assert/strict';
import { shortModelName } from '../../../../src/vscode/statusBar/shortModelName.ts';

describe('The short name of a model', () => {
  it('names a model without its provider, and a long one by its ends', () => {
    assert.equal(shortModelName('kestrel/sparrow-mini'), 'sparrow-mini');
    assert.equal(shortModelName('harbor/eu-west/quill-8b'), 'eu-west/quill-8b');
    assert.equal(shortModelName('quill'), 'quill');
    assert.equal(shortModelName('odd/'), 'odd/');
    const long = shortModelName(`local/${'a'.repeat(60)}-instruct`);
    assert.ok(long.length <= 32 && long.endsWith('-instruct'), long);
  });

  it("keeps a path whole, because it doesn't start with a provider", () => {
    assert.equal(shortModelName('/models/quill.gguf'), '/models/quill.gguf');
    assert.equal(shortModelName('./quill.gguf'), './quill.gguf');
    assert.equal(shortModelName('~/models/quill.gguf'), '~/models/quill.gguf');
  });

  it('shows no icon that a name contains', () => {
    assert.ok(!shortModelName('local/$(flame)').includes('$('));
  });
});
