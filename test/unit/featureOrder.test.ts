import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type Crossing, crossingOf, importable, whyNoImport } from '../../build/lint/featureOrder.ts';
import { findFiles } from '../workbench/findFiles.ts';
import { projectPath } from '../workbench/folders.ts';

async function crossingsIn(pattern: string): Promise<readonly Crossing[]> {
  const sources = (await findFiles(pattern)).map(async (file) => {
    const source = await readFile(file, 'utf8');
    return Array.from(source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g), ([, specifier = '']) =>
      crossingOf(projectPath(file), specifier),
    );
  });
  return (await Promise.all(sources)).flat().filter((crossing) => crossing !== undefined);
}

// Imports between sources are the linter's.
describe('The order of features and pages', () => {
  it('is that of their style sheets too', async () => {
    const found = await crossingsIn('src/webview/**/*.css');
    assert.ok(found.length > 10, `${found.length} were found`);
    assert.deepEqual(
      found.map(whyNoImport).filter((reason) => reason !== undefined),
      [],
    );
  });

  it('lists nothing that nobody imports', async () => {
    const found = await crossingsIn('src/{vscode,webview}/**/*.{ts,css}');
    const unused = Object.entries(importable).flatMap(([layer, folders]) =>
      Object.entries(folders).flatMap(([from, allowed]) =>
        allowed
          .filter((to) => !found.some((each) => each.layer === layer && each.from === from && isIn(each.path, to)))
          .map((to) => `${from}: ${to}`),
      ),
    );
    assert.deepEqual(unused, []);
  });
});

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
