import * as vscode from 'vscode';
import type { SuggestionView } from '../../shared/chatProtocol.ts';
import { maySend } from '../attachments/secretFile.ts';

/** Three suggestions that fit what is open and selected. Selecting one only fills the composer. */
export function suggestions(): readonly SuggestionView[] {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined && !editor.selection.isEmpty) {
    return [
      { id: 'explainSelection', label: vscode.l10n.t('Explain the selected code') },
      { id: 'reviewSelection', label: vscode.l10n.t('Review the selected code') },
      { id: 'testSelection', label: vscode.l10n.t('Write tests for the selected code') },
    ];
  }
  if (editor !== undefined) {
    return [
      { id: 'explainFile', label: vscode.l10n.t('Explain this file') },
      { id: 'testFile', label: vscode.l10n.t('Write tests for this file') },
      { id: 'planChange', label: vscode.l10n.t('Plan a change') },
    ];
  }
  return [
    { id: 'planChange', label: vscode.l10n.t('Plan a change') },
    { id: 'writeScript', label: vscode.l10n.t('Write a script') },
    { id: 'compareOptions', label: vscode.l10n.t('Compare two ways to do it') },
  ];
}

/**
 * The text for a suggestion, with the code it's about, for the user to read and send.
 * @returns undefined if the user was asked about a file that might contain secrets, and declined
 */
export async function suggestionPrompt(id: string): Promise<string | undefined> {
  switch (id) {
    case 'explainSelection':
    case 'explainFile':
      return withCode(vscode.l10n.t('Explain this code: what it does, how, and what to watch out for.'), id);
    case 'reviewSelection':
      return withCode(vscode.l10n.t('Review this code. List bugs and risks first, then what could be simpler.'), id);
    case 'testSelection':
    case 'testFile':
      return withCode(vscode.l10n.t('Write tests for this code. Cover the edge cases.'), id);
    case 'planChange':
      return vscode.l10n.t('I want to change the following. Write a short plan before any code: ');
    case 'writeScript':
      return vscode.l10n.t('Write a script that ');
    case 'compareOptions':
      return vscode.l10n.t('Compare these two approaches with their trade-offs, and recommend one: ');
    default:
      return undefined;
  }
}

async function withCode(words: string, id: string): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return words;
  const { document, selection } = editor;
  if (!(await maySend(document.uri))) return undefined;
  const code = id.endsWith('Selection') ? document.getText(selection) : document.getText();
  const name = vscode.workspace.asRelativePath(document.uri);
  // A fence longer than any in the code, so that the code can't end it.
  const longest = Math.max(2, ...Array.from(code.matchAll(/`+/g), (run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${words}\n\n${name}\n${fence}${document.languageId}\n${code}\n${fence}`;
}
