import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { isAboutCode, suggestions, suggestionWords } from '../../src/vscode/chat/suggestions.ts';
import { attachmentsPage } from './attachmentsPage.ts';
import { eventually } from './eventually.ts';
import { setSelection } from './setSelection.ts';

describe('A suggestion of the empty chat', () => {
  let folder: string;
  const cleanups: (() => unknown)[] = [];

  before(async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(root !== undefined);
    folder = root;
    await writeFile(join(folder, 'suggested.ts'), 'export const answer = 42;\n');
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const cleanUp of cleanups.toReversed()) await cleanUp();
    await rm(join(folder, 'suggested.ts'), { force: true });
  });

  async function show(name: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(join(folder, name)));
    await vscode.window.showTextDocument(document);
  }

  it('is about what is selected, otherwise about the file, and about neither if nothing is open', async () => {
    await show('suggested.ts');
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    const first = (shown: vscode.TextEditor | undefined) => suggestions(shown)[0]?.id;
    assert.equal(first(editor), 'explainFile');
    await setSelection(editor, new vscode.Selection(0, 0, 0, 6));
    assert.equal(first(editor), 'explainSelection');
    assert.equal(first(undefined), 'planChange');
  });

  it("follows what the user looks at, even if it's attached", async () => {
    await show('suggested.ts');
    let last: string | undefined;
    const editor = () => vscode.window.activeTextEditor;
    const conversation = '5f7f1c0a-6d3c-4c31-9a06-2d8e0a7f1b11';
    const offerChanged = () => (last = suggestions(editor())[0]?.id);
    const { page } = await attachmentsPage(cleanups, { conversation, editor, offerChanged });
    await show('suggested.ts');
    const shown = editor();
    assert.ok(shown);
    await setSelection(shown, new vscode.Selection(0, 0, 0, 0));
    await page.addSuggested();
    assert.equal(page.view().suggested, undefined);
    last = undefined;
    await setSelection(shown, new vscode.Selection(0, 0, 0, 6));
    await eventually('suggestions about the selection', () => last === 'explainSelection');
    await page.addSuggested();
    assert.equal(page.view().suggested, undefined);
    await setSelection(shown, new vscode.Selection(0, 0, 0, 0));
    await eventually('suggestions about the file', () => last === 'explainFile');
  });

  it('writes no code into the message, which could be in a file with secrets', () => {
    for (const id of ['explainSelection', 'reviewSelection', 'testSelection', 'explainFile', 'testFile']) {
      assert.match(suggestionWords(id) ?? '', /^[^\n`]+\.$/);
      assert.equal(isAboutCode(id), true);
    }
    assert.equal(isAboutCode('planChange'), false);
  });
});
