import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WindowProcess } from './windowProcesses.ts';

describe("A window's process", () => {
  it('that ends before it is ready counts as killed, and as broken', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'parlance-window-'));
    const program = join(folder.path, 'program.mjs');
    await writeFile(program, 'process.exit(3);');
    const window = new WindowProcess(program, folder.path, Date.now());
    assert.deepEqual(await window.ask({ type: 'settle' }), { type: 'killed' });
    assert.deepEqual(window.broken, ['It ended before it was ready, with 3']);
  });
});
