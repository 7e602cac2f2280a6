import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { setSelection } from './setSelection.ts';

describe('A selection that a test sets', () => {
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('has been reported back by VS Code before the test goes on', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'one two' });
    const editor = await vscode.window.showTextDocument(document);
    const reported: number[] = [];
    const watching = vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
      if (textEditor === editor) reported.push(...selections.map(({ end }) => end.character));
    });
    try {
      for (const end of [3, 0, 7]) {
        await setSelection(editor, new vscode.Selection(0, 0, 0, end));
        assert.equal(reported.at(-1), end);
      }
    } finally {
      watching.dispose();
    }
  });
});
