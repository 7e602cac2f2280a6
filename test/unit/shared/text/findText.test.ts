import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findText } from '../../../../src/shared/text/findText.ts';

describe('Finding text', () => {
  it('ignores case, and finds no overlapping matches', () => {
    assert.deepEqual(findText('Aa a', 'a'), [
      { start: 0, end: 1 },
      { start: 1, end: 2 },
      { start: 3, end: 4 },
    ]);
    assert.deepEqual(findText('aaaa', 'aa').length, 2);
    assert.deepEqual(findText('İstanbul straße ΣΑΣ', 'σας'), [{ start: 16, end: 19 }]);
  });

  it('finds nothing for an empty query', () => {
    assert.deepEqual(findText('a', ''), []);
  });

  it('matches every character literally', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string(), (query, before) => {
        const found = findText(`${before}\n${query}\n`, query);
        assert.ok(found.some(({ start, end }) => `${before}\n${query}`.slice(start, end) === query));
      }),
    );
    for (const query of ['a.b', '[x]', '(', '\\d', 'a-b', '&&', 'a|b', '^$', '{1}', '/']) {
      assert.equal(findText(`xx ${query} yy`, query).length, 1, query);
      assert.equal(findText('abc123', query).length, 0, query);
    }
  });
});
