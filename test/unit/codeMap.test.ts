import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path/posix';
import { findFiles } from '../workbench/findFiles.ts';
import { projectFolder, projectPath } from '../workbench/folders.ts';

/** The paths that a text names, as far as they're in the repository's folders with code. */
function pathsIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/`((?:src|test|build|docs|l10n)\/[\w./-]*)`/g), ([, path = '']) => path);
}

/** The folders that the first column of the map names. */
function mapped(text: string): readonly string[] {
  const [, map = ''] = text.split('### Map of the code\n');
  const rows = map.slice(0, map.indexOf('\n### ')).split('\n');
  return rows.flatMap((row) => pathsIn(row.split('|')[1] ?? ''));
}

/** Whether a row of the map covers a folder: its own, or one above it other than a layer. */
function isCovered(folder: string, rows: readonly string[]): boolean {
  return rows.some((row) => {
    const named = row.replace(/\/$/, '');
    return folder === named || (named.split('/').length > 2 && folder.startsWith(`${named}/`));
  });
}

describe('CONTRIBUTING', () => {
  let text = '';
  before(async () => void (text = await readFile(join(projectFolder, 'CONTRIBUTING.md'), 'utf8')));

  it('has each folder of src in its map', async () => {
    const folders = [
      ...new Set(
        (await findFiles('src/*/**/*.ts'))
          .map(projectPath)
          .filter((file) => !file.endsWith('.d.ts'))
          .map((file) => dirname(file)),
      ),
    ];
    assert.ok(folders.length > 50);
    const rows = mapped(text);
    assert.deepEqual(
      folders.filter((folder) => !isCovered(folder, rows)),
      [],
    );
  });

  it('names only paths that exist', () => {
    assert.deepEqual(
      pathsIn(text).filter((path) => !path.includes('*') && !existsSync(join(projectFolder, path))),
      [],
    );
  });

  it("isn't complete with the row of a layer alone", () => {
    assert.ok(!isCovered('src/core/new', ['src/core/', 'src/core/chat/']));
    assert.ok(isCovered('src/core/chat/parts', ['src/core/chat/']));
    assert.deepEqual(mapped('### Map of the code\n| `src/a/b/`, `src/c/` | see `src/d/` |\n\n### Rules'), [
      'src/a/b/',
      'src/c/',
    ]);
  });
});
