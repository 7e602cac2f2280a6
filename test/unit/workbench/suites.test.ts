import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suites } from '../../suites.ts';
import { projectFolder } from '../../workbench/folders.ts';

describe('The slow suites', () => {
  it('are in a table in CONTRIBUTING, with how long each takes', async () => {
    const text = await readFile(join(projectFolder, 'CONTRIBUTING.md'), 'utf8');
    const [, table = ''] = text.split('| suite | what it runs | takes about |\n|---|---|---|\n');
    const rows = table.slice(0, table.indexOf('\n\n')).split('\n');
    const slow = suites.flatMap(({ name, what, onDemand: takes, inRelease }) => {
      if (takes !== undefined) return [`| \`${name}\` | ${what} | ${takes} |`];
      return inRelease === undefined ? [] : [`| \`${name}\` | ${inRelease.what} | ${inRelease.takes} |`];
    });
    assert.deepEqual(rows, slow);
  });
});
