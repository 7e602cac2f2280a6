import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { LastEditor } from '../../src/vscode/attachments/lastEditor.ts';
import { copyText, insertCode, openLink } from '../../src/vscode/platform/codeActs.ts';
import { documentSchemes } from '../../src/vscode/settings/contributions.ts';
import { answering } from './answering.ts';
import { eventually } from './eventually.ts';
import { Answers } from './prompts/answers.ts';
import { setUserSettings } from './userSettings.ts';
import { setSelection } from './setSelection.ts';

describe('Code of a reply is inserted', () => {
  let last: LastEditor;
  const opened: vscode.WebviewPanel[] = [];

  let folder: string;

  before(async () => {
    last = new LastEditor();
    folder = await mkdtemp(join(tmpdir(), 'parlance-insert-'));
  });
  afterEach(async () => {
    for (const panel of opened.splice(0)) panel.dispose();
    await vscode.commands.executeCommand('workbench.action.closePanel');
    for (const editor of vscode.window.visibleTextEditors) {
      await vscode.window.showTextDocument(editor.document, editor.viewColumn);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });
  after(async () => {
    last.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function show(content: string, column: vscode.ViewColumn): Promise<vscode.TextEditor> {
    // Not untitled: VS Code would reuse the name and the text of one that was just closed.
    const file = join(folder, `${crypto.randomUUID()}.txt`);
    await writeFile(file, content);
    const document = await vscode.workspace.openTextDocument(file);
    const editor = await vscode.window.showTextDocument(document, column);
    await eventually('the editor is the last', () => last.value?.document === document);
    return editor;
  }

  /** A page in a focused tab, like a chat. */
  async function focusPage(column: vscode.ViewColumn): Promise<void> {
    opened.push(vscode.window.createWebviewPanel('parlance.test', 'Page', column));
    await eventually('no editor has the focus', () => vscode.window.activeTextEditor === undefined);
  }

  it('into the editor that was used last, not the first visible one', async () => {
    const first = await show('first', vscode.ViewColumn.One);
    const used = await show('used', vscode.ViewColumn.Two);
    await focusPage(vscode.ViewColumn.Three);
    await insertCode('new ', last);
    assert.equal(used.document.getText(), 'new used');
    assert.equal(first.document.getText(), 'first');
    assert.equal(vscode.window.activeTextEditor?.document, used.document);
  });

  it('into the editor behind the page, replacing the selection there, as one step', async () => {
    const editor = await show('one two three', vscode.ViewColumn.One);
    const { document } = editor;
    await setSelection(editor, new vscode.Selection(0, 0, 0, 3), new vscode.Selection(0, 8, 0, 13));
    await focusPage(vscode.ViewColumn.One);
    await eventually('the page covers the editor', () => vscode.window.visibleTextEditors.length === 0);
    await insertCode('x', last);
    assert.equal(document.getText(), 'x two x');
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one two three');
  });

  it("into a text editor while the focus is in an output channel, which can't be edited", async () => {
    const { document } = await show('text', vscode.ViewColumn.One);
    const channel = vscode.window.createOutputChannel('Parlance test');
    try {
      channel.appendLine('said');
      channel.show(false);
      await eventually(
        'the output has the focus',
        () => vscode.window.activeTextEditor?.document.uri.scheme === 'output',
      );
      await insertCode('new ', last);
      assert.equal(document.getText(), 'new text');
    } finally {
      channel.dispose();
    }
  });

  it('into the file while the focus is in a reply that is open beside it', async () => {
    const { document } = await show('text', vscode.ViewColumn.One);
    const uri = vscode.Uri.from({ scheme: documentSchemes.reply, path: '/reply.md' });
    const registered = vscode.workspace.registerTextDocumentContentProvider(uri.scheme, {
      provideTextDocumentContent: () => 'a reply',
    });
    try {
      const reply = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(reply, vscode.ViewColumn.Two);
      await eventually('the reply has the focus', () => last.value?.document === reply);
      await insertCode('new ', last);
      assert.equal(document.getText(), 'new text');
    } finally {
      registered.dispose();
    }
  });

  /** Inserting into this document changes nothing, says why, and offers a new file instead. */
  async function isRefused(document: vscode.TextDocument): Promise<void> {
    using answers = new Answers();
    // Finishes only when its question is answered.
    const inserting = insertCode('new ', last);
    const { text, press, buttons } = await answers.notice("Couldn't insert the code");
    assert.equal(document.getText(), 'fixed');
    assert.equal(text, `Couldn't insert the code: ${document.fileName} is read-only.`);
    assert.deepEqual(buttons, ['Open as New File']);
    press('Open as New File');
    await inserting;
    await eventually(
      'the code in a file of its own',
      () => vscode.window.activeTextEditor?.document.getText() === 'new ',
    );
    assert.equal(document.getText(), 'fixed');
  }

  it('except into a read-only editor, and reports that', async () => {
    const { document } = await show('fixed', vscode.ViewColumn.One);
    await vscode.commands.executeCommand('workbench.action.files.setActiveEditorReadonlyInSession');
    try {
      await isRefused(document);
    } finally {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.resetActiveEditorReadonlyInSession');
    }
  });

  it('except into an editor that a setting makes read-only, and reports that', async () => {
    const { document } = await show('fixed', vscode.ViewColumn.One);
    const named = { [`**/${basename(document.fileName)}`]: true };
    try {
      await setUserSettings({ 'files.readonlyInclude': named });
      await isRefused(document);
      await setUserSettings({ 'files.readonlyExclude': named });
      await vscode.window.showTextDocument(document);
      await eventually('the editor is the last', () => last.value?.document === document);
      await insertCode('new ', last);
      assert.equal(document.getText(), 'new fixed');
    } finally {
      await setUserSettings({ 'files.readonlyInclude': undefined, 'files.readonlyExclude': undefined });
    }
  });

  it('to the clipboard only after the user has seen that it contains invisible characters', async () => {
    await vscode.env.clipboard.writeText('before');
    const no = await answering(undefined, () => copyText('rm a\u202Eb'));
    assert.deepEqual([no.asked, no.result], [['This text contains invisible characters'], false]);
    assert.equal(await vscode.env.clipboard.readText(), 'before');
    const yes = await answering('Use Anyway', () => copyText('rm a\u202Eb'));
    assert.equal(yes.result, true);
    assert.equal(await vscode.env.clipboard.readText(), 'rm a\u202Eb');
    const plain = await answering(undefined, () => copyText('plain'));
    assert.deepEqual([plain.asked, await vscode.env.clipboard.readText()], [[], 'plain']);
  });
});

describe('A link of a reply is opened', () => {
  const { openExternal } = vscode.env;
  let opened: unknown[];

  beforeEach(() => {
    opened = [];
    Object.assign(vscode.env, {
      openExternal: (address: unknown) => Promise.resolve(opened.push(address) > 0),
    });
  });
  afterEach(() => void Object.assign(vscode.env, { openExternal }));

  it('unchanged, with its percent-encoding', async () => {
    const links = [
      'https://search.example/?q=c%2B%2B&and=a%26b%3Dc',
      'https://files.example/one%2Ftwo/%E2%82%AC?#a%23b',
      'http://localhost:8080/?to=https%3A%2F%2Fa.example%2F%3Fx',
      'mailto:a@b.example?subject=1%20%26%202',
    ];
    for (const link of links) await openLink(link);
    assert.deepEqual(opened, links);
  });

  it('unless it leads to something other than the web or mail', async () => {
    for (const link of ['command:workbench.action.quit', 'file:///etc/passwd', 'vscode://a.b/c', 'a b']) {
      await openLink(link);
    }
    assert.deepEqual(opened, []);
  });
});
