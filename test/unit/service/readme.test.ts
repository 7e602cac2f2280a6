import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { helpText } from '../../service/cliOptions.ts';
import { faultTable } from '../../service/pages/faultTable.ts';
import { modelTable } from '../../service/modelTable.ts';

describe('The README of the service', () => {
  it('has the current tables of models and faults', async () => {
    const readme = await readFile(new URL('../../service/README.md', import.meta.url), 'utf8');
    for (const table of [modelTable(), faultTable()]) {
      assert.ok(readme.includes(table), 'run `npm run service -- --models` and put its output into the README');
    }
  });

  it('names only existing options', async () => {
    const readme = await readFile(new URL('../../service/README.md', import.meta.url), 'utf8');
    const named = readme.match(/--[a-z][a-z-]*/g) ?? [];
    assert.ok(named.length > 5);
    for (const option of named) assert.ok(helpText.includes(option), option);
  });
});
