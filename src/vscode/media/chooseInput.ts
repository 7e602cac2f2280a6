import * as vscode from 'vscode';
import type { InputName, MediaInput } from '../../shared/media.ts';
import { maySend } from '../attachments/secretFile.ts';
import type { Notifier } from '../platform/notify.ts';
import { audioInputEndings, imageInputEndings, inputTypeOf } from './mediaEndings.ts';
import type { MediaFolder } from './mediaFolder.ts';
import { emptyFileText, largeFileText, uncopiedFileText } from '../../core/problems/fileTexts.ts';
import { createHash } from 'node:crypto';
import type { InputPicture } from './makeMedia.ts';
import { plainWindow } from '../platform/plainWindow.ts';

/** In bytes. Much more than services accept in one request, but small enough to hold in memory. */
const limitBytes = 32 * 1024 * 1024;

/** Asks for a local file that guides a generation, and stores a copy. Undefined if there's none to send. */
export async function chooseInput(
  field: InputName,
  { folder, notifier }: { readonly folder: MediaFolder; readonly notifier: Pick<Notifier, 'error'> },
): Promise<MediaInput | undefined> {
  const chosen = await askFor(field);
  if (chosen === undefined || !(await maySend(chosen))) return undefined;
  const name = chosen.path.split('/').at(-1) ?? '';
  const mediaType = inputTypeOf(name);
  if (mediaType?.startsWith(`${field}/`) !== true) {
    notifier.error(vscode.l10n.t("{0} isn't a supported type of file. Select another file.", name));
    return undefined;
  }
  try {
    const { size } = await vscode.workspace.fs.stat(chosen);
    if (size > limitBytes) {
      notifier.error(largeFileText(name, limitBytes, 'url'));
      return undefined;
    }
    if (size === 0) {
      notifier.error(emptyFileText(name));
      return undefined;
    }
    const bytes = await vscode.workspace.fs.readFile(chosen);
    return await keepInput({ name, mediaType, bytes }, folder);
  } catch (error) {
    notifier.error(uncopiedFileText(name, error));
    return undefined;
  }
}

async function askFor(field: InputName): Promise<vscode.Uri | undefined> {
  const dialogs: Readonly<Record<InputName, vscode.OpenDialogOptions>> = {
    image: {
      title: vscode.l10n.t('Select an Image'),
      filters: { [vscode.l10n.t('Images')]: [...imageInputEndings] },
    },
    audio: {
      title: vscode.l10n.t('Select an Audio File'),
      filters: { [vscode.l10n.t('Audio files')]: [...audioInputEndings] },
    },
  };
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [chosen] =
    (await plainWindow.showOpenDialog({
      ...dialogs[field],
      ...(folder !== undefined && { defaultUri: folder }),
    })) ?? [];
  return chosen;
}

/** Stores a copy of a file that guides a generation. */
export async function keepInput(
  { name, mediaType, bytes }: InputPicture,
  folder: Pick<MediaFolder, 'keepInput'>,
): Promise<MediaInput> {
  // Named by its content, so that a file that is selected again isn't stored twice.
  const id = createHash('sha256').update(bytes).digest('hex');
  await folder.keepInput(id, bytes);
  return { kind: 'file', id, name: name.slice(0, 200), mediaType, sizeBytes: bytes.length };
}
