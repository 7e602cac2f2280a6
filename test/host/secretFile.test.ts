import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isSecretFile } from '../../src/vscode/attachments/secretFile.ts';

const scheme = 'parlance-elsewhere';
const root = vscode.Uri.from({ scheme, authority: 'host', path: '/project' });

/** Files on another machine: a link has its flag, and a file in a linked folder looks like any other. */
const links = new Set(['/project/linked', '/project/link.txt']);
const elsewhere = {
  onDidChangeFile: () => ({ dispose: () => undefined }),
  watch: () => ({ dispose: () => undefined }),
  stat: ({ path }: vscode.Uri) => ({
    type:
      (path.endsWith('.txt') ? vscode.FileType.File : vscode.FileType.Directory) +
      (links.has(path) ? vscode.FileType.SymbolicLink : 0),
    ctime: 0,
    mtime: 0,
    size: 1,
  }),
  readDirectory: () => [],
  createDirectory: () => undefined,
  readFile: () => new Uint8Array(),
  writeFile: () => undefined,
  delete: () => undefined,
  rename: () => undefined,
};

describe('A file on another machine that might contain secrets', () => {
  const { getWorkspaceFolder } = vscode.workspace;
  let provider: vscode.Disposable;
  before(() => {
    provider = vscode.workspace.registerFileSystemProvider(scheme, elsewhere);
    const folder = { uri: root, name: 'work', index: 0 };
    Object.assign(vscode.workspace, { getWorkspaceFolder: () => folder });
  });
  after(() => {
    Object.assign(vscode.workspace, { getWorkspaceFolder });
    provider.dispose();
  });

  for (const [path, isSecret] of [
    ['plain.txt', false],
    ['folder/plain.txt', false],
    ['.ENV', true],
    ['link.txt', true],
    ['linked/plain.txt', true],
    ['linked/folder/plain.txt', true],
  ] as const) {
    it(`${isSecret ? 'needs a confirmation' : 'is sent without a confirmation'}: ${path}`, async () => {
      assert.equal(await isSecretFile(vscode.Uri.joinPath(root, path)), isSecret);
    });
  }
});
