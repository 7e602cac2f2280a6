import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawStreamed, drawWhole } from '../unit/webview/markdown/treeSink.ts';
import { projectFolder } from '../workbench/folders.ts';

/**
 * Markdown written by people: ours, and that of the installed packages.
 * @param packages a pattern for their names
 */
export async function realDocuments(packages = '**'): Promise<readonly (readonly [name: string, text: string])[]> {
  const names: string[] = [];
  const patterns = ['*.md', 'test/**/*.md', `node_modules/${packages}/*.md`];
  // Of the folders below `test`, some install packages of their own, on demand.
  const exclude = (name: string): boolean => /^test\W.*\bnode_modules\b/.test(name);
  for await (const name of glob(patterns, { cwd: projectFolder, exclude })) names.push(name);
  const documents: (readonly [string, string])[] = [];
  const seen = new Set<string>();
  for (const name of names.toSorted()) {
    const text = (await readFile(join(projectFolder, name), 'utf8')).replaceAll(/\r\n?/g, '\n');
    if (text.trim() === '' || seen.has(text)) continue;
    seen.add(text);
    documents.push([name, text]);
  }
  return documents;
}

/** Names of the documents that look different when they're streamed. */
export function changedByStreaming(documents: readonly (readonly [name: string, text: string])[]): readonly string[] {
  return documents.flatMap(([name, text]) => {
    try {
      assert.deepEqual(drawStreamed(piecesOf(text)), drawWhole(text));
      return [];
    } catch {
      return [name];
    }
  });
}

/** The same in each run. */
function piecesOf(text: string): readonly string[] {
  let state = text.length;
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const end = at + 1 + (state % 400);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}
