import * as vscode from 'vscode';
import { looksSecret } from '../../core/safety/looksSecret.ts';
import { resolvedPath } from '../disk/resolvedPath.ts';
import { isLink, isLinked } from '../platform/isLinked.ts';
import { namedPaths } from './filePaths.ts';
import { pathOf } from './sources/documentContext.ts';
import { plainWindow } from '../platform/plainWindow.ts';

/**
 * Whether the name of a file or one of its folders suggests secrets. Enough for a list of names. Before text is sent,
 * use `isSecretFile`.
 */
export function hasSecretName(uri: vscode.Uri): boolean {
  return namedPaths(uri).some(looksSecret);
}

/**
 * Whether it's a link on this machine to a file whose name suggests secrets. Together with `hasSecretName`, enough for a
 * list of names. A link on another machine isn't resolved, because each one would be a round trip.
 */
export async function linksToSecretName(uri: vscode.Uri): Promise<boolean> {
  const resolved = await resolvedPath(uri);
  return resolved !== undefined && looksSecret(resolved);
}

/**
 * Whether a file might contain passwords or keys, by its own name or by that of its link target, no matter which
 * folders are open. On another machine a link can't be resolved, so a file that is one, or is behind one in an open
 * folder, counts as secret there.
 */
export async function isSecretFile(uri: vscode.Uri): Promise<boolean> {
  if (hasSecretName(uri)) return true;
  const resolved = await resolvedPath(uri);
  if (resolved !== undefined) return looksSecret(resolved);
  if (uri.scheme === 'file') return false;
  try {
    return isLink((await vscode.workspace.fs.stat(uri)).type) || (await isLinked(uri));
  } catch {
    // Not a file, or gone, so it can't link to anything.
    return false;
  }
}

/** Asks before a file's text is sent to a service, if the file might contain passwords or keys. */
export async function maySend(uri: vscode.Uri): Promise<boolean> {
  return !(await isSecretFile(uri)) || askToSend(pathOf(uri));
}

/** Like `maySend`, for a file with only its name known. */
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
