import assert from 'node:assert/strict';
import { ReferenceIndex } from '../../../../../src/webview/markdown/stream/referenceIndex.ts';

describe('ReferenceIndex', () => {
  it('returns everything that might refer to a label, in any spelling, once', () => {
    const index = new ReferenceIndex<string>();
    index.add('see [The  Manual] and [x][the\nmanual]', 'first');
    index.add('[a][b] ![c]', 'second');
    assert.deepEqual([...index.take('the manual')], ['first']);
    assert.deepEqual([...index.take('the manual')], []);
    assert.deepEqual([...index.take('b'), ...index.take('c'), ...index.take('a')], ['second', 'second', 'second']);
  });
});
