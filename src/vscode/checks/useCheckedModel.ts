import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { withModel } from '../../core/checks/withModel.ts';
import { modelText } from '../../core/models/modelText.ts';
import { checksPath } from './checksFiles.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { refusedEditText } from '../../core/problems/fileTexts.ts';

/** Writes the model into each of the prompts, and shows a message with Undo. */
export async function useCheckedModel(
  model: ModelRef,
  prompts: readonly vscode.Uri[],
  say: (text: string, button: string, run: () => Promise<void>) => void,
): Promise<void> {
  const before: { readonly uri: vscode.Uri; readonly text: string; readonly written: string }[] = [];
  for (const uri of new Map(prompts.map((prompt) => [prompt.toString(), prompt])).values()) {
    const document = await vscode.workspace.openTextDocument(uri);
    const text = document.getText();
    before.push({ uri, text, written: await replaceText(uri, withModel(text, modelText(model))) });
  }
  if (before.length === 0) throw new Error(vscode.l10n.t('These checks have no prompt file to name the model in.'));
  const [first, ...more] = before.map(({ uri }) => checksPath(uri));
  const said =
    more.length === 0
      ? vscode.l10n.t('{0} now uses {1}.', first ?? '', modelLabel(model))
      : vscode.l10n.t('{0} prompts now use {1}.', before.length, modelLabel(model));
  say(said, vscode.l10n.t('Undo'), async () => {
    const changed: string[] = [];
    for (const { uri, text, written } of before) {
      const document = await vscode.workspace.openTextDocument(uri);
      // Changes that the user has made since must not be lost.
      if (document.getText() === written) await replaceText(uri, text);
      else changed.push(checksPath(uri));
    }
    if (changed.length === 0) return;
    const list = changed.join(', ');
    void plainWindow.showInformationMessage(vscode.l10n.t('{0} has changed since then and was left unchanged.', list));
  });
}

/** @returns what's in the file then, which a formatter might have changed */
async function replaceText(uri: vscode.Uri, text: string): Promise<string> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error(refusedEditText(checksPath(uri)));
  await document.save();
  return document.getText();
}
