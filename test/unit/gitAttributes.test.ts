import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

describe('A clone with core.autocrlf, as in Git for Windows', () => {
  it('has the line feeds that the formatter and the golden files need', async function () {
    const isClone = await run('git', ['rev-parse', '--show-toplevel'], { cwd: root }).then(
      () => true,
      () => false,
    );
    // The sources might come from an archive.
    if (!isClone) this.skip();
    const folder = await mkdtemp(join(tmpdir(), 'parlance-clone-'));
    try {
      await run('git', ['clone', '--quiet', '--no-hardlinks', '-c', 'core.autocrlf=true', root, folder]);
      const { stdout } = await run('git', ['ls-files', '--eol'], { cwd: folder, maxBuffer: 16 * 1024 * 1024 });
      const lines = stdout.trim().split('\n');
      assert.ok(lines.length > 500);
      assert.deepEqual(
        lines.filter((line) => /\bw\/(crlf|mixed)\b/.test(line)),
        [],
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
