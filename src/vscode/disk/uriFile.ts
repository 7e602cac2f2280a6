import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import * as vscode from 'vscode';
import { replaceFile } from './replaceFile.ts';
import { resolvedPath } from './resolvedPath.ts';

export async function uriExists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes to where the user wants it. A file there is replaced by all of it and keeps its permissions, or this rejects
 * and it stays as it was.
 */
export async function saveTo(
  target: vscode.Uri,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  if (target.scheme === 'file') {
    // Through a link, as an editor would.
    await replaceFile((await resolvedPath(target)) ?? target.fsPath, content, { keepsMode: true });
    return;
  }
  // Other file systems write a file in one piece.
  const isWhole = typeof content === 'string' || content instanceof Uint8Array;
  await vscode.workspace.fs.writeFile(target, isWhole ? Buffer.from(content) : await buffer(content));
}

/** The content of a file of any size. It's opened when it's read. */
export async function* fileParts(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}
