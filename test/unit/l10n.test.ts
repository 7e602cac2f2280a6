import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('The translation bundle', () => {
  it('holds every string of the sources and no other; `npm run l10n` brings it up to date', async function () {
    // Parses every source, and shares the processor with other suites.
    this.timeout(300_000);
    const folder = await mkdtemp(join(tmpdir(), 'parlance-l10n-'));
    try {
      const cli = join(root, 'node_modules/@vscode/l10n-dev/dist/cli.js');
      await promisify(execFile)(process.execPath, [cli, 'export', '--outDir', folder, './src'], { cwd: root });
      const [made, kept] = await Promise.all(
        [folder, join(root, 'l10n')].map(async (place) =>
          JSON.parse(await readFile(join(place, 'bundle.l10n.json'), 'utf8')),
        ),
      );
      assert.deepEqual(kept, made);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
