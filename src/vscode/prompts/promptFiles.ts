import * as vscode from 'vscode';
import type { PromptDefinition } from '../../core/promptDefinition.ts';
import { type PromptFile, readPromptFile } from '../../core/promptFile.ts';
import { isLink, isLinked } from './isLinked.ts';

export const promptFileEnding = '.prompt.md';
export const workspacePromptFolder = ['.github', 'prompts'];

/** A prompt file that was found. */
export interface FoundPrompt {
  readonly uri: vscode.Uri;
  /** Its file's name without the ending. */
  readonly name: string;
  /** The workspace folder it came with; absent for the person's own. */
  readonly folder?: vscode.WorkspaceFolder;
  readonly file: PromptFile;
  readonly text: string;
}

// A folder that somebody else filled must not hold up the list.
const maxFiles = 500;
const maxDepth = 4;
/** In bytes, or in UTF-16 units of a file that is open. */
export const maxPromptSize = 256 * 1024;

/**
 * The person's own prompts, and those of the folders that are open where these are trusted: through
 * `workspace.fs`, so that it works in remote and virtual ones too.
 */
export async function findPrompts(userFolder: vscode.Uri): Promise<readonly FoundPrompt[]> {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const lists = await Promise.all([
    promptsIn(userFolder, undefined),
    ...folders.map((folder) => promptsIn(vscode.Uri.joinPath(folder.uri, ...workspacePromptFolder), folder)),
  ]);
  return lists.flat();
}

/**
 * Reads one prompt, from its editor where it is open there: what a person sees is what is run.
 *
 * @throws {Error} with the reason in words, for one that is too large, or is a workspace's and in truth elsewhere
 */
export async function readPrompt(uri: vscode.Uri): Promise<{ readonly text: string; readonly file: PromptFile }> {
  if (await isLinked(uri)) {
    throw new Error(
      vscode.l10n.t('It is a link, or in a folder that is one. Prompts of a workspace must be files of its own.'),
    );
  }
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  const size = open?.getText().length ?? (await vscode.workspace.fs.stat(uri)).size;
  if (size > maxPromptSize) throw new Error(vscode.l10n.t('It is larger than {0} KB.', maxPromptSize / 1024));
  const text = open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  return { text, file: await readPromptFile(text) };
}

export function promptName(uri: vscode.Uri): string {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return name.endsWith(promptFileEnding) ? name.slice(0, -promptFileEnding.length) : name;
}

/** Everything but the person's own folder may have been written by somebody else. */
export function isForeignPrompt(uri: vscode.Uri, userFolder: vscode.Uri): boolean {
  return uri.scheme !== userFolder.scheme || !uri.path.startsWith(`${userFolder.path}/`);
}

export function promptDefinition(name: string, file: PromptFile, isForeign: boolean): PromptDefinition {
  return { title: name, template: file.template, target: file.target ?? 'newChat', options: file.options, isForeign };
}

async function promptsIn(
  root: vscode.Uri,
  folder: vscode.WorkspaceFolder | undefined,
): Promise<readonly FoundPrompt[]> {
  const uris: vscode.Uri[] = [];
  const visit = async (directory: vscode.Uri, depth: number): Promise<void> => {
    let entries: [string, vscode.FileType][];
    try {
      if (folder !== undefined && (await isLinked(directory))) return;
      entries = await vscode.workspace.fs.readDirectory(directory);
    } catch {
      // Most folders have no prompts.
      return;
    }
    for (const [name, type] of entries.toSorted(([one], [other]) => one.localeCompare(other))) {
      const uri = vscode.Uri.joinPath(directory, name);
      if (uris.length >= maxFiles) return;
      // A person links own prompts from where they keep them; those of a workspace would lead out of it.
      if (folder !== undefined && isLink(type)) continue;
      if (type & vscode.FileType.File && name.endsWith(promptFileEnding)) uris.push(uri);
      // Not through links, which may lead round in circles.
      else if (type === vscode.FileType.Directory && depth < maxDepth) await visit(uri, depth + 1);
    }
  };
  await visit(root, 1);
  const found = await Promise.all(
    uris.map(async (uri): Promise<FoundPrompt | undefined> => {
      try {
        return { uri, name: promptName(uri), ...(folder && { folder }), ...(await readPrompt(uri)) };
      } catch {
        // Too large, or gone since it was listed.
        return undefined;
      }
    }),
  );
  return found.filter((prompt) => prompt !== undefined);
}
