import * as vscode from 'vscode';
import { looksSecret } from '../../core/safety/secretName.ts';
import { resolvedPath } from '../disk/resolvedPath.ts';
import { isLink, isLinked } from '../platform/isLinked.ts';
import { namedPaths } from './filePaths.ts';
import { pathOf } from './sources/documentContext.ts';
import { plainWindow } from '../platform/plainWindow.ts';

/** Whether a file's own name or folders look secret. Enough for a list of names; before text is sent, ask `isSecretFile`. */
export function hasSecretName(uri: vscode.Uri): boolean {
  return namedPaths(uri).some(looksSecret);
}

/**
 * Whether a file might hold passwords or keys, by its name or by that of the file that it links to. It doesn't matter
 * which folders are open. On another machine nobody can tell where a link leads, so a file that is one, or is behind one
 * in an open folder, counts as secret there.
 */
export async function isSecretFile(uri: vscode.Uri): Promise<boolean> {
  if (hasSecretName(uri)) return true;
  const resolved = await resolvedPath(uri);
  if (resolved !== undefined) return looksSecret(resolved);
  if (uri.scheme === 'file') return false;
  try {
    return isLink((await vscode.workspace.fs.stat(uri)).type) || (await isLinked(uri));
  } catch {
    // Not a file, or gone: then there is nothing that it could link to.
    return false;
  }
}

/** Asks before a file's text goes to a service, if the file might hold passwords or keys. */
export async function maySend(uri: vscode.Uri): Promise<boolean> {
  return !(await isSecretFile(uri)) || askToSend(pathOf(uri));
}

/** As `maySend`, for a file of which only the name is known. */
export async function maySendNamed(name: string): Promise<boolean> {
  return !looksSecret(name) || askToSend(name);
}

async function askToSend(path: string): Promise<boolean> {
  const send = vscode.l10n.t('Send Anyway');
  const chosen = await plainWindow.ask(
    vscode.l10n.t('"{0}" might contain passwords or keys', path),
    { detail: vscode.l10n.t('Its contents would be sent to the inference service.') },
    send,
  );
  return chosen === send;
}
