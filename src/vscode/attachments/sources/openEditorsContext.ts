import * as vscode from 'vscode';
import { problemOfNothingToAdd } from '../../../core/problems/attachmentProblems.ts';
import type { Taken } from '../contextSnapshot.ts';
import { IgnoredFiles } from '../ignoredFiles.ts';
import { isSecretFile } from '../secretFile.ts';
import { documentBlock, notebookAt, notebookBlock, pathOf } from './documentContext.ts';

interface OpenFile {
  readonly uri: vscode.Uri;
  readonly isNotebook: boolean;
}

/** The text files and notebooks that are open in tabs, each once. */
export function openFiles(): readonly vscode.Uri[] {
  return filesInTabs().map(({ uri }) => uri);
}

function filesInTabs(): readonly OpenFile[] {
  const found = new Map<string, OpenFile>();
  for (const { tabs } of vscode.window.tabGroups.all) {
    for (const { input } of tabs) {
      const isNotebook = input instanceof vscode.TabInputNotebook;
      if (!isNotebook && !(input instanceof vscode.TabInputText)) continue;
      const key = input.uri.toString();
      // A notebook might be open as text, too.
      found.set(key, { uri: input.uri, isNotebook: isNotebook || found.get(key)?.isNotebook === true });
    }
  }
  return [...found.values()].filter(({ uri }) => uri.scheme !== 'output');
}

/** All open text files and notebooks. Those that are ignored or might contain secrets are left out and counted. */
export async function openEditorsContext(): Promise<Taken> {
  const ignored = new IgnoredFiles();
  const blocks: string[] = [];
  const paths: string[] = [];
  let leftOut = 0;
  for (const { uri, isNotebook } of filesInTabs()) {
    const isLeftOut = (await isSecretFile(uri)) || (await ignored.has(uri));
    const block = isLeftOut ? undefined : await blockAt(uri, isNotebook);
    if (block === undefined) leftOut += 1;
    else {
      blocks.push(block);
      paths.push(pathOf(uri));
    }
  }
  if (blocks.length === 0) return problemOfNothingToAdd('openEditors');
  const left =
    leftOut === 0 ? '' : ` (${vscode.l10n.t('{0} skipped: ignored, possibly secret, or not text', leftOut)})`;
  return {
    kind: 'openEditors',
    name: vscode.l10n.t('Open editors ({0})', blocks.length),
    detail: paths.join(', ') + left,
    block: blocks.join('\n\n'),
  };
}

async function blockAt(uri: vscode.Uri, isNotebook: boolean): Promise<string | undefined> {
  try {
    // One that was restored in the background isn't loaded before it's shown.
    const notebook = notebookAt(uri) ?? (isNotebook ? await vscode.workspace.openNotebookDocument(uri) : undefined);
    if (notebook !== undefined) return notebookBlock(notebook);
    const document = await vscode.workspace.openTextDocument(uri);
    return document.getText().includes('\0') ? undefined : documentBlock(document);
  } catch {
    return undefined;
  }
}
