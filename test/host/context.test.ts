import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { isProblem, type ContextSnapshot, type Taken } from '../../src/vscode/attachments/contextSnapshot.ts';
import { findAudioFile } from '../../src/vscode/agentTools/audioFile.ts';
import { IgnoredFiles } from '../../src/vscode/attachments/ignoredFiles.ts';
import { openEditorsContext } from '../../src/vscode/attachments/sources/openEditorsContext.ts';
import { droppedFile } from '../../src/vscode/attachments/droppedFile.ts';
import { clipboardContext } from '../../src/vscode/attachments/sources/clipboardContext.ts';
import { pathOf, selectionContext } from '../../src/vscode/attachments/sources/documentContext.ts';
import { checksPath } from '../../src/vscode/checks/checksFiles.ts';
import { findPrompts } from '../../src/vscode/prompts/files/promptFiles.ts';
import { fileContext } from '../../src/vscode/attachments/sources/fileContext.ts';
import { folderTreeContext } from '../../src/vscode/attachments/sources/folderTreeContext.ts';
import { problemsContext } from '../../src/vscode/attachments/sources/problemsContext.ts';
import { terminalContext } from '../../src/vscode/attachments/sources/terminalContext.ts';
import { WorkspaceFiles, workspaceFiles } from '../../src/vscode/attachments/workspaceFiles.ts';
import { answering } from './answering.ts';
import { eventually } from './eventually.ts';
import { isLowestHost } from './lowestHost.ts';
import { talkingTerminal } from './talkingTerminal.ts';
import { setSelection } from './setSelection.ts';

function snapshot(taken: Taken): ContextSnapshot {
  assert.ok(taken !== undefined && !isProblem(taken), JSON.stringify(taken));
  return taken;
}
function title(taken: Taken): string {
  assert.ok(taken !== undefined && isProblem(taken), JSON.stringify(taken));
  return taken.title;
}

describe('A context of the editor', () => {
  let folder: string;

  before(async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(root !== undefined);
    folder = join(root, 'context');
    await mkdir(join(folder, 'inner/build'), { recursive: true });
    const files: Readonly<Record<string, string | Uint8Array>> = {
      'a.txt': 'one\ntwo\nthree\n',
      'picture.bin': new Uint8Array([0, 1, 2, 0, 255]),
      '.gitignore': '*.log\n',
      'noise.log': 'x',
      '.env': 'TOKEN=1',
      'inner/.gitignore': 'build/\n!kept.log\n',
      'inner/kept.log': 'x',
      'inner/build/out.txt': 'x',
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  const uriOf = (name: string) => vscode.Uri.file(join(folder, name));
  async function show(uri: vscode.Uri): Promise<vscode.TextEditor> {
    return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  }

  it('is known by different paths in two folders of the same name, as checks and prompts are', async () => {
    // A real window with two folders would have to restart this host.
    const { workspace } = vscode;
    const members = ['workspaceFolders', 'getWorkspaceFolder', 'asRelativePath'] as const;
    const before = members.map((member) => [member, Object.getOwnPropertyDescriptor(workspace, member)] as const);
    const folders = ['one/app', 'two/app'].map((path) => ({ name: 'app', uri: uriOf(path) }));
    const holding = ({ path }: vscode.Uri) => folders.find(({ uri }) => path.startsWith(`${uri.path}/`));
    const set = (member: string, value: unknown) =>
      Object.defineProperty(workspace, member, { value, configurable: true, writable: true, enumerable: true });
    for (const { uri } of folders) {
      await mkdir(join(uri.fsPath, '.github/prompts'), { recursive: true });
      await writeFile(join(uri.fsPath, '.github/prompts/same.prompt.md'), 'Hi');
    }
    try {
      set('workspaceFolders', folders);
      set('getWorkspaceFolder', holding);
      set('asRelativePath', (uri: vscode.Uri, isNamed = true) => {
        const own = holding(uri);
        if (own === undefined) return uri.path;
        return `${isNamed ? `${own.name}/` : ''}${uri.path.slice(own.uri.path.length + 1)}`;
      });
      const paths = ['one/app/src/a.ts', 'two/app/src/a.ts', 'a.ts'].map((path) => pathOf(uriOf(path)));
      assert.deepEqual(paths, ['one/app/src/a.ts', 'two/app/src/a.ts', uriOf('a.ts').path]);
      const checks = ['one', 'two'].map((name) => checksPath(uriOf(`${name}/app/a.checks.yaml`)));
      assert.deepEqual(checks, ['one/app/a.checks.yaml', 'two/app/a.checks.yaml']);
      const { prompts } = await findPrompts(uriOf('none'));
      assert.deepEqual(
        prompts.map((prompt) => prompt.folder),
        ['one/app', 'two/app'],
      );
    } finally {
      for (const [member, descriptor] of before)
        if (descriptor !== undefined) Object.defineProperty(workspace, member, descriptor);
      for (const name of ['one', 'two']) await rm(join(folder, name), { recursive: true });
    }
  });

  it('is the selection, with its lines', async () => {
    const editor = await show(uriOf('a.txt'));
    await setSelection(editor, new vscode.Selection(0, 0, 2, 0));
    const { name, block } = snapshot(selectionContext(editor));
    assert.equal(name, 'a.txt:1-2');
    assert.match(block, /^Selection: .*context\/a\.txt, lines 1-2\n```plaintext\none\ntwo\n```$/);
  });

  it('is each of several selections, in the order of the text', async () => {
    const editor = await show(uriOf('a.txt'));
    await setSelection(editor, new vscode.Selection(2, 0, 2, 5), new vscode.Selection(0, 0, 0, 3));
    const { name, block } = snapshot(selectionContext(editor));
    assert.equal(name, 'a.txt:1,3');
    assert.deepEqual(block.match(/^(one|three)$/gm), ['one', 'three']);
  });

  it('is nothing without a selection', async () => {
    const editor = await show(uriOf('a.txt'));
    await setSelection(editor, new vscode.Selection(1, 1, 1, 1));
    assert.equal(selectionContext(editor), undefined);
  });

  it('is a file including unsaved changes', async () => {
    const editor = await show(uriOf('a.txt'));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'zero\n'));
    assert.match(snapshot(await fileContext(uriOf('a.txt'))).block, /\nzero\none\n/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('is an untitled document by its name', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'draft' });
    const { name, block } = snapshot(await fileContext(document.uri));
    assert.match(name, /^Untitled/);
    assert.match(block, /^File: Untitled-\d+\n```plaintext\ndraft\n```$/);
  });

  it('is a cell of a notebook by its place there, relative to the folder', async () => {
    const uri = uriOf('cells.ipynb');
    const cells = ['one', 'two'].map((source) => ({
      cell_type: 'code',
      source: [source],
      metadata: {},
      outputs: [],
      execution_count: null,
    }));
    await writeFile(uri.fsPath, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    const taken = await Promise.all(notebook.getCells().map(({ document }) => fileContext(document.uri)));
    await rm(uri.fsPath);
    assert.deepEqual(
      taken.map((each) => [snapshot(each).name, snapshot(each).detail]),
      [1, 2].map((at) => [`cells.ipynb#cell${at}`, `context/cells.ipynb#cell${at}`]),
    );
    assert.match(snapshot(taken[1]).block, /^File: context\/cells\.ipynb#cell2\n```\w+\ntwo\n```$/);
  });

  it('is a notebook with its unsaved cells and without outputs, as a file and as an open editor', async () => {
    const uri = uriOf('outputs.ipynb');
    const output = { output_type: 'stream', name: 'stdout', text: ['printed'] };
    const cells = [
      { cell_type: 'markdown', source: ['# Title'], metadata: {} },
      { cell_type: 'code', source: ['saved'], metadata: {}, outputs: [output], execution_count: 1 },
    ];
    await writeFile(uri.fsPath, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    try {
      await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(uri));
      const edit = new vscode.WorkspaceEdit();
      const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'unsaved', 'python');
      edit.set(uri, [vscode.NotebookEdit.insertCells(2, [added])]);
      assert.ok(await vscode.workspace.applyEdit(edit));
      const { name, detail, block } = snapshot(await fileContext(uri));
      assert.deepEqual([name, detail], ['outputs.ipynb', 'context/outputs.ipynb']);
      assert.match(
        block,
        /^File: context\/outputs\.ipynb\n````markdown\n# Title\n\nCell 2:\n```\w+\nsaved\n```\n\nCell 3:\n```python\nunsaved\n```\n````$/,
      );
      const open = snapshot(await openEditorsContext());
      assert.ok(open.block.includes(block), open.block);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    } finally {
      await rm(uri.fsPath);
    }
  });

  it('is the cells of a notebook that was never opened, and the text of a damaged one', async () => {
    const uri = uriOf('closed.ipynb');
    const broken = uriOf('broken.IPYNB');
    const output = { output_type: 'stream', name: 'stdout', text: ['printed'] };
    const cells = [{ cell_type: 'code', source: ['closed'], metadata: {}, outputs: [output], execution_count: 1 }];
    await writeFile(uri.fsPath, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    await writeFile(broken.fsPath, '{ "cells": [');
    try {
      const { name, block } = snapshot(await fileContext(uri));
      assert.equal(name, 'closed.ipynb');
      assert.match(block, /^File: context\/closed\.ipynb\n````markdown\nCell 1:\n```\w+\nclosed\n```\n````$/);
      assert.match(
        snapshot(await fileContext(broken)).block,
        /^File: context\/broken\.IPYNB\n```\w+\n\{ "cells": \[\n```$/,
      );
    } finally {
      await rm(uri.fsPath);
      await rm(broken.fsPath);
    }
  });

  it("is refused with the reason if a file isn't text or no longer exists", async () => {
    const binary = await fileContext(uriOf('picture.bin'));
    assert.match(title(binary), /Couldn't add "picture\.bin"/);
    assert.ok(binary !== undefined && isProblem(binary));
    assert.equal(binary.detail, "It isn't a text file.");
    assert.match(title(await fileContext(uriOf('gone.txt'))), /Couldn't add "gone\.txt"/);
  });

  it('is a dropped file only in the open folders, even by the URI that a remote window uses', () => {
    const uri = uriOf('a.txt');
    assert.equal(droppedFile(uri.toString())?.toString(), uri.toString());
    const remote = uri.with({ scheme: 'vscode-remote', authority: 'ssh-remote+host' });
    assert.equal(droppedFile(remote.toString())?.toString(), uri.toString());
    for (const foreign of ['file:///etc/passwd', 'vscode-remote://ssh-remote+host/etc/passwd', 'https://a.test/x'])
      assert.equal(droppedFile(foreign), undefined, foreign);
    const around = vscode.Uri.file(folder).toString();
    for (const dots of [
      '..',
      '%2e%2e',
      '.%2E',
      'inner/%2E./..',
      ...(process.platform === 'win32' ? ['..%5C..'] : []),
    ]) {
      const foreign = `${around}/${dots}/../../etc/passwd`;
      assert.equal(droppedFile(foreign), undefined, foreign);
      const remoteForeign = foreign.replace(/^file:\/\//, 'vscode-remote://ssh-remote+host');
      assert.equal(droppedFile(remoteForeign), undefined, remoteForeign);
    }
    assert.equal(droppedFile(`${around}/inner/../a.txt`)?.toString(), uri.toString());
  });

  it('is a tree of names without ignored and secret files', async () => {
    const { block } = snapshot(await folderTreeContext(vscode.Uri.file(folder)));
    const lines = block.split('\n').slice(2, -1);
    assert.deepEqual(lines, ['inner/', '  .gitignore', '  kept.log', '.gitignore', 'a.txt', 'picture.bin']);
  });

  it("is confirmed first if it's a link to a file that might contain secrets, and left out among others", async () => {
    await symlink(join(folder, '.env'), join(folder, 'harmless.txt'));
    await symlink(join(folder, '.env'), join(folder, 'talk.mp3'));
    try {
      const { result, asked } = await answering(undefined, () => fileContext(uriOf('harmless.txt')));
      assert.equal(result, undefined);
      assert.equal(asked.length, 1);
      await show(uriOf('harmless.txt'));
      await show(uriOf('a.txt'));
      const { block } = snapshot(await openEditorsContext());
      assert.ok(!block.includes('TOKEN'), block);
      await assert.rejects(findAudioFile('context/talk.mp3'), /might contain secrets/);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('is secret whatever the case of its path, and wherever it is', async () => {
    const files = new IgnoredFiles();
    const upper = vscode.Uri.file(join(folder, '.env').toUpperCase());
    for (const uri of [upper, vscode.Uri.file('/elsewhere/.SSH/ID_RSA'), vscode.Uri.parse('file://server/s/.Env')]) {
      assert.equal(await files.has(uri), true, uri.toString());
    }
    assert.equal(await files.has(vscode.Uri.file('/elsewhere/a.txt')), false);
  });

  it('is listed again only after files were added or deleted', async () => {
    let reads = 0;
    const files = new WorkspaceFiles(() => {
      reads += 1;
      return Promise.resolve({ uris: [] });
    });
    try {
      await files.list();
      await files.list();
      assert.equal(reads, 1);
      await writeFile(join(folder, 'new.txt'), 'x');
      await eventually('a new file is noticed', () => {
        void files.list();
        return reads > 1;
      });
    } finally {
      files.dispose();
    }
  });

  it('is found by name among the files of the folder, without ignored and secret ones', async function () {
    // VS Code finds files with ripgrep, which this server would have to download from GitHub.
    if (isLowestHost) this.skip();
    await symlink(join(folder, 'a.txt'), join(folder, 'linked.txt'));
    await symlink(join(folder, '.env'), join(folder, 'linked-secret.txt'));
    const names = (await workspaceFiles()).uris.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
    for (const name of ['a.txt', 'kept.log', 'linked.txt']) assert.ok(names.includes(name), names.join(' '));
    for (const name of ['noise.log', 'out.txt', '.env', 'linked-secret.txt']) assert.ok(!names.includes(name), name);
  });

  it('is found by name although an ignored folder, or the folder itself, has more files than are listed', async function () {
    if (isLowestHost) this.skip();
    const vast = join(folder, 'vast');
    await mkdir(join(vast, '.venv'), { recursive: true });
    const many = Array.from({ length: 5100 }, (_, at) => `file${at}.txt`);
    await Promise.all(many.map((name) => writeFile(join(vast, '.venv', name), '')));
    await writeFile(join(vast, '.gitignore'), '.venv/\n');
    await writeFile(join(vast, 'own.txt'), '');
    const pathsOf = (uris: readonly vscode.Uri[] = []) => uris.map(({ path }) => path.slice(uriOf('').path.length + 1));
    try {
      const beside = await workspaceFiles();
      assert.equal(beside.named, undefined);
      const paths = pathsOf(beside.uris);
      assert.ok(!paths.some((path) => path.includes('.venv')));
      for (const path of ['vast/own.txt', 'a.txt', 'inner/kept.log']) assert.ok(paths.includes(path), path);

      await rename(join(vast, '.venv'), join(vast, 'Many'));
      await mkdir(join(vast, '.venv'));
      for (const name of ['Many/A [wanted] {one}.txt', 'Many/wanted.pem', '.venv/wanted.txt'])
        await writeFile(join(vast, name), '');
      const { uris, named } = await workspaceFiles();
      const { token } = new vscode.CancellationTokenSource();
      for (const typed of ['a [WANTED]', '{One', 'many/a [', 'wanted'])
        assert.deepEqual(pathsOf(await named?.(typed, token)), ['vast/Many/A [wanted] {one}.txt'], typed);
      const listed = pathsOf(uris);
      const missing = many.find((name) => !listed.includes(`vast/Many/${name}`));
      assert.ok(missing !== undefined);
      const files = new WorkspaceFiles(() => Promise.resolve({ uris, ...(named && { named }) }));
      assert.equal((await files.list()).length, uris.length);
      const found = pathsOf(await files.list(` ${missing.toUpperCase()}`));
      assert.ok(found.includes(`vast/Many/${missing}`));
      assert.equal(new Set(found).size, found.length);
      files.dispose();
    } finally {
      await rm(vast, { recursive: true, force: true });
    }
  });

  it('is the problems of a file, worst first, with their lines of code', async () => {
    await show(uriOf('a.txt'));
    const collection = vscode.languages.createDiagnosticCollection('test');
    const { Warning, Error: Wrong, Hint } = vscode.DiagnosticSeverity;
    const at = (line: number) => new vscode.Range(line, 0, line, 3);
    const wrong = new vscode.Diagnostic(at(1), 'wrong', Wrong);
    wrong.source = 'lint';
    wrong.code = 'E1';
    try {
      collection.set(uriOf('a.txt'), [
        new vscode.Diagnostic(at(0), 'careful', Warning),
        wrong,
        new vscode.Diagnostic(at(2), 'by the way', Hint),
      ]);
      const { name, block } = snapshot(await problemsContext(uriOf('a.txt')));
      assert.equal(name, 'Problems in a.txt (2)');
      assert.match(
        block,
        /```\n.*a\.txt:2:1 error lint\(E1\): wrong\n {4}two\n.*a\.txt:1:1 warning: careful\n {4}one\n```$/,
      );
    } finally {
      collection.dispose();
    }
    assert.equal(title(await problemsContext(uriOf('a.txt'))), 'There are no problems');
  });

  it("is the clipboard's text, and is refused without one", async () => {
    await vscode.env.clipboard.writeText('copied words');
    assert.equal(snapshot(await clipboardContext()).block, 'Clipboard:\n```\ncopied words\n```');
    await vscode.env.clipboard.writeText('');
    assert.equal(title(await clipboardContext()), 'The clipboard contains no text');
  });

  it('is the selection in the terminal, and the clipboard is unchanged', async () => {
    const terminal = await talkingTerminal('said in the terminal');
    try {
      await vscode.env.clipboard.writeText('before');
      assert.equal(title(await terminalContext()), 'Nothing is selected in the terminal');
      await vscode.commands.executeCommand('workbench.action.terminal.selectAll');
      const { block, name } = snapshot(await terminalContext());
      assert.equal(name, 'Terminal: talker');
      assert.match(block, /said in the terminal/);
      assert.equal(await vscode.env.clipboard.readText(), 'before');
    } finally {
      terminal.dispose();
    }
  });
});
