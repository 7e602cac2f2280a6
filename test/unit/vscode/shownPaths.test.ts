import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../src/vscode/', import.meta.url));

/** Code that uses VS Code's path of a file, or name of a folder, and why that can be the same for two of them. */
const others: Readonly<Record<string, string>> = {
  'attachments/filePaths.ts': 'distinguishes folders of the same name',
  'attachments/sources/documentContext.ts': 'the path that distinguishes files',
  'attachments/sources/folderTreeContext.ts': 'a chip, whose tooltip has the whole path',
  'checks/newFolders.ts': 'looks for parts of the path, and shows none',
  'measure/saveMeasurement.ts': 'the user has just selected that file',
  'media/mediaActs.ts': 'the user has just selected that file',
  'prompts/run/promptValues.ts': 'variables of prompts, which are the same as in VS Code',
};

describe('A path or a folder that users see', () => {
  it('is distinguished from that of the same name in another open folder, or is listed here with the reason', async () => {
    const found: string[] = [];
    for await (const path of glob(`${root}**/*.ts`)) {
      const source = await readFile(path, 'utf8');
      if (/asRelativePath\(|\b(?:folder|root)\??\.name\b/.test(source))
        found.push(relative(root, path).replaceAll('\\', '/'));
    }
    assert.deepEqual(found.toSorted(), Object.keys(others).toSorted());
  });
});
