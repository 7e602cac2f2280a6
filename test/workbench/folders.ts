import { join, relative, resolve, sep } from 'node:path';

export const projectFolder = resolve(import.meta.dirname, '../..');

/** Downloads and other files that are kept between runs. @vscode/test-electron uses the same folder. */
export const cacheFolder = join(projectFolder, '.vscode-test');

/** What failed tests leave for inspection. */
export const resultsFolder = join(projectFolder, 'test-results');

/** The path of a file in the project, with forward slashes on every system. */
export function projectPath(path: string): string {
  return relative(projectFolder, resolve(projectFolder, path)).split(sep).join('/');
}
