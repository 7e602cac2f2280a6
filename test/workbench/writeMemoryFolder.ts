import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const manifest = {
  name: 'memory-folder',
  publisher: 'parlance-test',
  version: '1.0.0',
  engines: { vscode: '^1.106.0' },
  main: './main.cjs',
  activationEvents: ['onFileSystem:memory'],
  capabilities: { virtualWorkspaces: true, untrustedWorkspaces: { supported: true } },
};

/** The minimum that VS Code requires of a file system: one writable folder with the given files. */
function source(files: Readonly<Record<string, string>>): string {
  return `const vscode = require('vscode');
const files = new Map(Object.entries(${JSON.stringify(files)}).map(([path, text]) => [path, Buffer.from(text)]));
const folders = () => new Set(['/', ...[...files.keys()].flatMap((path) =>
  path.split('/').slice(1, -1).map((_, depth, names) => '/' + names.slice(0, depth + 1).join('/')))]);
const changed = new vscode.EventEmitter();
const missing = (uri) => { throw vscode.FileSystemError.FileNotFound(uri); };
const { File, Directory } = vscode.FileType;
exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.workspace.registerFileSystemProvider('memory', {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose() {} }),
    stat(uri) {
      const file = files.get(uri.path);
      if (file === undefined && !folders().has(uri.path)) missing(uri);
      return { type: file ? File : Directory, ctime: 0, mtime: 1, size: file?.length ?? 0 };
    },
    readDirectory({ path }) {
      const inside = (name) => name !== path && name.startsWith(path === '/' ? '/' : path + '/') &&
        !name.slice(path.length + 1).includes('/');
      const name = (each) => each.slice(each.lastIndexOf('/') + 1);
      return [...[...folders()].filter(inside).map((each) => [name(each), Directory]),
        ...[...files.keys()].filter(inside).map((each) => [name(each), File])];
    },
    readFile: (uri) => files.get(uri.path) ?? missing(uri),
    writeFile(uri, content) {
      files.set(uri.path, Buffer.from(content));
      changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    },
    createDirectory() {},
    delete: (uri) => files.delete(uri.path) || missing(uri),
    rename: (uri) => missing(uri),
  }, { isCaseSensitive: true }));
};
`;
}

/**
 * A folder that isn't on a disk, under `memory:/`, like those that VS Code opens from the web.
 * @param extensions the server's folder of installed extensions
 * @param files their texts by path, starting with a slash
 */
export async function writeMemoryFolder(extensions: string, files: Readonly<Record<string, string>>): Promise<void> {
  const folder = join(extensions, `${manifest.publisher}.${manifest.name}-${manifest.version}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.cjs'), source(files));
}
