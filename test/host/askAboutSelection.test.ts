import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { attachmentsPage } from './attachmentsPage.ts';
import { withoutHurry } from './withoutHurry.ts';
import { setSelection } from './setSelection.ts';

const conversation = '0d0c9d0e-52a8-4f0b-8a0a-7c4c2a3f5b21';

describe('Ask About Selection', () => {
  // No AsyncDisposableStack: the Node of the lowest VS Code has none.
  const cleanups: (() => unknown)[] = [];
  after(async () => {
    for (const cleanUp of cleanups.toReversed()) await cleanUp();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('replaces lines that were added before, if they were changed since', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'first\nold words\nlast\n' });
    const lines = new vscode.Selection(1, 0, 2, 0);
    const { attachments, page } = await attachmentsPage(cleanups, {
      conversation,
      editor: () => vscode.window.activeTextEditor,
    });
    // The page has covered it.
    const editor = await vscode.window.showTextDocument(document);
    const sent = () => {
      const selections = page.view().items.filter(({ kind }) => kind === 'selection');
      return Promise.all(selections.map((item) => attachments.store.read(conversation, item)));
    };

    await setSelection(editor, lines);
    await page.addSuggested();
    const before = await sent();
    assert.equal(before.length, 1);
    assert.match(before.join(), /old words/);

    await editor.edit((edit) => edit.replace(new vscode.Range(1, 0, 1, 3), 'new'));
    await setSelection(editor, lines);
    await page.addSuggested();
    const now = await sent();
    assert.equal(now.length, 1);
    assert.match(now.join(), /new words/);
  });

  it('moves to the message box before the surrounding code is gathered, which is left out if it was sent by then', async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'javascript',
      content: "import { other } from 'others';\n\nfunction one() {\n  other();\n}\n",
    });
    const conversationId = crypto.randomUUID();
    let whenFocused: () => void = () => undefined;
    const { attachments, page } = await attachmentsPage(cleanups, {
      conversation: conversationId,
      editor: () => vscode.window.activeTextEditor,
      focused: () => whenFocused(),
    });
    const editor = await vscode.window.showTextDocument(document);
    await setSelection(editor, new vscode.Selection(3, 0, 3, 10));
    const count = () => page.view().items.length;
    const remove = (which: 'all' | 'selection') => {
      for (const { id, kind } of page.view().items)
        if (which === 'all' || kind === which)
          page.handlers.removeAttachment({ type: 'removeAttachment', conversationId, id });
    };

    using _ = withoutHurry();
    let countThen: number | undefined;
    whenFocused = () => (countThen = count());
    await page.addSuggested();
    assert.deepEqual([countThen, count()], [0, 2]);
    remove('all');
    // As sending does.
    cleanups.push(attachments.drafts.onDidChange(() => remove('selection')));
    for (let tries = 0; tries < 3; tries += 1) {
      await page.addSuggested();
      assert.equal(count(), 0);
    }
  });
});
