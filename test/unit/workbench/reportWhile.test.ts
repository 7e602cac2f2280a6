import assert from 'node:assert/strict';
import { reportWhile } from '../../workbench/reportWhile.ts';

describe('Work without its own progress display', () => {
  it('is reported as running until it ends, successfully or not', async () => {
    const lines: string[] = [];
    const { promise: told, resolve } = Promise.withResolvers<void>();
    const report = (line: string): void => {
      lines.push(line);
      if (lines.length === 3) resolve();
    };
    assert.equal(await reportWhile(report, '1 of 3: the server…', () => told.then(() => 7), 1), 7);
    assert.equal(lines[0], '1 of 3: the server…');
    assert.match(lines[1] ?? '', /^1 of 3: the server… \d+ s so far$/);
    const count = lines.length;
    await assert.rejects(
      reportWhile(report, 'More…', () => Promise.reject(new Error('no')), 1),
      /no/,
    );
    await new Promise((later) => setTimeout(later, 20));
    assert.equal(lines.length, count + 1);
  });
});
