import * as vscode from 'vscode';
import type { CodeTarget } from '../platform/codeActs.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import type { ReplyDocuments } from './replyDocuments.ts';

/**
 * Shows what code in a reply would change in a file: the file on the left, the code on the right, both read-only.
 * Without an editor, the user selects a file.
 */
export async function compareCode(text: string, { ofUser: last }: CodeTarget, replies: ReplyDocuments): Promise<void> {
  const file = last === undefined || last.document.isClosed ? await selectFile() : last.document.uri;
  if (file === undefined) return;
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const code = replies.add(name, text);
  await vscode.commands.executeCommand(
    'vscode.diff',
    file,
    code,
    vscode.l10n.t('{0} ↔ {1}', name, vscode.l10n.t('Code from Reply')),
  );
}

async function selectFile(): Promise<vscode.Uri | undefined> {
  const select = vscode.l10n.t('Select File…');
  const chosen = await plainWindow.showInformationMessage(
    vscode.l10n.t('No editor is open to compare the code with.'),
    select,
  );
  if (chosen !== select) return undefined;
  const [file] = (await plainWindow.showOpenDialog({ title: vscode.l10n.t('Compare Code with File') })) ?? [];
  return file;
}
