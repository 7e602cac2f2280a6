import { realpath } from 'node:fs/promises';
import type * as vscode from 'vscode';

/**
 * The path of a file on this machine, with links and Windows short names resolved. Undefined if the file is on another
 * machine or doesn't exist. Never rejects.
 */
export async function resolvedPath({
  scheme,
  authority,
  fsPath,
}: Pick<vscode.Uri, 'scheme' | 'authority' | 'fsPath'>): Promise<string | undefined> {
  // With an authority, any other scheme refers to a path on another machine.
  if (scheme !== 'file' && authority !== '') return undefined;
  try {
    return await realpath(fsPath);
  } catch {
    return undefined;
  }
}
