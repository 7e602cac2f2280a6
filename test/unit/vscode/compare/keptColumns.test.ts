import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeptColumns } from '../../../../src/vscode/compare/keptColumns.ts';

describe('The columns of a comparison', () => {
  let folder: string;
  const errors: unknown[] = [];
  const opened = () => new KeptColumns(folder, (error) => errors.push(error));
  const columns = [
    { id: 'c1', model: 'local/echo' },
    { id: 'c2', model: 'local/echo', options: { temperature: 0.9, systemPrompt: 'Be short.' } },
  ];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-columns-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
    assert.deepEqual(errors.splice(0), []);
  });

  it("are the ones that were shown last, with their own parameters, until they're removed", async () => {
    const kept = opened();
    kept.keep('k', columns.slice(0, 1));
    kept.keep('k', columns);
    assert.deepEqual(await kept.read('k'), columns);
    assert.deepEqual(await opened().read('k'), columns);
    kept.keep('k', columns.slice(1));
    await kept.settled();
    assert.deepEqual(await opened().read('k'), columns.slice(1));
    kept.remove('k');
    assert.deepEqual([await kept.read('k'), await readdir(folder)], [undefined, []]);
  });

  it('are unknown if their file is damaged or from a newer version', async () => {
    await writeFile(join(folder, 'k.json'), JSON.stringify({ version: 2, columns }));
    assert.equal(await opened().read('k'), undefined);
    await writeFile(join(folder, 'k.json'), '{"version":1,');
    assert.equal(await opened().read('k'), undefined);
    assert.match(String(errors.splice(0)), /SyntaxError/);
  });
});
