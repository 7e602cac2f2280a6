import assert from 'node:assert/strict';
import { GatheredBytes } from '../../../../src/api/calls/gatheredBytes.ts';

describe('Gathered bytes', () => {
  it('are everything that arrived, in order, for pieces of any size', () => {
    const gathered = new GatheredBytes();
    const pieces = [0, 1, 3, 4096, 1, 0, 10_000, 7].map((length, index) => Buffer.alloc(length, index));
    for (const piece of pieces) gathered.add(piece);
    const all = Buffer.concat(pieces);
    assert.equal(gathered.size, all.length);
    assert.deepEqual(Buffer.from(gathered.take()), all);
  });

  it("are gone after they were taken, and later bytes don't change them", () => {
    const gathered = new GatheredBytes();
    gathered.add(Buffer.from('one'));
    const first = gathered.take();
    assert.equal(gathered.size, 0);
    gathered.add(Buffer.from('two'));
    assert.equal(Buffer.from(first).toString(), 'one');
    assert.equal(Buffer.from(gathered.take()).toString(), 'two');
  });

  it('keep no reference to a piece, so its owner can reuse it', () => {
    const gathered = new GatheredBytes();
    const piece = Buffer.from('one');
    gathered.add(piece);
    piece.fill(0);
    assert.equal(Buffer.from(gathered.take()).toString(), 'one');
  });
});
