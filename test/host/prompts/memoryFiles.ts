import * as vscode from 'vscode';

/** A file system in memory: a virtual workspace isn't on this disk either. */
export class MemoryFiles implements vscode.FileSystemProvider {
  readonly #files: ReadonlyMap<string, string>;
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  constructor(files: Readonly<Record<string, string>>) {
    this.#files = new Map(Object.entries(files));
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const text = this.#files.get(path);
    const isFolder = [...this.#files.keys()].some((name) => name.startsWith(`${path}/`));
    if (text === undefined && !isFolder) throw vscode.FileSystemError.FileNotFound();
    return {
      type: isFolder ? vscode.FileType.Directory : vscode.FileType.File,
      ctime: 0,
      mtime: 0,
      size: text?.length ?? 0,
    };
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    const names = [...this.#files.keys()]
      .filter((name) => name.startsWith(`${path}/`))
      .map((name) => name.slice(path.length + 1));
    if (names.length === 0) throw vscode.FileSystemError.FileNotFound();
    const files = names
      .filter((name) => !name.includes('/'))
      .map((name): [string, vscode.FileType] => [name, vscode.FileType.File]);
    const folders = new Set(names.filter((name) => name.includes('/')).map((name) => name.split('/')[0] ?? ''));
    return [...files, ...[...folders].map((name): [string, vscode.FileType] => [name, vscode.FileType.Directory])];
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    const text = this.#files.get(path);
    if (text === undefined) throw vscode.FileSystemError.FileNotFound();
    return new TextEncoder().encode(text);
  }

  watch = () => new vscode.Disposable(() => undefined);
  createDirectory = refuse;
  writeFile = refuse;
  delete = refuse;
  rename = refuse;
}

function refuse(): never {
  throw vscode.FileSystemError.NoPermissions();
}
