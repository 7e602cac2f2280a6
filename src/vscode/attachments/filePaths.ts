import type * as vscode from 'vscode';

type Address = Pick<vscode.Uri, 'scheme' | 'path' | 'query'>;

/**
 * A path with `/` between its parts. Where the file is on Windows, which may be at the other end of a remote window, a
 * backslash parts names too; elsewhere it's a letter like others.
 *
 * @param folder path of a folder of the same machine, as addresses have it
 */
export function withSlashes(path: string, folder: string, isWindows = process.platform === 'win32'): string {
  return isWindows || /^\/(?:[a-z]:|\/)/i.test(folder) ? path.replaceAll('\\', '/') : path;
}

/** The paths that an address itself names: a version of a file that git shows has the file's path in its query. */
export function namedPaths({ scheme, path, query }: Address): readonly string[] {
  const paths = [path];
  if (scheme !== 'git') return paths;
  // Git's extension adds an ending of its own where the language of a file isn't to be told by its name.
  if (path.endsWith('.git')) paths.push(path.slice(0, -'.git'.length));
  const inQuery = pathIn(query);
  return inQuery === undefined ? paths : [...paths, inQuery];
}

function pathIn(query: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(query);
    const isNamed = typeof parsed === 'object' && parsed !== null && 'path' in parsed;
    return isNamed && typeof parsed.path === 'string' ? parsed.path : undefined;
  } catch {
    return undefined;
  }
}
