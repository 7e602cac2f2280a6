import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import fc from 'fast-check';
import { applyHunks, changedPart, lineHunks } from '../../../../src/core/prompts/lineMerge.ts';
import { Proposal } from '../../../../src/core/prompts/proposal.ts';

const base = 'a\nb\nc\nd\ne\nf\ng';
const proposed = 'a\nB\nc\nd\ne\nf2\nf3\ng';
const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd'), { maxLength: 12 }).map((items) => items.join('\n'));

describe('Changes of lines', () => {
  it('lead from one text to the other', () => {
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        const hunks = lineHunks(one, other);
        assert.equal(applyHunks(one, hunks), other);
        for (const [index, hunk] of hunks.entries()) {
          const next = hunks[index + 1];
          assert.ok(next === undefined || next.from > hunk.to);
        }
      }),
    );
  });

  it('are one change if texts are very different, in little time', () => {
    const text = (seed: number) => Array.from({ length: 20_000 }, (_, index) => String(index * seed)).join('\n');
    assert.equal(applyHunks(text(3), lineHunks(text(3), text(7))), text(7));
  });

  it('of characters are the smallest part, and never half a character', () => {
    assert.deepEqual(changedPart('abcd', 'abXd'), { from: 2, to: 3, text: 'X' });
    assert.deepEqual(changedPart('a😀b', 'a😁b'), { from: 1, to: 3, text: '😁' });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        const { from, to, text } = changedPart(one, other);
        assert.equal(one.slice(0, from) + text + one.slice(to), other);
        assert.ok(text.isWellFormed());
      }),
    );
  });
});

describe('A proposed change', () => {
  it('shows each change where it would be', () => {
    const proposal = new Proposal(base, proposed);
    assert.equal(proposal.result, proposed);
    assert.deepEqual(proposal.changes(), [
      { origin: 1, from: 1, to: 2, proposedFrom: 1, proposedTo: 2 },
      { origin: 5, from: 5, to: 6, proposedFrom: 5, proposedTo: 7 },
    ]);
  });

  it('is applied change by change, and an undone change is offered again', () => {
    const proposal = new Proposal(base, proposed);
    const accept = () => {
      const change = proposal.accept(0);
      assert.ok(change);
      proposal.made(change);
      return change.text;
    };
    const first = accept();
    assert.equal(first, 'a\nB\nc\nd\ne\nf\ng');
    assert.equal(proposal.changes().length, 1);
    assert.equal(accept(), proposed);
    assert.equal(proposal.changes().length, 0);
    proposal.present = first;
    assert.equal(proposal.changes().length, 1);
    proposal.present = base;
    assert.equal(proposal.changes().length, 2);
    assert.equal(proposal.result, proposed);
  });

  it('keeps the origin of each change, whatever happens to the others', () => {
    const from = 'a\n1\n2\nb\nc\nd\ne\nf\ng';
    const proposal = new Proposal(from, 'A\na\nb\nB1\nB2\nc\nD\ne\nf2\ng');
    const origins = () => proposal.changes().map(({ origin }) => origin);
    const all = origins();
    assert.equal(new Set(all).size, 5);
    const make = (index: number) => {
      const change = proposal.accept(index);
      assert.ok(change);
      proposal.made(change);
    };
    make(1);
    assert.deepEqual(origins(), [all[0], ...all.slice(2)]);
    make(0);
    assert.deepEqual(origins(), all.slice(2));
    make(0);
    proposal.reject(0);
    assert.deepEqual(origins(), all.slice(4));
    proposal.present = `typed\n${proposal.present}`;
    assert.deepEqual(origins(), all.slice(4));
    proposal.present = from;
    assert.deepEqual(origins(), [...all.slice(0, 3), all[4]]);
  });

  it("keeps a change that couldn't be applied, whatever is typed before and after", () => {
    const proposal = new Proposal(base, proposed);
    proposal.present = `typed\n${base}`;
    const change = proposal.accept(0);
    assert.equal(change?.text, 'typed\na\nB\nc\nd\ne\nf\ng');
    // The document was read again: nothing had changed.
    proposal.present = `typed\n${base}`;
    proposal.present = `typed more\n${base}`;
    assert.equal(proposal.changes().length, 2);
    assert.equal(proposal.result, `typed more\n${proposed}`);
    assert.deepEqual(proposal.conflicts(), []);
  });

  it('accepts edits within an applied change', () => {
    const proposal = new Proposal(base, proposed);
    proposal.present = `typed\n${base}`;
    const change = proposal.accept(0);
    assert.ok(change);
    proposal.made(change);
    assert.equal(proposal.present, change.text);
    proposal.present = 'typed\na\nB mine\nc\nd\ne\nf\ng';
    assert.deepEqual(proposal.conflicts(), []);
    assert.equal(proposal.result, 'typed\na\nB mine\nc\nd\ne\nf2\nf3\ng');
  });

  it('is without a change that was rejected', () => {
    const proposal = new Proposal(base, proposed);
    proposal.reject(0);
    assert.equal(proposal.result, 'a\nb\nc\nd\ne\nf2\nf3\ng');
    proposal.reject(0);
    assert.equal(proposal.result, base);
    assert.deepEqual(proposal.changes(), []);
  });

  it("is merged with the user's edits elsewhere", () => {
    const proposal = new Proposal(base, proposed);
    proposal.present = 'new\na\nb\nc\nD!\ne\nf\ng';
    assert.equal(proposal.result, 'new\na\nB\nc\nD!\ne\nf2\nf3\ng');
    assert.deepEqual(proposal.conflicts(), []);
  });

  it("never overwrites the user's edits in the same lines", () => {
    const proposal = new Proposal(base, proposed);
    proposal.present = 'a\nmine\nc\nd\ne\nf\ng';
    assert.equal(proposal.result, 'a\nmine\nc\nd\ne\nf2\nf3\ng');
    assert.deepEqual(proposal.conflicts(), [{ from: 1, to: 2 }]);
    proposal.present = 'a\nc\nd\ne\nf\ng';
    assert.equal(proposal.result, 'a\nc\nd\ne\nf2\nf3\ng');
    assert.equal(proposal.conflicts().length, 1);
  });

  it('has nothing left if the user made the same change', () => {
    const proposal = new Proposal(base, proposed);
    proposal.present = proposed;
    assert.deepEqual([proposal.changes(), proposal.conflicts()], [[], []]);
  });

  it('keeps every line of the user, for any three texts', () => {
    fc.assert(
      fc.property(lines, lines, lines, (old, next, present) => {
        const proposal = new Proposal(old, next);
        proposal.present = present;
        const { result } = proposal;
        // Each of the user's own changes is still in the result.
        const kept = proposal.changes();
        const presentLines = present.split('\n');
        const untouched = presentLines.filter((_, index) => !kept.some(({ from, to }) => index >= from && index < to));
        let at = 0;
        const resultLines = result.split('\n');
        for (const line of untouched) {
          at = resultLines.indexOf(line, at) + 1;
          assert.ok(at > 0, JSON.stringify({ old, next, present, result }));
        }
        for (const { from, to } of kept) {
          // The text that was sent is replaced, not what the user wrote since.
          for (const line of presentLines.slice(from, to)) assert.ok(old.split('\n').includes(line));
        }
      }),
    );
  });
});
