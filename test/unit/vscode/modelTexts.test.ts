import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../src/', import.meta.url));

/** Calls that show text that might be a model's, and the only files that may contain them. */
const makers: readonly (readonly [RegExp, readonly string[]])[] = [
  // An untitled document with content; opening a file or a URI isn't meant.
  [/openTextDocument\(\s*(?:\{|\))/, ['vscode/platform/documents/openModelText.ts']],
  [/registerTextDocumentContentProvider\(/, ['vscode/platform/documents/lateDocuments.ts']],
  [/registerFileSystemProvider\(|untitled:|scheme: 'untitled', path/, []],
  // A file that was just written, and is then shown.
  [
    /(?:fs\.writeFile|replaceFile|save|saveTo)\([^;]*;[^}]*(?:showTextDocument\(|'vscode\.open')/,
    [
      // Its rows are CSV or JSON Lines.
      'vscode/requests/exportRequests.ts',
    ],
  ],
  // An edit of the user's document. Whoever inserts text of a model asks `confirmInsert` first.
  [
    /applyEdit\(|editor\.edit\(/,
    [
      'vscode/platform/codeActs.ts',
      'vscode/prompts/into/applySpans.ts',
      'vscode/prompts/into/replyLenses.ts',
      'vscode/prompts/into/textFlow.ts',
      // YAML, in which VS Code makes no such links.
      'vscode/checks/newCheck.ts',
      'vscode/checks/useCheckedModel.ts',
      // A link to a file that Parlance wrote.
      'vscode/media/mediaActs.ts',
    ],
  ],
];

describe("A model's text", () => {
  it('reaches editors only through code that keeps links from running commands', async () => {
    const wrong: string[] = [];
    for await (const path of glob(`${root}vscode/**/*.ts`)) {
      const name = relative(root, path).replaceAll('\\', '/');
      const source = await readFile(path, 'utf8');
      for (const [maker, files] of makers)
        if (maker.test(source) && !files.includes(name)) wrong.push(`${name}: ${maker}`);
    }
    assert.deepEqual(wrong, [], 'use openModelText.ts or confirmInsert.ts of src/vscode/platform/documents/');
  });
});
