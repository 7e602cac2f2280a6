import * as vscode from 'vscode';
import type { InputPicture } from '../media/makeMedia.ts';
import { isAttached, readReference } from './readReference.ts';

/** The picture that a video starts from: the first that was attached. */
export async function startingPicture(references: readonly vscode.ChatPromptReference[]): Promise<{
  readonly picture?: InputPicture;
  /** Names of what else was attached. */
  readonly unused: readonly string[];
}> {
  let picture: InputPicture | undefined;
  const unused: string[] = [];
  for (const reference of references.filter(isAttached)) {
    // What may hold secrets is no picture to start from, and so nobody is asked.
    const read = picture === undefined ? await readReference(reference, () => Promise.resolve(false)) : undefined;
    if (read?.kind === 'picture') ({ picture } = read);
    else unused.push(attachedName(reference));
  }
  return { unused, ...(picture !== undefined && { picture }) };
}

export function attachedName({ id, value, modelDescription }: vscode.ChatPromptReference): string {
  const uri = value instanceof vscode.Location ? value.uri : value;
  return uri instanceof vscode.Uri ? vscode.workspace.asRelativePath(uri) : (modelDescription ?? id);
}
