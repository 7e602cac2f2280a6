import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../../src/', import.meta.url));

describe('An address', () => {
  it('is opened only by openAddress, which keeps what is encoded in it', async () => {
    const found: string[] = [];
    for await (const path of glob(`${root}**/*.ts`)) {
      const source = await readFile(path, 'utf8');
      if (source.includes('openExternal')) {
        found.push(relative(root, path).replaceAll('\\', '/'));
      }
    }
    // The second opens a file of this machine.
    assert.deepEqual(found.toSorted(), ['vscode/media/mediaActs.ts', 'vscode/platform/pages/openAddress.ts']);
  });
});
