import * as vscode from 'vscode';
import type { SuggestionView } from '../../shared/protocol/chatProtocol.ts';
import { suggestedContext } from '../attachments/suggestedContext.ts';

/** Three suggestions that fit what the user is looking at. Selecting one only fills the composer. */
export function suggestions(editor: vscode.TextEditor | undefined): readonly SuggestionView[] {
  const kind = suggestedContext(editor)?.kind;
  if (kind === 'selection') {
    return [
      { id: 'explainSelection', label: vscode.l10n.t('Explain the selected code') },
      { id: 'reviewSelection', label: vscode.l10n.t('Review the selected code') },
      { id: 'testSelection', label: vscode.l10n.t('Write tests for the selected code') },
    ];
  }
  if (kind === 'file') {
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

/** The text for a suggestion, for the user to read and send. What it's about is attached to the message. */
export function suggestionWords(id: string): string | undefined {
  switch (id) {
    case 'explainSelection':
    case 'explainFile':
      return vscode.l10n.t('Explain this code: what it does, how, and what to watch out for.');
    case 'reviewSelection':
      return vscode.l10n.t('Review this code. List bugs and risks first, then what could be simpler.');
    case 'testSelection':
    case 'testFile':
      return vscode.l10n.t('Write tests for this code. Cover the edge cases.');
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

/** Whether it's about what the user is looking at. */
export function isAboutCode(id: string): boolean {
  return /(?:Selection|File)$/.test(id);
}
