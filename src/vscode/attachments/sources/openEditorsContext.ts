import * as vscode from 'vscode';
import { problemOfNothingToAdd } from '../../../core/problems/attachmentProblems.ts';
import type { Taken } from '../contextSnapshot.ts';
import { IgnoredFiles } from '../ignoredFiles.ts';
import { isSecretFile } from '../secretFile.ts';
import { documentBlock, pathOf } from './documentContext.ts';

/** The text files that are open in tabs, each once. */
export function openFiles(): readonly vscode.Uri[] {
  const found = new Map<string, vscode.Uri>();
  for (const { tabs } of vscode.window.tabGroups.all) {
    for (const { input } of tabs) {
      if (input instanceof vscode.TabInputText) found.set(input.uri.toString(), input.uri);
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
    const document = isLeftOut ? undefined : await documentAt(uri);
    if (document === undefined) leftOut += 1;
    else {
      blocks.push(documentBlock(document));
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

async function documentAt(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return document.getText().includes('\0') ? undefined : document;
  } catch {
    return undefined;
  }
}
