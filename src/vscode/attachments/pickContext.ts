import * as vscode from 'vscode';
import { contextIcons } from '../../shared/attachment.ts';
import { contextChoices } from './contextChoices.ts';
import type { Taken } from './contextSnapshot.ts';
import { pickFile } from './pickFile.ts';
import { fileContext } from './sources/fileContext.ts';

/** A picture's file, to be made smaller by the page. */
export interface ChosenPicture {
  readonly picture: vscode.Uri;
}

interface Row extends vscode.QuickPickItem {
  readonly take: () => Promise<Taken | ChosenPicture>;
}

/** Lets a person choose what to add; only what is there is listed. Undefined when they leave. */
export async function pickContext(editor: vscode.TextEditor | undefined): Promise<Taken | ChosenPicture> {
  const rows: Row[] = contextChoices(editor).map(({ kind, label, detail, take }) => ({
    label: `$(${contextIcons[kind]}) ${label}`,
    description: detail,
    take,
  }));
  rows.push(
    { label: `$(file-add) ${vscode.l10n.t('Another File…')}`, take: takeFile },
    { label: `$(file-media) ${vscode.l10n.t('Picture…')}`, take: choosePicture },
  );
  const row = await vscode.window.showQuickPick(rows, {
    title: vscode.l10n.t('Add Context'),
    placeHolder: vscode.l10n.t('What should go with the message?'),
    matchOnDescription: true,
  });
  return row?.take();
}

async function takeFile(): Promise<Taken> {
  const uri = await pickFile();
  return uri === undefined ? undefined : fileContext(uri);
}

async function choosePicture(): Promise<ChosenPicture | undefined> {
  const [picture] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Add a Picture'),
      openLabel: vscode.l10n.t('Add'),
      filters: { [vscode.l10n.t('Pictures')]: ['png', 'jpg', 'jpeg', 'webp', 'gif'] },
    })) ?? [];
  return picture === undefined ? undefined : { picture };
}
