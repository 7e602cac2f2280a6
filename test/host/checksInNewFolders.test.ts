import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { watchNewFolders } from '../../src/vscode/checks/newFolders.ts';
import { eventually } from './eventually.ts';
import { watched } from './watched.ts';

describe('Checks in folders that appear', () => {
  let workspace: string;
  let outside: string;
  let own: vscode.Disposable;
  let found: string[];
  let failures: unknown[];

  /** Writes empty files below `outside`, by their paths. */
  const write = async (...paths: readonly string[]) => {
    for (const path of paths) {
      await mkdir(dirname(join(outside, path)), { recursive: true });
      await writeFile(join(outside, path), '');
    }
  };
  /** Like another program: VS Code's watcher reports each of these, and nothing in them. */
  const moveIn = async (...names: readonly string[]) => {
    for (const name of names) await rename(join(outside, name), join(workspace, name));
  };

  /** VS Code's watcher might report the same folder in pieces. */
  const seen = () => [...new Set([...found, ...failures.map(String)])].toSorted();

  beforeEach(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    await watched(folder.uri);
    workspace = join(folder.uri.fsPath, 'newFolders.test');
    outside = await mkdtemp(join(tmpdir(), 'parlance-outside-'));
    found = [];
    failures = [];
    own = watchNewFolders({
      found: ({ fsPath }) => void found.push(fsPath.slice(workspace.length + 1)),
      onError: (cause) => void failures.push(cause),
    });
    // New itself, and found like any other.
    await write('base/before.checks.yaml');
    await rename(join(outside, 'base'), workspace);
    await eventually('the checks that were there before', () => found.length > 0);
    assert.deepEqual(seen(), ['before.checks.yaml']);
    found.length = 0;
  });
  afterEach(async () => {
    own.dispose();
    for (const folder of [workspace, outside]) await rm(folder, { recursive: true });
  });

  it('are found at any depth, but not in packages', async () => {
    await write(
      'node_modules/a/promptfooconfig.yaml',
      'moved/deep/in.checks.yaml',
      'moved/node_modules/b/b.checks.yaml',
    );
    await moveIn('node_modules', 'moved');
    await eventually('the moved checks', () => found.length > 0);
    assert.deepEqual(seen(), [join('moved', 'deep', 'in.checks.yaml')]);
  });

  it('are found in a folder that replaces another one at once, which VS Code reports as a change', async () => {
    await write('moved/old.checks.yaml');
    await moveIn('moved');
    await eventually('those of the first folder', () => found.length > 0);
    await write('moved/new.checks.yaml');
    await rm(join(workspace, 'moved'), { recursive: true });
    await moveIn('moved');
    await eventually('those of the second folder', () => found.includes(join('moved', 'new.checks.yaml')));
  });

  it('are found among many folders, without those that were there before', async () => {
    const many = Array.from({ length: 150 }, (_each, at) => `folder ${at}`);
    await write(...many.map((name) => join(name, 'in.checks.yaml')));
    await moveIn(...many);
    await eventually('all of them', () => new Set(found).size === 150);
    assert.deepEqual(seen(), many.map((name) => join(name, 'in.checks.yaml')).toSorted());
  });

  it('are found in the others if one of the folders cannot be searched', async () => {
    await write('broken/in.checks.yaml', 'kept/in.checks.yaml');
    const { findFiles } = vscode.workspace;
    const failing = async (...args: Parameters<typeof findFiles>) => {
      const [pattern] = args;
      if (typeof pattern !== 'string' && pattern.baseUri.path.endsWith('/broken')) throw new Error('Not this one');
      return findFiles(...args);
    };
    Object.assign(vscode.workspace, { findFiles: failing });
    try {
      await moveIn('broken', 'kept');
      await eventually('the other', () => found.length > 0 && failures.length > 0);
    } finally {
      Object.assign(vscode.workspace, { findFiles });
    }
    assert.deepEqual(seen(), ['Error: Not this one', join('kept', 'in.checks.yaml')]);
  });

  it("aren't looked for in a workspace that isn't trusted", async () => {
    await write('moved/in.checks.yaml', 'last/in.checks.yaml');
    const isTrusted = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
    assert.ok(isTrusted);
    Object.defineProperty(vscode.workspace, 'isTrusted', { get: () => false, configurable: true });
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(workspace, 'moved'));
    try {
      const reported = Promise.withResolvers<unknown>();
      watcher.onDidCreate(reported.resolve);
      await moveIn('moved');
      await reported.promise;
    } finally {
      watcher.dispose();
      Object.defineProperty(vscode.workspace, 'isTrusted', isTrusted);
    }
    await moveIn('last');
    await eventually('the folder that was moved afterwards', () => found.length > 0);
    assert.deepEqual(seen(), [join('last', 'in.checks.yaml')]);
  });
});
