import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { withModel } from '../../core/checks/modelOfPrompt.ts';
import { modelText } from '../../core/models/modelText.ts';
import { modelLabel } from '../../words/modelLabel.ts';

/** Writes the model into each of the prompts, and shows a message with Undo. */
export async function useCheckedModel(
  model: ModelRef,
  prompts: readonly vscode.Uri[],
  say: (text: string, button: string, run: () => Promise<void>) => void,
): Promise<void> {
  const before: { readonly uri: vscode.Uri; readonly text: string }[] = [];
  for (const uri of new Map(prompts.map((prompt) => [prompt.toString(), prompt])).values()) {
    const document = await vscode.workspace.openTextDocument(uri);
    const text = document.getText();
    before.push({ uri, text });
    await replaceText(uri, withModel(text, modelText(model)));
  }
  if (before.length === 0) throw new Error(vscode.l10n.t('These checks have no prompt file to name the model in.'));
  const names = before.map(({ uri }) => vscode.workspace.asRelativePath(uri)).join(', ');
  say(vscode.l10n.t('{0} now uses {1}.', names, modelLabel(model)), vscode.l10n.t('Undo'), async () => {
    for (const { uri, text } of before) await replaceText(uri, text);
  });
}

async function replaceText(uri: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  await document.save();
}
