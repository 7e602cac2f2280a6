import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { findFiles } from '../workbench/findFiles.ts';
import { projectPath } from '../workbench/folders.ts';
import { readImporters } from '../workbench/importGraph.ts';

/** What writes to Parlance's own files although the fault suite doesn't drive it, and why. */
const others: Readonly<Record<string, string>> = {
  'src/vscode/service/listTurns.ts': 'stores nothing: a lock, and a note that is worth something for three seconds',
};

const writes =
  /from '(?:\.{1,2}\/)+disk\/(?:cacheFile|fileLock|journal|jsonFile|linesFile|partFile|removeFile|replaceFile|saver)\.ts'/;

/** What writes files with VS Code's own calls, which empty or delete an existing file first, and why that's no risk. */
const withOwnCalls: Readonly<Record<string, string>> = {
  'src/vscode/disk/uriFile.ts': 'on file systems that write a file in one piece',
  'src/vscode/checks/newCheck.ts': 'under a name that no file has',
  'src/vscode/prompts/files/newPrompt.ts': 'under a name that no file has',
  'src/vscode/media/mediaActs.ts': 'under a name that no file has',
};

describe('A file of the user', () => {
  it('is replaced as a whole or not at all', async () => {
    const found: string[] = [];
    for (const file of await findFiles('src/**/*.ts')) {
      if (/\bfs\s*\.(?:writeFile|copy|rename)\(/.test(await readFile(file, 'utf8'))) found.push(projectPath(file));
    }
    assert.deepEqual(
      found.toSorted(),
      Object.keys(withOwnCalls).toSorted(),
      'use saveTo of src/vscode/disk/uriFile.ts',
    );
  });
});

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
