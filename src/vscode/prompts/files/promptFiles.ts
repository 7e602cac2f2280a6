import * as vscode from 'vscode';
import { type PromptDefinition, promptFileEnding } from '../../../core/prompts/promptDefinition.ts';
import { type PromptFile, readPromptFile } from '../../../core/prompts/promptFile.ts';
import { folderName } from '../../attachments/filePaths.ts';
import { currentText } from '../../platform/documents/currentText.ts';
import { Gate } from '../../platform/gate.ts';
import { isLink, isLinked } from '../../platform/isLinked.ts';
import { promptPaths } from './promptPaths.ts';

export const workspacePromptFolder = ['.github', 'prompts'];

/** A prompt file on disk. */
export interface FoundPrompt {
  readonly uri: vscode.Uri;
  /** The file name without its extension. */
  readonly name: string;
  /** The name of the open folder that it's from; absent for the user's own. */
  readonly folder?: string;
  readonly file: PromptFile;
  readonly text: string;
}

/** Number of files that are read at once. */
const mostAtOnce = 16;

/** The prompts, as far as they're listed. */
export interface FoundPrompts {
  readonly prompts: readonly FoundPrompt[];
  /** False if a folder has more files, or deeper ones, than the limit. */
  readonly isWhole: boolean;
}

/** In bytes, or in UTF-16 units for a file that is open. */
export const maxPromptSize = 256 * 1024;

/**
 * The user's own prompts, and those of the open folders if they're trusted. Uses `workspace.fs`, so that it works in
 * remote and virtual folders too.
 */
export async function findPrompts(userFolder: vscode.Uri): Promise<FoundPrompts> {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  const lists = await Promise.all([
    promptsIn(userFolder, undefined),
    ...folders.map((folder) =>
      promptsIn(vscode.Uri.joinPath(folder.uri, ...workspacePromptFolder), folderName(folder, folders)),
    ),
  ]);
  return { prompts: lists.flatMap(({ prompts }) => prompts), isWhole: lists.every(({ isWhole }) => isWhole) };
}

/**
 * Reads one prompt, from its editor if it's open there: users run the text that they see.
 * @throws {Error} with the reason in words, for a file that is too large, or that a workspace links to from elsewhere
 */
export async function readPrompt(uri: vscode.Uri): Promise<{ readonly text: string; readonly file: PromptFile }> {
  if (await isLinked(uri)) {
    throw new Error(vscode.l10n.t("It's a symbolic link or in a linked folder. Workspace prompts can't be links."));
  }
  return readFile(uri);
}

async function readFile(uri: vscode.Uri): Promise<{ readonly text: string; readonly file: PromptFile }> {
  const text = await currentText(uri, maxPromptSize);
  return { text, file: await readPromptFile(text) };
}

export function promptName(uri: vscode.Uri): string {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return name.endsWith(promptFileEnding) ? name.slice(0, -promptFileEnding.length) : name;
}

/** Everything except the user's own folder might have been written by someone else. */
export function isForeignPrompt(uri: vscode.Uri, userFolder: vscode.Uri): boolean {
  return uri.scheme !== userFolder.scheme || !uri.path.startsWith(`${userFolder.path}/`);
}

export function promptDefinition(name: string, file: PromptFile, isForeign: boolean): PromptDefinition {
  return { title: name, template: file.template, target: file.target ?? 'newChat', options: file.options, isForeign };
}

async function promptsIn(root: vscode.Uri, folder: string | undefined): Promise<FoundPrompts> {
  const uriOf = (path: string) => (path === '' ? root : vscode.Uri.joinPath(root, path));
  // Only here: below it, links aren't followed.
  const isElsewhere = folder !== undefined && (await isLinked(root).catch(() => true));
  if (isElsewhere) return { prompts: [], isWhole: true };
  const { paths, isWhole } = await promptPaths(async (path) => {
    const entries = await vscode.workspace.fs.readDirectory(uriOf(path));
    // Users link prompts from where they keep them. Links in a workspace would lead out of it.
    const prompts = entries.filter(
      ([name, type]) =>
        (type & vscode.FileType.File) !== 0 &&
        (folder === undefined || !isLink(type)) &&
        name.endsWith(promptFileEnding),
    );
    // Without following links, which might form a circle.
    const folders = entries.filter(([, type]) => type === vscode.FileType.Directory);
    return { prompts: prompts.map(([name]) => name), folders: folders.map(([name]) => name) };
  });
  const gate = new Gate(mostAtOnce);
  const found = await Promise.all(
    paths.map((path) =>
      gate.pass(async (): Promise<FoundPrompt | undefined> => {
        const uri = uriOf(path);
        try {
          return { uri, name: promptName(uri), ...(folder !== undefined && { folder }), ...(await readFile(uri)) };
        } catch {
          // Too large, or deleted since it was listed.
          return undefined;
        }
      }),
    ),
  );
  return { prompts: found.filter((prompt) => prompt !== undefined), isWhole };
}
