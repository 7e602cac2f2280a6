import * as vscode from 'vscode';
import { problemOfNothingToAdd } from '../../../core/problems/attachmentProblems.ts';
import type { Taken } from '../contextSnapshot.ts';
import { IgnoredFiles } from '../ignoredFiles.ts';
import { isSecretFile } from '../secretFile.ts';
import { documentBlock, notebookAt, notebookBlock, pathOf } from './documentContext.ts';

/** The text files and notebooks that are open in tabs, each once. */
export function openFiles(): readonly vscode.Uri[] {
  const found = new Map<string, vscode.Uri>();
  for (const { tabs } of vscode.window.tabGroups.all) {
    for (const { input } of tabs) {
      const isFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook;
      if (isFile) found.set(input.uri.toString(), input.uri);
    }
  }
  return [...found.values()].filter(({ scheme }) => scheme !== 'output');
}

/** All open text files. Those that are ignored or might contain secrets are left out and counted. */
export async function openEditorsContext(): Promise<Taken> {
  const ignored = new IgnoredFiles();
  const blocks: string[] = [];
  const paths: string[] = [];
  let leftOut = 0;
  for (const uri of openFiles()) {
    const isLeftOut = (await isSecretFile(uri)) || (await ignored.has(uri));
    const block = isLeftOut ? undefined : await blockAt(uri);
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

async function blockAt(uri: vscode.Uri): Promise<string | undefined> {
  try {
    const notebook = notebookAt(uri);
    if (notebook !== undefined) return notebookBlock(notebook);
    const document = await vscode.workspace.openTextDocument(uri);
    return document.getText().includes('\0') ? undefined : documentBlock(document);
  } catch {
    return undefined;
  }
}
