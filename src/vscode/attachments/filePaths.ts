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

interface OpenFolder {
  readonly name: string;
  readonly uri: Pick<vscode.Uri, 'path'>;
}

/** The name of an open folder; if another has it too, as much of the end of its path as distinguishes them. */
export function folderName({ name, uri }: OpenFolder, folders: readonly OpenFolder[] = []): string {
  const same = folders.filter((folder) => folder.name === name && folder.uri.path !== uri.path);
  if (same.length === 0) return name;
  const others = same.map((folder) => folder.uri);
  const end = distinctEnd(uri, others);
  // Of a third folder, whose name isn't that of its path.
  return end !== name && folders.some((folder) => folder.name === end) ? uri.path : end;
}

/** The shortest end of a path, in whole parts, that no other path has. */
export function distinctEnd({ path }: Pick<vscode.Uri, 'path'>, others: readonly Pick<vscode.Uri, 'path'>[]): string {
  const parts = path.split('/');
  const ends = parts.map((_part, at) => parts.slice(-1 - at).join('/'));
  return ends.find((end) => !others.some((other) => other.path !== path && other.path.endsWith(`/${end}`))) ?? path;
}
