import { posix } from 'node:path';
import * as vscode from 'vscode';
import { withSlashes } from './filePaths.ts';

/**
 * A dropped file under the URI that this extension host uses for it; undefined outside of the open folders. In a remote
 * window, dragged files have a `vscode-remote:` URI, while a host that runs there calls the same file `file:`.
 */
export function droppedFile(address: string): vscode.Uri | undefined {
  const uri = uriOf(address);
  if (uri === undefined) return undefined;
  const candidates = uri.scheme === 'vscode-remote' ? [uri, uri.with({ scheme: 'file', authority: '' })] : [uri];
  return candidates.find((candidate) => vscode.workspace.getWorkspaceFolder(candidate) !== undefined);
}

/** Undefined for text that isn't a URI. */
function uriOf(text: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(text, true);
    // `..` leads out of the folder that the path starts with.
    return uri.with({ path: posix.normalize(withSlashes(uri.path, uri.path)) });
  } catch {
    return undefined;
  }
}
