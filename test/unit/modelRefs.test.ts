import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { findFiles } from '../workbench/findFiles.ts';
import { projectFolder } from '../workbench/folders.ts';
import { join, relative } from 'node:path';

/** What a service is told, or told us: its own IDs. */
const ofTheWire: readonly string[] = ['src/vscode/service/serviceFactsFiles.ts', 'src/core/requests/requestDigest.ts'];

describe('A model', () => {
  it('is known by its service and its ID together, outside of what goes over the wire', async () => {
    const files = await findFiles(join(projectFolder, 'src/{core,shared,vscode,webview,words}/**/*.ts'));
    const bare = files.flatMap((file) => {
      const path = relative(projectFolder, file).replaceAll('\\', '/');
      if (ofTheWire.includes(path)) return [];
      const found = readFileSync(file, 'utf8').match(/\bmodel(?:Id)?\??: string\b.*/g) ?? [];
      return found.map((line) => `${path}: ${line}`);
    });
    assert.ok(files.length > 300);
    assert.deepEqual(bare, [], 'A model needs the type ModelRef: a name alone may go to the wrong service');
  });
});
