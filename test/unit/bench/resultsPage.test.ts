import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { readKept, resultsPage } from '../../bench/results.ts';

describe('The README of the bench', () => {
  it('matches results.json and notes.md', async () => {
    const page = await readFile(new URL('../../bench/README.md', import.meta.url), 'utf8');
    assert.equal(page, await resultsPage(await readKept()));
  });
});
