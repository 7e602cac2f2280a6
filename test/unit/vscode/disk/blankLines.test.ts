import assert from 'node:assert/strict';
import { type FileHandle, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blankLines } from '../../../../src/vscode/disk/blankLines.ts';

describe('Lines of a file that are blanked', () => {
  let folder: string;
  let path: string;
  const kept = '{"id":"kept","text":"stays"}';
  const secret = '{"type":"ended","id":"gone","text":"a secret, and another secret"}';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-blank-'));
    path = join(folder, 'lines.jsonl');
    await writeFile(path, `${kept}\n${secret}\n${kept}\n`);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('leave the others where they were', async () => {
    await blankLines(path, new Set(['gone']));
    assert.equal(await readFile(path, 'utf8'), `${kept}\n${' '.repeat(secret.length)}\n${kept}\n`);
  });

  it('are found again if their window was killed halfway through, wherever that was', async () => {
    for (let written = 0; written < secret.length; written += 1) {
      await writeFile(path, `${kept}\n${secret}\n${kept}\n`);
      await assert.rejects(
        stoppedAfter(written, () => blankLines(path, new Set(['gone']))),
        /killed/,
      );
      await blankLines(path, new Set(['gone']));
      const text = await readFile(path, 'utf8');
      assert.ok(!text.includes('secret'), `${written}: ${text}`);
      assert.equal(text.replaceAll(/ {9,}/g, '').split(kept).length, 3);
    }
  });
});

/** Lets this many bytes be written, and then no more. */
async function stoppedAfter(count: number, work: () => Promise<void>): Promise<void> {
  const file = await open('.', 'r');
  const handles: { write: (...args: unknown[]) => Promise<unknown> } = Object.getPrototypeOf(file);
  await file.close();
  const { write } = handles;
  let left = count;
  handles.write = async function (this: FileHandle, ...[bytes, at, length, position]) {
    const allowed = Math.min(left, Number(length));
    left -= allowed;
    const done = await Reflect.apply(write, this, [bytes, at, allowed, position]);
    if (allowed < Number(length)) throw new Error('killed');
    return done;
  };
  try {
    await work();
  } finally {
    handles.write = write;
  }
}
