import * as vscode from 'vscode';
import { plainWindow } from '../platform/plainWindow.ts';

/** An image file that the page will scale down. */
export interface ChosenPicture {
  readonly picture: vscode.Uri;
}

/** Whether it's an image by its name. */
export function isPictureFile({ path }: vscode.Uri): boolean {
  return /\.(png|jpe?g|webp|gif)$/i.test(path);
}

/** Lets the user select an image. Undefined if they cancel. */
export async function choosePicture(): Promise<vscode.Uri | undefined> {
  const [picture] =
    (await plainWindow.showOpenDialog({
      title: vscode.l10n.t('Add an Image'),
      openLabel: vscode.l10n.t('Add'),
      filters: { [vscode.l10n.t('Images')]: ['png', 'jpg', 'jpeg', 'webp', 'gif'] },
    })) ?? [];
  return picture;
}
