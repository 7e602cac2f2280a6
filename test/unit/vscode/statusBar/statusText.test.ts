import assert from 'node:assert/strict';
import { shortModelName } from '../../../../src/vscode/statusBar/shortModelName.ts';
import { replyFacts } from '../../../../src/vscode/statusBar/statusText.ts';

describe('The status bar', () => {
  it('names a model without its provider, and a long one by its ends', () => {
    assert.equal(shortModelName('kestrel/sparrow-mini'), 'sparrow-mini');
    assert.equal(shortModelName('harbor/eu-west/quill-8b'), 'eu-west/quill-8b');
    assert.equal(shortModelName('quill'), 'quill');
    assert.equal(shortModelName('odd/'), 'odd/');
    const long = shortModelName(`local/${'a'.repeat(60)}-instruct`);
    assert.ok(long.length <= 32 && long.endsWith('-instruct'), long);
  });

  it('keeps a path whole, which begins with no provider', () => {
    assert.equal(shortModelName('/models/quill.gguf'), '/models/quill.gguf');
    assert.equal(shortModelName('./quill.gguf'), './quill.gguf');
    assert.equal(shortModelName('~/models/quill.gguf'), '~/models/quill.gguf');
  });

  it('shows no icon that a name asks for', () => {
    assert.ok(!shortModelName('local/$(flame)').includes('$('));
  });

  it('says of the last reply what is known of it, and no more', () => {
    const here = (value: number) => ({ value, from: 'here' as const });
    assert.equal(
      replyFacts({
        timeToFirstTokenSeconds: here(0.312),
        tokensPerSecond: here(84.2),
        totalSeconds: here(3.41),
        promptTokens: here(412),
        completionTokens: here(261),
      }),
      '0.31 s first token · 84 tok/s · 3.4 s · 412 → 261 tokens',
    );
    assert.equal(replyFacts({ totalSeconds: here(1) }), '1.0 s');
    assert.equal(replyFacts({}), '');
  });
});
