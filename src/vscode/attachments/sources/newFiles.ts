import * as vscode from 'vscode';
import { newFileDiff } from '../../../core/prompts/gitDiff.ts';
import { isLink } from '../../platform/isLinked.ts';
import { isSecretFile } from '../secretFile.ts';

/** Files that Git doesn't track. */
export interface NewFiles {
  /** As a diff. */
  readonly text: string;
  /** Number of files that might contain secrets, and aren't even named. */
  readonly secret: number;
  /** Number of files without their text, because they have none, or there's no room for it. */
  readonly textless: number;
}

/**
 * Source Control lists them as changes, but `git diff` leaves them out.
 * @param room for the text, in characters
 */
export async function newFiles(root: vscode.Uri, uris: readonly vscode.Uri[], room: number): Promise<NewFiles> {
  let [text, secret, textless] = ['', 0, 0];
  // One after another, so that no file is read that has no room.
  for (const uri of uris) {
    const path = uri.path.slice(root.path.length).replace(/^\//, '');
    if (await isSecretFile(uri)) secret += 1;
    else {
      const content = await contentOf(uri, room - text.length);
      if (content === undefined) continue;
      const whole = newFileDiff(path, content);
      const isShown = 'text' in content && text.length + whole.length <= room;
      const diff = isShown || !('text' in content) ? whole : newFileDiff(path, tooLarge);
      if (!isShown) textless += 1;
      if (text.length + diff.length <= room) text += diff;
    }
  }
  return { text, secret, textless };
}

const tooLarge = { note: 'too large to be included' };

/** Undefined if it's gone. */
async function contentOf(
  uri: vscode.Uri,
  most: number,
): Promise<{ readonly text: string } | { readonly note: string } | undefined> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    // Git stores the target of a link instead of a file's text, and no files of a repository inside this one.
    if (isLink(type)) return { note: 'link' };
    if (type !== vscode.FileType.File) return { note: 'not a file' };
    if (size > most) return tooLarge;
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.includes(0) ? { note: 'binary file' } : { text: new TextDecoder().decode(bytes) };
  } catch {
    return undefined;
  }
}
