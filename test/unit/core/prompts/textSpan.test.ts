import assert from 'node:assert/strict';
import { changesSpan, losesSpan, movedSpan, type TextSpan } from '../../../../src/core/prompts/textSpan.ts';

const text = 'before[part]after';
const part = { from: 7, to: 11 };

/** Where the part is after this edit; undefined if it's lost. */
function after(from: number, to: number, put: string, span: TextSpan = part): string {
  const change = { rangeOffset: from, rangeLength: to - from, text: put };
  const edited = text.slice(0, from) + put + text.slice(to);
  const moved = movedSpan(span, change);
  const isChanged = changesSpan(span, change) ? ', changed' : '';
  return losesSpan(span, change) ? 'lost' : edited.slice(moved.from, moved.to) + isChanged;
}

describe('A part of a text that is being edited', () => {
  it('moves with text inserted before it, and not with text after it', () => {
    assert.equal(after(0, 0, 'more '), 'part');
    assert.equal(after(0, 7, ''), 'part');
    assert.equal(after(7, 7, 'x'), 'part');
    assert.equal(after(11, 11, 'x'), 'part');
    assert.equal(after(11, 17, ''), 'part');
  });

  it('grows and shrinks with each edit in it', () => {
    assert.equal(after(9, 9, '--'), 'pa--rt, changed');
    assert.equal(after(8, 10, ''), 'pt, changed');
    assert.equal(after(7, 8, 'P'), 'Part, changed');
  });

  it('is lost if all of it is replaced, or an edit crosses an edge', () => {
    assert.equal(after(7, 11, ''), 'lost');
    assert.equal(after(7, 11, 'other'), 'lost');
    assert.equal(after(5, 8, ''), 'lost');
    assert.equal(after(10, 12, 'x'), 'lost');
    assert.equal(after(0, 17, text), 'lost');
  });

  it('includes an edit across an edge, for callers that need it', () => {
    assert.deepEqual(movedSpan(part, { rangeOffset: 5, rangeLength: 3, text: 'xy' }), { from: 5, to: 10 });
    assert.deepEqual(movedSpan(part, { rangeOffset: 10, rangeLength: 4, text: 'xy' }), { from: 7, to: 12 });
  });

  it('can be just a position: typed text goes before it', () => {
    const place = { from: 7, to: 7 };
    assert.deepEqual(movedSpan(place, { rangeOffset: 7, rangeLength: 0, text: 'abc' }), { from: 10, to: 10 });
    assert.deepEqual(movedSpan(place, { rangeOffset: 8, rangeLength: 0, text: 'abc' }), place);
    assert.equal(after(7, 7, 'abc', place), '');
    assert.equal(after(6, 8, '', place), 'lost');
  });
});
