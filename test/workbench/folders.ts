import { join, relative, resolve, sep } from 'node:path';

export const projectFolder = resolve(import.meta.dirname, '../..');

/** Downloads and what else is worth keeping between runs; the folder that @vscode/test-electron uses too. */
export const cacheFolder = join(projectFolder, '.vscode-test');

/** What failed tests leave to look at. */
export const resultsFolder = join(projectFolder, 'test-results');

/** The path of a file in the project, with forward slashes on every system. */
export function projectPath(path: string): string {
  return relative(projectFolder, resolve(projectFolder, path)).split(sep).join('/');
}
