import * as vscode from 'vscode';
import type { TranscriptionRequest } from '../../api/operations/audioTranscription.ts';
import { withSlashes } from '../attachments/filePaths.ts';
import { isSecretFile } from '../attachments/secretFile.ts';
import { isLinked } from '../platform/isLinked.ts';
import { bytesText } from '../../words/bytes.ts';

/** A model decides what is sent here, so only audio files are allowed. */
const mediaTypes: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  webm: 'audio/webm',
  aac: 'audio/aac',
};

const mostBytes = 100 * 1024 * 1024;

/** An audio file in the workspace, and its size in bytes. */
export interface AudioFile {
  readonly uri: vscode.Uri;
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
}

/**
 * @throws {Error} with a readable message, for a path that doesn't exist, is outside the workspace, or isn't an audio
 * file.
 */
export async function findAudioFile(path: string): Promise<AudioFile> {
  const uri = workspaceUri(path);
  if (uri === undefined) throw new Error(vscode.l10n.t("{0} isn't in an open folder.", path));
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const mediaType = mediaTypes[name.slice(name.lastIndexOf('.') + 1).toLowerCase()];
  if (mediaType === undefined) {
    throw new Error(
      vscode.l10n.t("{0} isn't a supported audio file. Supported: {1}.", name, Object.keys(mediaTypes).join(', ')),
    );
  }
  const { size } = await stat(uri, path);
  // An agent selected it, and nobody has seen what it really is.
  if ((await isLinked(uri)) || (await isSecretFile(uri))) {
    throw new Error(vscode.l10n.t("{0} is a link or might contain secrets, so it can't be sent.", path));
  }
  if (size > mostBytes) throw new Error(vscode.l10n.t('{0} is larger than {1}.', name, bytesText(mostBytes)));
  return { uri, name, mediaType, size };
}

export async function readAudioFile({ uri, name, mediaType }: AudioFile): Promise<TranscriptionRequest['file']> {
  return { name, mediaType, bytes: await vscode.workspace.fs.readFile(uri) };
}

async function stat(uri: vscode.Uri, path: string): Promise<vscode.FileStat> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    throw new Error(vscode.l10n.t("{0} doesn't exist.", path));
  }
}

/** `..` is resolved before checking whether the file is inside. */
function workspaceUri(path: string): vscode.Uri | undefined {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) return undefined;
  const isWhole = path.startsWith('/') || /^[a-z]:[\\/]/i.test(path);
  const parted = withSlashes(path, folder.uri.path);
  const file = vscode.Uri.file(parted);
  const uri = isWhole ? folder.uri.with({ path: file.path }) : vscode.Uri.joinPath(folder.uri, parted);
  const normal = vscode.Uri.joinPath(uri, '.');
  return vscode.workspace.getWorkspaceFolder(normal) === undefined ? undefined : normal;
}
