import { realpath } from 'node:fs/promises';
import type * as vscode from 'vscode';

/**
 * Where the links in the path of a file on this machine lead, and what short names of Windows stand for. Undefined
 * where the file is elsewhere, or isn't there. Never rejects.
 */
export async function resolvedPath({
  scheme,
  authority,
  fsPath,
}: Pick<vscode.Uri, 'scheme' | 'authority' | 'fsPath'>): Promise<string | undefined> {
  // With an authority, the path of any other scheme is a path of another machine.
  if (scheme !== 'file' && authority !== '') return undefined;
  try {
    return await realpath(fsPath);
  } catch {
    return undefined;
  }
}
