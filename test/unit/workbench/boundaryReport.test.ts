import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareBoundaries, knownItems, reportBoundaries } from '../../workbench/boundaryReport.ts';

describe('The report of what no test exercised', () => {
  const records = [
    { crossed: ['command a', 'button Yes'], offered: ['button Yes', 'button No'] },
    { crossed: ['command b'], offered: [] },
  ];

  it('names what was never exercised in any file, offers among it', () => {
    const { unexercised, outdated } = compareBoundaries(['command a', 'command b', 'command c'], records, {});
    assert.deepEqual(unexercised, ['button No', 'command c']);
    assert.deepEqual(outdated, []);
  });

  it('leaves out what has a reason, and names reasons that are not needed any more', () => {
    const reasons = { 'command c': 'why', 'command a': 'exercised now', 'command gone': 'not there any more' };
    const { unexercised, outdated } = compareBoundaries(['command a', 'command b', 'command c'], records, reasons);
    assert.deepEqual(unexercised, ['button No']);
    assert.deepEqual(outdated, ['command a', 'command gone']);
  });

  it('knows every command of the manifest and every message of the pages', async () => {
    const items = await knownItems();
    for (const item of [
      'command parlance.newChat',
      'message of chat to the page snapshot',
      'message of chat to the host runAction',
      'message of media to the page runRefused',
      'message of media to the host act',
      'message of usage to the page usage',
      'route menu',
    ]) {
      assert.ok(items.includes(item), item);
    }
    assert.equal(new Set(items).size, items.length);
  });

  it('fails a run that left something out', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-boundaries-'));
    try {
      await mkdir(join(folder, 'boundaries'));
      const record = { crossed: await knownItems(), offered: ['choice Some model’s name'] };
      await writeFile(join(folder, 'boundaries', 'one.json'), JSON.stringify({ crossed: [], offered: [] }));
      const said: string[] = [];
      assert.equal(await reportBoundaries(folder, (line: string) => said.push(line)), false);
      assert.match(said.join('\n'), /route menu/);
      await writeFile(join(folder, 'boundaries', 'two.json'), JSON.stringify(record));
      said.length = 0;
      await reportBoundaries(folder, (line: string) => said.push(line));
      assert.doesNotMatch(said.join('\n'), /no reason is given/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
