import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ContextVariable } from '../../../src/core/prompts/promptTemplate.ts';
import { gitContext } from '../../../src/vscode/attachments/sources/gitContext.ts';
import { takeContexts } from '../../../src/vscode/prompts/run/promptContexts.ts';
import { wholeDocument } from '../../../src/vscode/prompts/run/promptSource.ts';
import { filledPrompt } from '../../../src/vscode/prompts/run/promptValues.ts';
import { answering } from '../answering.ts';
import { eventually } from '../eventually.ts';
import { GitFolder } from '../gitFolder.ts';
import { talkingTerminal } from '../talkingTerminal.ts';
import { closeAll } from './promptBench.ts';

/** Selects one of them, and returns the prompt that it fills in. */
async function filled(name: ContextVariable, document?: vscode.TextDocument): Promise<string> {
  const source = document === undefined ? undefined : wholeDocument(document);
  const contexts = await takeContexts([name], source);
  assert.ok(contexts !== undefined && !('severity' in contexts), JSON.stringify(contexts));
  return filledPrompt(`<\${${name}}>`, source, { inputs: new Map(), clipboard: '', contexts });
}

async function refused(name: ContextVariable): Promise<string | undefined> {
  const contexts = await takeContexts([name], undefined);
  return contexts !== undefined && 'severity' in contexts ? contexts.title : undefined;
}

describe('An attachment that a prompt sends whole', () => {
  let root: vscode.Uri;
  let document: vscode.TextDocument;

  before(async () => {
    await closeAll();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = vscode.Uri.joinPath(folder.uri, 'pieces');
    await vscode.workspace.fs.createDirectory(root);
    const uri = vscode.Uri.joinPath(root, 'piece.json');
    await writeFile(uri.fsPath, '{ "one": 1 }\n');
    document = await vscode.workspace.openTextDocument(uri);
  });
  after(async () => {
    await closeAll();
    await rm(root.fsPath, { recursive: true, force: true });
  });
  afterEach(closeAll);

  it('is the file', async () => {
    assert.equal(await filled('fileContent', document), '<File: pieces/piece.json\n```json\n{ "one": 1 }\n```>');
  });

  it('is the open files', async () => {
    await vscode.window.showTextDocument(document, { preview: false });
    assert.match(await filled('openEditors'), /^<File: pieces\/piece\.json\n/);
    await closeAll();
    assert.equal(await refused('openEditors'), 'No open file can be added');
  });

  it("is the folder's tree", async () => {
    assert.match(await filled('folderTree'), /^<Folder tree: .*\/\n```\n[^]*pieces\/\n {2}piece\.json\n[^]*```>$/);
  });

  it('is all problems', async () => {
    const collection = vscode.languages.createDiagnosticCollection('test');
    try {
      collection.set(document.uri, [new vscode.Diagnostic(new vscode.Range(0, 2, 0, 7), 'No ones.')]);
      assert.match(await filled('problems'), /^<Problems:\n`{3,}\n[^]*pieces\/piece\.json:1:3 error: No ones\.\n/);
    } finally {
      collection.dispose();
    }
  });

  it('is a symbol that the user selects', async () => {
    let text: string | undefined;
    const untitled = await vscode.workspace.openTextDocument({ language: 'plaintext', content: 'only\n' });
    const symbols = vscode.languages.registerDocumentSymbolProvider(
      { scheme: 'untitled', language: 'plaintext' },
      {
        provideDocumentSymbols: () => {
          const range = new vscode.Range(0, 0, 0, 4);
          return [new vscode.DocumentSymbol('only', '', vscode.SymbolKind.Object, range, range)];
        },
      },
    );
    try {
      void filled('symbol', untitled).then((found) => (text = found));
      await eventually('the symbol', () => {
        void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return text !== undefined;
      });
      assert.match(text ?? '', /^<Symbol: only in Untitled-\d+, line 1\n```plaintext\nonly\n```>$/);
    } finally {
      symbols.dispose();
    }
  });

  it('is a symbol of a file that might contain secrets only after the user agreed', async () => {
    const uri = vscode.Uri.joinPath(root, '.env');
    await writeFile(uri.fsPath, 'TOKEN=1\n');
    const secret = await vscode.workspace.openTextDocument(uri);
    const symbols = vscode.languages.registerDocumentSymbolProvider(
      { pattern: '**/pieces/.env' },
      {
        provideDocumentSymbols: () => {
          const range = new vscode.Range(0, 0, 0, 5);
          return [new vscode.DocumentSymbol('TOKEN', '', vscode.SymbolKind.Constant, range, range)];
        },
      },
    );
    try {
      const no = await answering(undefined, () => takeContexts(['symbol'], wholeDocument(secret)));
      assert.deepEqual(no.asked, ['"pieces/.env" might contain passwords or keys']);
      assert.equal(no.result, undefined);
      let text: string | undefined;
      const yes = answering('Send Anyway', () => filled('symbol', secret)).then(({ result }) => (text = result));
      await eventually('the symbol', () => {
        void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return text !== undefined;
      });
      await yes;
      assert.match(text ?? '', /^<Symbol: TOKEN in pieces\/\.env, line 1\n/);
    } finally {
      symbols.dispose();
    }
  });

  it("is the terminal's selection", async () => {
    const terminal = await talkingTerminal('said to the prompt');
    try {
      await vscode.commands.executeCommand('workbench.action.terminal.selectAll');
      assert.match(await filled('terminalSelection'), /^<Terminal: talker\n```\n[^]*said to the prompt[^]*\n```>$/);
    } finally {
      terminal.dispose();
    }
  });

  it('is the staged and unstaged changes in Git, without files that might contain secrets', async () => {
    const folder = await GitFolder.open();
    try {
      await folder.write('bridge.txt', 'A bridge\n');
      await folder.write('.env', 'TOKEN=one\n');
      folder.git('add', '.');
      folder.git('commit', '-q', '-m', 'Begin');
      await folder.write('bridge.txt', 'A long bridge\n');
      await folder.write('.env', 'TOKEN=two\n');
      folder.git('add', '.');
      await folder.write('bridge.txt', 'A very long bridge\n');
      await folder.known();
      const staged = await filled('gitStaged');
      assert.match(staged, /^<Git diff, staged: [^]*\n-A bridge\n\+A long bridge\n[^]*```>$/);
      assert.doesNotMatch(staged, /TOKEN|very/);
      assert.match(
        await filled('gitWorking'),
        /^<Git diff, not staged: [^]*\n-A long bridge\n\+A very long bridge\n[^]*```>$/,
      );
    } finally {
      await folder.remove();
    }
  });

  it('is also the new files among the unstaged changes, without those that might contain secrets', async () => {
    const folder = await GitFolder.open();
    try {
      await folder.write('.env', 'TOKEN=one\n');
      await folder.known();
      assert.equal(await refused('gitWorking'), 'No changed file can be sent');
      await mkdir(join(folder.path, 'new'));
      await folder.write('new/bridge.txt', 'A bridge\nof wood\n');
      await folder.write('.gitignore', 'ignored.txt\n');
      await folder.write('ignored.txt', 'ignored\n');
      await writeFile(join(folder.path, 'new/picture.bin'), new Uint8Array([1, 0, 2]));
      await writeFile(join(folder.path, 'new/vast.txt'), 'x'.repeat(1_000_000));
      await symlink(join(folder.path, '.env'), join(folder.path, 'harmless.txt'));
      const text = await filled('gitWorking');
      assert.match(text, /\ndiff --git a\/new\/bridge\.txt b\/new\/bridge\.txt\nnew file mode 100644\n/);
      assert.match(text, /\n--- \/dev\/null\n\+\+\+ b\/new\/bridge\.txt\n@@ -0,0 \+1,2 @@\n\+A bridge\n\+of wood\n/);
      assert.match(text, /b\/new\/picture\.bin\nnew file mode 100644\n\(binary file\)\n/);
      assert.match(text, /b\/new\/vast\.txt\nnew file mode 100644\n\(too large to be included\)\n/);
      assert.doesNotMatch(text, /TOKEN|harmless|ignored\n|xxx/);
      const taken = await gitContext(false, undefined);
      assert.ok(taken !== undefined && 'block' in taken);
      assert.match(
        taken.detail,
        / \(2 files skipped because they might contain secrets; 2 new files without their contents: not text, or too large\)$/,
      );
      assert.equal(await refused('gitStaged'), 'Nothing is staged');
    } finally {
      await folder.remove();
    }
  });

  it("is refused with the reason if it doesn't exist", async () => {
    for (const terminal of vscode.window.terminals) terminal.dispose();
    await eventually('no terminal', () => vscode.window.activeTerminal === undefined);
    assert.equal(await refused('terminalSelection'), 'Nothing is selected in the terminal');
    // Git is turned off where these tests run.
    for (const name of ['gitStaged', 'gitWorking'] as const) assert.equal(await refused(name), "Git isn't available");
  });
});
