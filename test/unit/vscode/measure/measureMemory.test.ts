import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureDefaults } from '../../../../src/core/measuring/measureDefaults.ts';
import { MeasureMemory } from '../../../../src/vscode/measure/measureMemory.ts';

describe('The form of Measure Models', () => {
  let folder: string;
  let path: string;
  let troubles: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-measure-'));
    path = join(folder, 'measureForm.json');
    troubles = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const memory = () => new MeasureMemory(path, ({ kind }) => troubles.push(kind));

  it('starts with the defaults, and has its last values in the next window, a long text included', async () => {
    assert.deepEqual(await memory().form(), measureDefaults);
    const form = { ...measureDefaults, workload: 'ownText' as const, ownText: 'words '.repeat(100_000) };
    await memory().keep({ ...form, usesUniquePrefix: false });
    await memory().keep(form);
    assert.deepEqual(await memory().form(), form);
    assert.deepEqual(troubles, []);
  });

  it('never overwrites a damaged file, which is set aside and reported', async () => {
    await writeFile(path, '{"version":1,"value":{"ownText":"half of it');
    assert.deepEqual(await memory().form(), measureDefaults);
    await memory().keep(measureDefaults);
    assert.deepEqual(troubles, ['damaged']);
    const kept = (await readdir(folder)).find((name) => name.endsWith('.damaged')) ?? assert.fail();
    assert.match(await readFile(join(folder, kept), 'utf8'), /half of it$/);
  });
});
