import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileTrouble } from '../../../../src/vscode/disk/jsonFile.ts';
import { KeptColumns } from '../../../../src/vscode/compare/keptColumns.ts';
import { failOnFaults } from '../../../workbench/failOnFaults.ts';

describe('The columns of a comparison', () => {
  let folder: string;
  const troubles: FileTrouble[] = [];
  const opened = () => new KeptColumns(folder, (trouble) => troubles.push(trouble));
  const columns = [
    { id: 'c1', model: 'local/echo' },
    { id: 'c3', model: `llama::/home/${'someone/'.repeat(100)}tiny.gguf` },
    { id: 'c2', model: 'local/echo', options: { temperature: 0.9, systemPrompt: 'Be short.' } },
  ];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-columns-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  failOnFaults('no error was reported', () => troubles.splice(0));

  it("are the ones that were shown last, with their own parameters, until they're removed", async () => {
    const kept = opened();
    void kept.keep('k', columns.slice(0, 1));
    void kept.keep('k', columns);
    assert.deepEqual(await kept.read('k'), columns);
    assert.deepEqual(await opened().read('k'), columns);
    void kept.keep('k', columns.slice(1));
    await kept.settled();
    assert.deepEqual(await opened().read('k'), columns.slice(1));
    void kept.remove('k');
    assert.deepEqual([await kept.read('k'), await readdir(folder)], [undefined, []]);
  });

  it('of different comparisons are both kept if two windows save them', async () => {
    const [here, there] = [opened(), opened()];
    await Promise.all([here.read('a'), there.read('a')]);
    await Promise.all([here.keep('a', columns), there.keep('b', columns.slice(1))]);
    assert.deepEqual([await there.read('a'), await here.read('b')], [columns, columns.slice(1)]);
  });

  it('are set aside and reported if their file is damaged, and can be kept again', async () => {
    await writeFile(join(folder, 'k.json'), '{"version":1,');
    const kept = opened();
    assert.equal(await kept.read('k'), undefined);
    const [trouble] = troubles.splice(0);
    assert.ok(trouble?.kind === 'damaged');
    assert.equal(await readFile(trouble.keptAs, 'utf8'), '{"version":1,');
    await kept.keep('k', columns);
    assert.deepEqual(await opened().read('k'), columns);
    assert.equal(await readFile(trouble.keptAs, 'utf8'), '{"version":1,');
  });

  it('are left alone if a newer version wrote them, and set aside before they are replaced', async () => {
    const newer = JSON.stringify({ version: 2, value: 'unknown' });
    await writeFile(join(folder, 'k.json'), newer);
    const kept = opened();
    assert.equal(await kept.read('k'), undefined);
    assert.equal(await readFile(join(folder, 'k.json'), 'utf8'), newer);
    await kept.keep('k', columns);
    const told = troubles.splice(0);
    assert.deepEqual(
      told.map(({ kind }) => kind),
      ['newer', 'newer'],
    );
    const keptAs = told.flatMap((trouble) => ('keptAs' in trouble ? [trouble.keptAs ?? ''] : []));
    assert.deepEqual(await Promise.all(keptAs.map((path) => readFile(path, 'utf8'))), [newer]);
  });
});
