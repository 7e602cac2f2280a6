import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { splitModelId } from '../../../../../src/webview/chat/composer/splitModelId.ts';

describe('splitModelId', () => {
  it('keeps a short ID whole', () => {
    assert.deepEqual(splitModelId('local/echo'), { head: '', tail: 'local/echo' });
    assert.deepEqual(splitModelId('kestrel/sparrow'), { head: '', tail: 'kestrel/sparrow' });
  });

  it('keeps the end of a long one readable', () => {
    assert.deepEqual(splitModelId('meta/llama-4-scout-17b-instruct'), {
      head: 'meta/llama-4-scou',
      tail: 't-17b-instruct',
    });
  });

  it('loses nothing and cuts no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (id) => {
        const { head, tail } = splitModelId(id);
        assert.equal(head + tail, id);
        assert.ok(tail.isWellFormed() || !id.isWellFormed());
      }),
    );
  });
});
