import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { builtInPrompts } from '../../../src/core/prompts/builtInPrompts.ts';
import { nameTrouble } from '../../../src/vscode/prompts/files/newPrompt.ts';
import { blocksAt } from '../../../src/vscode/prompts/offerBlock.ts';
import { pickPrompt } from '../../../src/vscode/prompts/files/pickPrompt.ts';
import { findPrompts, isForeignPrompt } from '../../../src/vscode/prompts/files/promptFiles.ts';
import { answering } from '../answering.ts';
import { eventually } from '../eventually.ts';
import { MemoryFiles } from './memoryFiles.ts';
import { closeAll, messageOf, PromptBench } from './promptBench.ts';
import { setSelection } from '../setSelection.ts';

describe('Prompt files', () => {
  let bench: PromptBench;

  before(async () => {
    bench = await PromptBench.open();
  });
  after(() => bench[Symbol.asyncDispose]());
  afterEach(closeAll);

  it("are found in the user's folder and in .github/prompts, with their contents", async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const root = vscode.Uri.joinPath(folder.uri, '.github', 'prompts');
    const put = (path: string, text: string) =>
      vscode.workspace.fs.writeFile(vscode.Uri.joinPath(root, path), new TextEncoder().encode(text));
    await put('short.prompt.md', '---\ndescription: Shorter\n---\nx');
    await put('team/review.prompt.md', 'y');
    await put('notes.md', 'no prompt');
    await put('huge.prompt.md', 'x'.repeat(300 * 1024));
    await bench.write('mine.prompt.md', 'z');
    try {
      const { prompts: found } = await findPrompts(bench.folder);
      assert.deepEqual(
        found.map(({ name, folder: from, file }) => [name, from, file.description, file.template]),
        [
          ['mine', undefined, undefined, 'z'],
          ['short', folder.name, 'Shorter', 'x'],
          ['review', folder.name, undefined, 'y'],
        ],
      );
    } finally {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder.uri, '.github'), { recursive: true });
    }
  });

  it('are only those in the folder itself, because a link in it could lead to any file on the machine', async function () {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const github = join(folder.uri.fsPath, '.github');
    const outside = await mkdtemp(join(tmpdir(), 'parlance-outside-'));
    const words = '---\ntarget: beside\n---\nFrom outside';
    const runs = async (path: string) => {
      const before = bench.chats().length;
      await vscode.commands.executeCommand('parlance.runPromptFile', vscode.Uri.file(path));
      return bench.chats().length > before;
    };
    const own = vscode.Uri.joinPath(bench.folder, 'links');
    const names = async () => (await findPrompts(own)).prompts.map(({ name }) => name);
    try {
      await mkdir(own.fsPath);
      await mkdir(join(outside, 'prompts'));
      await writeFile(join(outside, 'prompts', 'far.prompt.md'), words);
      await mkdir(join(github, 'prompts'), { recursive: true });
      await writeFile(join(github, 'prompts', 'near.prompt.md'), words);
      try {
        await symlink(join(outside, 'prompts', 'far.prompt.md'), join(github, 'prompts', 'file.prompt.md'));
        await symlink(join(outside, 'prompts'), join(github, 'prompts', 'folder'), 'dir');
      } catch {
        // Windows lets only some users create links.
        this.skip();
      }
      assert.deepEqual(await names(), ['near']);
      assert.equal(await runs(join(github, 'prompts', 'near.prompt.md')), true);
      assert.equal(await runs(join(github, 'prompts', 'file.prompt.md')), false);
      assert.equal(await runs(join(github, 'prompts', 'folder', 'far.prompt.md')), false);
      await rm(github, { recursive: true });
      for (const [link, target] of [
        [github, outside],
        [join(github, 'prompts'), join(outside, 'prompts')],
      ] as const) {
        await mkdir(dirname(link), { recursive: true });
        await symlink(target, link, 'dir');
        assert.deepEqual(await names(), [], link);
        assert.equal(await runs(join(github, 'prompts', 'far.prompt.md')), false, link);
        await rm(link);
      }
      // The user's own prompt can be a link.
      await symlink(join(outside, 'prompts', 'far.prompt.md'), join(own.fsPath, 'linked.prompt.md'));
      assert.deepEqual(await names(), ['linked']);
    } finally {
      await rm(own.fsPath, { recursive: true, force: true });
      await rm(github, { recursive: true, force: true });
      await rm(outside, { recursive: true });
    }
  });

  it("aren't run if they're too large", async () => {
    const before = bench.chats().length;
    const large = await bench.write('large.prompt.md', `---\ntarget: beside\n---\n${'x'.repeat(256 * 1024)}`);
    // Any other confirmation for such a large prompt is accepted.
    await answering('Send', async () => void (await vscode.commands.executeCommand('parlance.runPromptFile', large)));
    assert.equal(bench.chats().length, before);
    const smaller = await bench.write('large.prompt.md', `---\ntarget: beside\n---\n${'x'.repeat(1024)}`);
    await vscode.commands.executeCommand('parlance.runPromptFile', smaller);
    assert.equal(bench.chats().length, before + 1);
  });

  it('from someone else with invisible characters are sent only after the user agreed', async () => {
    const prompt = await bench.write('tags.prompt.md', '---\ntarget: beside\n---\nHello\u200B you');
    const run = async () => void (await vscode.commands.executeCommand('parlance.runPromptFile', prompt));
    const before = bench.chats().length;
    const no = await answering(undefined, run);
    assert.deepEqual(no.asked, ['The workspace prompt "tags" contains invisible characters']);
    assert.match(no.details[0] ?? '', /the first is on line 4: U\+200B\./);
    assert.equal(bench.chats().length, before);
    await answering('Send Anyway', run);
    assert.equal(bench.chats().length, before + 1);
    assert.equal(messageOf(bench.chats().at(-1)), 'Hello\u200B you');
  });

  it('and sources in a virtual file system work like those on disk', async () => {
    const files = {
      '/project/a.js': 'one();\ntwo();\n',
      '/prompts/far.prompt.md': '---\ntarget: beside\n---\n<${selection}>',
    };
    const registered = vscode.workspace.registerFileSystemProvider('parlance-memory', new MemoryFiles(files), {
      isReadonly: true,
    });
    try {
      const at = (path: string) => vscode.Uri.from({ scheme: 'parlance-memory', path });
      const { prompts: found } = await findPrompts(at('/prompts'));
      assert.deepEqual(
        found.map(({ name }) => name),
        ['far'],
      );
      const editor = await vscode.window.showTextDocument(at('/project/a.js'));
      await setSelection(editor, new vscode.Selection(1, 0, 1, 6));
      assert.equal(await bench.sent('parlance.runPromptFile', at('/prompts/far.prompt.md')), '<two();>');
      // Read-only: the text to be replaced stays, and the reply opens next to it.
      assert.equal(await bench.sent('parlance.runSelection', { target: 'replace' }), 'two();');
      assert.equal(
        vscode.window.tabGroups.all
          .flatMap(({ tabs }) => tabs)
          .filter(({ input }) => input instanceof vscode.TabInputTextDiff).length,
        0,
      );
      await closeAll();
    } finally {
      registered.dispose();
    }
  });

  it('show Run above the text, and mark errors where they are', async () => {
    const uri = await bench.write('wrong.prompt.md', '---\ntemperature: hot\ntarget: chat\n---\nHello ${nothing}\n');
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    // VS Code's own chat also checks such files: it doesn't recognize our fields.
    const found = () => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Parlance');
    await eventually('the diagnostics', () => found().length === 2);
    assert.deepEqual(
      found().map(({ range, severity }) => [document.getText(range), severity]),
      [
        ['hot', vscode.DiagnosticSeverity.Error],
        ['${nothing}', vscode.DiagnosticSeverity.Information],
      ],
    );
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    assert.ok(lenses.some(({ command }) => command?.command === 'parlance.runPromptFile'));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(1, 13, 1, 16), '1');
    edit.replace(uri, new vscode.Range(4, 6, 4, 16), 'you');
    await vscode.workspace.applyEdit(edit);
    await eventually('no diagnostics', () => found().length === 0);
  });

  it("mark no errors in an earlier version, which isn't the user's to mend", async () => {
    const earlier = vscode.Uri.parse('parlance-test-earlier:/wrong.prompt.md');
    const own = vscode.workspace.registerTextDocumentContentProvider(earlier.scheme, {
      provideTextDocumentContent: () => '---\ntemperature: hot\n---\nHello\n',
    });
    try {
      await vscode.workspace.openTextDocument(earlier);
      const uri = await bench.write('wrongToo.prompt.md', '---\ntemperature: hot\n---\nHello\n');
      await vscode.workspace.openTextDocument(uri);
      const found = (of: vscode.Uri) =>
        vscode.languages.getDiagnostics(of).filter(({ source }) => source === 'Parlance');
      await eventually('the diagnostics of the file', () => found(uri).length === 1);
      assert.deepEqual(found(earlier), []);
    } finally {
      own.dispose();
    }
  });

  it('are listed without moving the selection, which Enter would run', async () => {
    await bench.write('mine.prompt.md', 'Hello\n');
    const { createQuickPick } = vscode.window;
    let pick: vscode.QuickPick<vscode.QuickPickItem> | undefined;
    Object.assign(vscode.window, { createQuickPick: () => (pick = createQuickPick()) });
    try {
      const chosen = pickPrompt(builtInPrompts(), bench.folder, undefined);
      assert.ok(pick !== undefined);
      const wanted = pick.items[3];
      assert.ok(wanted !== undefined);
      pick.activeItems = [wanted];
      await eventually('the list of files', () => pick?.items.some(({ label }) => label === 'mine') === true);
      // VS Code has told by then what became active.
      for (let round = 0; round < 3; round += 1)
        await vscode.commands.executeCommand('setContext', 'parlance.test', round);
      assert.equal(pick.activeItems[0]?.label, wanted.label);
      pick.hide();
      assert.equal(await chosen, undefined);
    } finally {
      Object.assign(vscode.window, { createQuickPick });
    }
  });

  it("are untrusted everywhere except in the user's own folder", () => {
    const at = (path: string) => vscode.Uri.joinPath(bench.folder, path);
    assert.equal(isForeignPrompt(at('a.prompt.md'), bench.folder), false);
    assert.equal(isForeignPrompt(at('../a.prompt.md'), bench.folder), true);
    assert.equal(isForeignPrompt(vscode.Uri.file(`${bench.folder.fsPath}2/a.prompt.md`), bench.folder), true);
    assert.equal(isForeignPrompt(at('a.prompt.md').with({ scheme: 'other' }), bench.folder), true);
  });

  it('have names that are valid for one file in their folder', () => {
    for (const name of ['explain simply', 'Überblick', 'v1.2', '日本'])
      assert.equal(nameTrouble(name), undefined, name);
    for (const name of [
      '',
      ' ',
      '../x',
      'a/b',
      'a\\b',
      '.hidden',
      'con',
      'nul.x',
      'a:b',
      'x.',
      'a\u202Eb',
      'y'.repeat(81),
    ]) {
      assert.notEqual(nameTrouble(name), undefined, name);
    }
  });
});

describe('Fix with Parlance', () => {
  let bench: PromptBench;

  before(async () => {
    bench = await PromptBench.open();
  });
  after(() => bench[Symbol.asyncDispose]());
  afterEach(closeAll);

  it('is a quick fix of every diagnostic, and sends its message with the lines around', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index}`);
    const editor = await bench.show('fix.txt', lines.join('\n'));
    const { uri } = editor.document;
    const collection = vscode.languages.createDiagnosticCollection('test');
    try {
      const range = new vscode.Range(30, 0, 30, 4);
      collection.set(uri, [new vscode.Diagnostic(range, 'This line is wrong.')]);
      const before = bench.chats().length;
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        range,
      );
      const action = actions.find(({ title }) => title === 'Fix with Parlance');
      assert.ok(action?.command);
      assert.equal(action.kind?.value, vscode.CodeActionKind.QuickFix.value);
      assert.equal(bench.chats().length, before);
      const { command, arguments: given = [] } = action.command;
      const message = await bench.sent(command, ...given);
      const around = lines.slice(20, 41).join('\n');
      assert.ok(message.includes('\nline 31: error: This line is wrong.\n    line 30\n'), message);
      assert.ok(message.endsWith(`\`\`\`plaintext\n${around}\n\`\`\``), message);
    } finally {
      collection.dispose();
    }
  });
});

describe('The default block when nothing is selected', () => {
  const text = 'First\nparagraph\n\n\nSecond\n\n';
  const offered = async (line: number) => {
    const document = await vscode.workspace.openTextDocument({ language: 'plaintext', content: text });
    return (await blocksAt(document, new vscode.Position(line, 0))).map(({ range }) => document.getText(range));
  };

  it('is the paragraph, then the whole document', async () => {
    assert.deepEqual(await offered(1), ['First\nparagraph', text]);
  });

  it('is the paragraph above a blank line, the one just written', async () => {
    assert.deepEqual(await offered(3), ['First\nparagraph', text]);
    assert.deepEqual(await offered(6), ['Second', text]);
  });

  it("doesn't exist in an empty document", async () => {
    const document = await vscode.workspace.openTextDocument({ content: ' \n ' });
    assert.deepEqual(await blocksAt(document, new vscode.Position(0, 0)), []);
  });
});
