import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { findFiles } from '../workbench/findFiles.ts';
import { projectFolder } from '../workbench/folders.ts';
import { join, relative } from 'node:path';

/** What a service receives, or what it sent: its own IDs. */
const ofTheWire: readonly string[] = ['src/vscode/service/serviceFactsFiles.ts', 'src/core/requests/requestDigest.ts'];

/** An argument of `l10n.t`, `inline`, or `markdownText` that is only a model. */
const namedRaw =
  /(?:\bt\(\s*(?:'[^'\n]*'|"[^"\n]*"),(?:[^;()]*,)?\s*|\binline\(|\bmarkdownText\()(?:\w+\.)*model(?:\.id)?\s*[,)]/g;

/** An element's text or attribute, or a name for one, that is only a model. */
const drawnRaw =
  /\b(?:title|alt|'aria-label'|textContent)(?::| =) (?:\w+\.)*model\b(?!\()|\belement\([^;]*?, (?:\w+\.)*model\)|\bsetText\([^;]*?, (?:\w+\.)*model\)|=== '' \? (?:\w+\.)*model : /g;

describe('A model', () => {
  it('is identified by its service and its ID together, except on the wire', async () => {
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

  it('is never shown with the reference that identifies it inside Parlance', async () => {
    const files = await findFiles(join(projectFolder, 'src/webview/**/*.ts'));
    const drawn = files.flatMap((file) => {
      const found = readFileSync(file, 'utf8').match(drawnRaw) ?? [];
      return found.map((words) => `${relative(projectFolder, file)}: ${words.replaceAll(/\s+/g, ' ')}`);
    });
    assert.deepEqual(drawn, [], 'modelLabel names the service if there are several');
  });

  it('is worded by one function, wherever a text for users names it', async () => {
    // answerWords.ts has already worded what these two call a model.
    const isWorded = (file: string) => /(?:httpProblem|rejectionProblems)\.ts$/.test(file);
    const files = await findFiles(join(projectFolder, 'src/{core,vscode,webview}/**/*.ts'));
    const raw = files
      .filter((file) => !isWorded(file))
      .flatMap((file) => {
        const found = readFileSync(file, 'utf8').match(namedRaw) ?? [];
        return found.map((words) => `${relative(projectFolder, file)}: ${words.replaceAll(/\s+/g, ' ')}`);
      });
    assert.deepEqual(raw, [], 'modelLabel names the service if there are several');
  });
});
