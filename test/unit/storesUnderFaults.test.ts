import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { findFiles } from '../workbench/findFiles.ts';
import { projectPath } from '../workbench/folders.ts';
import { readImporters } from '../workbench/importGraph.ts';

/** What writes to Parlance's own files although the fault suite doesn't drive it, and why. */
const others: Readonly<Record<string, string>> = {
  'src/vscode/service/listTurns.ts': 'stores nothing: a lock, and a note that is worth something for three seconds',
  'src/vscode/requests/exportRequests.ts': 'writes one file where the user wants it, and says so if that fails',
};

const writes =
  /from '(?:\.{1,2}\/)+disk\/(?:cacheFile|fileLock|journal|jsonFile|linesFile|partFile|removeFile|replaceFile|saver)\.ts'/;

describe('A store', () => {
  it('is in the fault suite, or is listed here with the reason', async () => {
    const driven = await readImporters(await findFiles('test/faults/stores/*.ts'));
    const missing: string[] = [];
    for (const file of await findFiles('src/vscode/**/*.ts')) {
      const path = projectPath(file);
      if (path.startsWith('src/vscode/disk/') || driven.has(path)) continue;
      const source = await readFile(file, 'utf8');
      // A type doesn't write.
      if (writes.test(source.replaceAll(/^import type .*$/gm, ''))) missing.push(path);
    }
    assert.deepEqual(missing.toSorted(), Object.keys(others).toSorted());
  });
});
