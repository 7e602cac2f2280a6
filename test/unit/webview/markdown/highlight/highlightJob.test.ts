import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { HighlightJob } from '../../../../../src/webview/markdown/highlight/highlightJob.ts';
import type { StyledLine } from '../../../../../src/webview/markdown/highlight/highlightProtocol.ts';

interface Run {
  /** The returned lines; empty for a plain line. */
  readonly taken: readonly string[];
  readonly restarts: number;
  /** What each worker received, in order. */
  readonly given: readonly (readonly string[])[];
}

/** Acts as the worker: it never returns from a poisonous line, and colors all others. */
function run(lines: readonly string[], isPoison: (line: string) => boolean): Run {
  const job = new HighlightJob('ts');
  job.add(lines);
  const given: string[][] = [[]];
  for (;;) {
    const batch = job.nextBatch(given.length - 1);
    if (batch.length === 0) break;
    if (batch.some(isPoison)) {
      job.stuck();
      given.push([]);
    } else {
      given.at(-1)?.push(...batch);
      job.styled(batch.map((text): StyledLine => (text === '' ? [] : [{ text, className: 'tok' }])));
    }
  }
  const taken: string[] = [];
  for (let line = job.take(); line !== undefined; line = job.take()) taken.push(line[0]?.text ?? '');
  return { taken, restarts: given.length - 1, given };
}

const poison = (line: string) => line.startsWith('<');
const short = Array.from({ length: 120 }, (_, index) => `line ${index}`);

describe('Code that a worker colors', () => {
  it('is sent in batches, and a long line alone', () => {
    const job = new HighlightJob('ts');
    job.add([...short.slice(0, 60), 'x'.repeat(200), 'last']);
    const sizes: number[] = [];
    for (;;) {
      const batch = job.nextBatch(0);
      if (batch.length === 0) break;
      sizes.push(batch.length);
      job.styled(batch.map(() => []));
    }
    assert.deepEqual(sizes, [50, 10, 1, 1]);
  });

  it('loses only the colors of a long line in which the worker gets stuck, with one restart', () => {
    const stuck = '<'.repeat(1999);
    const lines = [...short, stuck, ...short];
    const { taken, restarts, given } = run(lines, poison);
    assert.deepEqual(taken, [...short, '', ...short]);
    assert.equal(restarts, 1);
    // The second worker gets the lines before it: a comment might be open.
    assert.deepEqual(given[1], [...short, '', ...short]);
  });

  it('finds a short line in which the worker gets stuck', () => {
    const { taken, restarts } = run([...short, '<', ...short], poison);
    assert.deepEqual(taken, [...short, '', ...short]);
    assert.equal(restarts, 2);
  });

  it('stays plain from where the worker got stuck for the third time', () => {
    const long = '<'.repeat(300);
    const { taken, restarts } = run(['a', long, 'b', long, 'c', long, 'd'], poison);
    assert.deepEqual(taken, ['a', '', 'b', '', 'c', '', '']);
    assert.equal(restarts, 3);
  });

  it('returns every line exactly once and in order, whatever the worker gets stuck in', () => {
    const line = fc.constantFrom('a', 'b', '', '<', '<'.repeat(250), 'c'.repeat(250));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 200 }), (lines) => {
        const { taken, restarts } = run(lines, poison);
        assert.equal(taken.length, lines.length);
        assert.ok(restarts <= 3);
        taken.forEach((text, index) => assert.ok(text === '' || text === lines[index]));
        if (restarts < 3)
          assert.deepEqual(
            taken,
            lines.map((text) => (poison(text) ? '' : text)),
          );
      }),
    );
  });
});
