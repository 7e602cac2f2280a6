import type * as vscode from 'vscode';

type Address = Pick<vscode.Uri, 'scheme' | 'path' | 'query'>;

/**
 * A path with `/` between its parts. If the file is on Windows, which can be at the other end of a remote window, a
 * backslash is a separator too; elsewhere it's an ordinary character.
 * @param folder a folder's path on the same machine, as in its URI
 */
export function withSlashes(path: string, folder: string, isWindows = process.platform === 'win32'): string {
  return isWindows || /^\/(?:[a-z]:|\/)/i.test(folder) ? path.replaceAll('\\', '/') : path;
}

/** The paths in a URI: git's version of a file has the file's path in the query. */
export function namedPaths({ scheme, path, query }: Address): readonly string[] {
  const paths = [path];
  if (scheme !== 'git') return paths;
  // VS Code's Git extension appends a file extension if a file's name doesn't show its language.
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
