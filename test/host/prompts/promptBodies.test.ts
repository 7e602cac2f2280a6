import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PromptVariable } from '../../../src/core/prompts/promptTemplate.ts';
import { answering } from '../answering.ts';
import { setUserSettings } from '../userSettings.ts';
import { closeAll, messageOf, PromptBench } from './promptBench.ts';
import { setSelection } from '../setSelection.ts';
import { withoutHurry } from '../withoutHurry.ts';

const text = 'function greet(name) {\r\n\treturn `Hi ${name}` // ☃ 😀\r\n}\r\n\r\ngreet("you")\r\n';
const beside = { target: 'beside' };

/**
 * What each variable sends besides the selection, and how the question before that names it. A new variable must be here,
 * or this doesn't compile. Pieces are named in one place, and `clipboard` and `openEditors` stand for all of them.
 */
const besides: Readonly<Record<PromptVariable, RegExp | 'nothing' | 'a piece'>> = {
  selection: 'nothing',
  selectedText: 'nothing',
  relativeFile: 'nothing',
  fileBasename: 'nothing',
  fileBasenameNoExtension: 'nothing',
  languageId: 'nothing',
  workspaceFolderBasename: 'nothing',
  fence: 'nothing',
  file: /^Path on this computer: .*asked\.js$/,
  fileDirname: /^Path on this computer: /,
  workspaceFolder: /^Path on this computer: /,
  diagnostics: /^Problems: line 2: error: One is bad\.\n {4}one\(a\);$/,
  clipboard: /^Clipboard: copied$/,
  surroundingCode: /asked\.js/,
  testSetup: 'a piece',
  fileContent: /^asked\.js/,
  openEditors: /^Open editors/,
  folderTree: /./,
  problems: /./,
  symbol: 'a piece',
  terminalSelection: 'a piece',
  gitStaged: 'a piece',
  gitWorking: 'a piece',
};

describe('What a prompt sends', () => {
  let bench: PromptBench;

  before(async () => {
    bench = await PromptBench.open();
  });
  after(() => bench[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('contains several selections one below the other, in the way VS Code copies them', async () => {
    await bench.show('c.js', text, 'greet("you")', 'name');
    assert.equal(await bench.sent('parlance.runSelection', beside), 'name\r\ngreet("you")');
  });

  it('has a longer fence if the selection contains one', async () => {
    await bench.show('f.md', '````\ncode\n````\n', '````\ncode\n````');
    assert.ok(
      (await bench.sent('parlance.explainSelection', beside)).endsWith('\n\n`````markdown\n````\ncode\n````\n`````'),
    );
  });

  it('has the parameters of the settings, which those of a prompt file override', async () => {
    await setUserSettings({ 'parlance.chat.temperature': 1, 'parlance.chat.topP': 0.5 });
    const prompt = await bench.write(
      'tuned.prompt.md',
      '---\nmodel: local/small\ntemperature: 0.2\nmax_tokens: 40\ntarget: beside\n---\nHello',
    );
    await bench.sent('parlance.runPromptFile', prompt);
    await setUserSettings({ 'parlance.chat.temperature': undefined, 'parlance.chat.topP': undefined });
    assert.deepEqual(bench.chats().at(-1)?.requestBody, {
      model: 'local/small',
      messages: [{ role: 'user', content: 'Hello' }],
      max_tokens: 40,
      temperature: 0.2,
      top_p: 0.5,
      stream: true,
    });
  });

  it('has every variable of a prompt file', async () => {
    const names =
      'selection selectedText file relativeFile fileBasename fileBasenameNoExtension fileDirname languageId workspaceFolder workspaceFolderBasename diagnostics clipboard fence';
    const template = names
      .split(' ')
      .map((name) => `${name}=[\${${name}}]`)
      .join('\n');
    const prompt = await bench.write('all.prompt.md', `---\ntarget: beside\n---\n${template}\nunknown=[\${nothing}]\n`);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'variables.test.js');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('one\ntwo ``` three\n'));
    const collection = vscode.languages.createDiagnosticCollection('test');
    try {
      const problem = new vscode.Diagnostic(
        new vscode.Range(1, 0, 1, 3),
        'Two is bad.',
        vscode.DiagnosticSeverity.Warning,
      );
      problem.source = 'linter';
      problem.code = 'no-two';
      const other = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 3), 'Not here.');
      collection.set(uri, [problem, other]);
      // The variables in a value aren't replaced again.
      await vscode.env.clipboard.writeText('copied ${selection}');
      const editor = await vscode.window.showTextDocument(uri);
      await setSelection(editor, new vscode.Selection(1, 0, 1, 13));
      const { result, asked, details } = await answering('Send All', () =>
        bench.sent('parlance.runPromptFile', prompt),
      );
      assert.deepEqual(asked, ['The workspace prompt "all" sends more than your selection']);
      assert.deepEqual(details, [
        [
          `Path on this computer: ${uri.fsPath}`,
          `Path on this computer: ${folder.uri.fsPath}`,
          'Problems: line 2: warning (linter no-two): Two is bad.\n    two ``` three',
          'Clipboard: copied ${selection}',
        ].join('\n'),
      ]);
      assert.equal(
        result,
        [
          'selection=[two ``` three]',
          'selectedText=[two ``` three]',
          `file=[${uri.fsPath}]`,
          'relativeFile=[variables.test.js]',
          'fileBasename=[variables.test.js]',
          'fileBasenameNoExtension=[variables.test]',
          `fileDirname=[${folder.uri.fsPath}]`,
          'languageId=[javascript]',
          `workspaceFolder=[${folder.uri.fsPath}]`,
          `workspaceFolderBasename=[${folder.name}]`,
          'diagnostics=[line 2: warning (linter no-two): Two is bad.\n    two ``` three]',
          'clipboard=[copied ${selection}]',
          'fence=[````]',
          'unknown=[${nothing}]',
        ].join('\n'),
      );
    } finally {
      collection.dispose();
      await vscode.env.clipboard.writeText('');
      await closeAll();
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('has only the name of a file outside of the open folders, and the path of the notebook for its cell', async () => {
    const prompt = await bench.write('place.prompt.md', '---\ntarget: beside\n---\nIn ${relativeFile}');
    await bench.show('elsewhere.js', 'one\n', 'one');
    assert.equal(await bench.sent('parlance.runPromptFile', prompt), 'In elsewhere.js');
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'inner', 'shown.ipynb');
    const cells = [{ cell_type: 'code', source: ['one'], metadata: {}, outputs: [], execution_count: null }];
    const notebook = { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 };
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify(notebook)));
    try {
      await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(uri));
      assert.equal(await bench.sent('parlance.runPromptFile', prompt), 'In inner/shown.ipynb');
    } finally {
      await closeAll();
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(uri, '..'), { recursive: true });
    }
  });

  it('from someone else asks before it sends anything but the selection, and sends nothing if that is declined', async () => {
    using _ = withoutHurry();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'asked.js');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode("import { a } from './a.js';\none(a);\n"));
    const collection = vscode.languages.createDiagnosticCollection('test');
    try {
      collection.set(uri, [new vscode.Diagnostic(new vscode.Range(1, 0, 1, 3), 'One is bad.')]);
      await vscode.env.clipboard.writeText('copied');
      const editor = await vscode.window.showTextDocument(uri, { preview: false });
      await setSelection(editor, new vscode.Selection(1, 0, 1, 7));
      const before = bench.chats().length;
      for (const [name, shown] of Object.entries(besides)) {
        if (shown === 'nothing' || shown === 'a piece') continue;
        const prompt = await bench.write('one.prompt.md', `---\ntarget: beside\n---\nLook: \${${name}}`);
        const { asked, details } = await answering(undefined, async () =>
          vscode.commands.executeCommand('parlance.runPromptFile', prompt),
        );
        assert.deepEqual(asked, ['The workspace prompt "one" sends more than your selection'], name);
        assert.match(details[0] ?? '', shown, name);
        assert.equal(bench.chats().length, before, name);
      }
    } finally {
      collection.dispose();
      await vscode.env.clipboard.writeText('');
      await closeAll();
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('from someone else sends the selection and names in the folder without a question', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'unasked.js');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('one();\n'));
    try {
      const names = Object.entries(besides).flatMap(([name, shown]) => (shown === 'nothing' ? [`\${${name}}`] : []));
      const prompt = await bench.write('none.prompt.md', `---\ntarget: beside\n---\n${names.join('|')}`);
      const editor = await vscode.window.showTextDocument(uri);
      await setSelection(editor, new vscode.Selection(0, 0, 0, 6));
      const { result, asked } = await answering(undefined, () => bench.sent('parlance.runPromptFile', prompt));
      assert.deepEqual(asked, []);
      assert.equal(result, `one();|one();|unasked.js|unasked.js|unasked|javascript|${folder.name}|\`\`\``);
    } finally {
      await closeAll();
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('includes lines of a file that might contain secrets only after the user agreed', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, '.env.production');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('TOKEN=1\n'));
    try {
      const prompt = await bench.write('lines.prompt.md', '---\ntarget: beside\n---\nLook: ${selection}');
      const editor = await vscode.window.showTextDocument(uri);
      await setSelection(editor, new vscode.Selection(0, 0, 0, 7));
      const no = await answering(undefined, async () =>
        vscode.commands.executeCommand('parlance.runPromptFile', prompt),
      );
      assert.deepEqual(no.asked, ['".env.production" might contain passwords or keys']);
      const yes = await answering('Send Anyway', () => bench.sent('parlance.runPromptFile', prompt));
      assert.equal(yes.result, 'Look: TOKEN=1');
    } finally {
      await closeAll();
      await vscode.workspace.fs.delete(uri);
    }
  });

  it("isn't sent when a prompt file has an error", async () => {
    // In an editor, where the command ends with its request: in a chat it would end before that.
    const promptWith = (temperature: string) => `---\ntemperature: ${temperature}\ntarget: beside\n---\nHello`;
    const prompt = await bench.write('wrong.prompt.md', promptWith('hot'));
    const before = bench.chats().length;
    await vscode.commands.executeCommand('parlance.runPromptFile', prompt);
    assert.equal(bench.chats().length, before);
    await bench.write('wrong.prompt.md', promptWith('1'));
    await vscode.commands.executeCommand('parlance.runPromptFile', prompt);
    assert.equal(bench.chats().length, before + 1);
  });

  it('ignores a host or a key in a prompt file', async () => {
    const prompt = await bench.write(
      'hostile.prompt.md',
      '---\nbaseUrl: http://127.0.0.1:9/v1\nheaders: {authorization: Bearer x}\noutput: ../../x\ntarget: beside\n---\nHello',
    );
    await bench.sent('parlance.runPromptFile', prompt);
    const entry = bench.chats().at(-1);
    assert.equal(entry?.authorization, 'right');
    assert.equal(messageOf(entry), 'Hello');
  });

  it('is the same for an untitled document', async () => {
    const untitled = await vscode.workspace.openTextDocument({ language: 'python', content: 'print(1)\n' });
    const editor = await vscode.window.showTextDocument(untitled);
    await setSelection(editor, new vscode.Selection(0, 0, 0, 8));
    assert.equal(await bench.sent('parlance.runSelection', beside), 'print(1)');
  });
});
