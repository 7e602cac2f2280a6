import * as vscode from 'vscode';
import { type PromptTarget, promptTargets } from '../../../core/prompts/promptDefinition.ts';
import type { ShownItem } from '../../platform/plainItems.ts';
import { plainWindow } from '../../platform/plainWindow.ts';

/** The places for a reply, in the user's words. */
export function targetItems(): readonly (ShownItem & { readonly target: PromptTarget })[] {
  const items: Readonly<Record<PromptTarget, ShownItem>> = {
    newChat: {
      icon: 'comment-discussion',
      label: vscode.l10n.t('New chat'),
      description: vscode.l10n.t('saved as a conversation'),
    },
    currentChat: {
      icon: 'comment',
      label: vscode.l10n.t('Current chat'),
      description: vscode.l10n.t('continues the conversation'),
    },
    beside: {
      icon: 'split-horizontal',
      label: vscode.l10n.t('Document to the side'),
      description: vscode.l10n.t('new Markdown document'),
    },
    cursor: {
      icon: 'insert',
      label: vscode.l10n.t('At the cursor'),
      description: vscode.l10n.t('below the selection'),
    },
    replace: {
      icon: 'diff',
      label: vscode.l10n.t('In place of the selection'),
      description: vscode.l10n.t('as a diff to keep or discard'),
    },
    compare: {
      icon: 'git-compare',
      label: vscode.l10n.t('Several models'),
      description: vscode.l10n.t('side by side'),
    },
  };
  return promptTargets.map((target) => ({ target, ...items[target] }));
}

/** Asks where to put the reply. */
export async function chooseTarget(title: string): Promise<PromptTarget | undefined> {
  const chosen = await plainWindow.showQuickPick(targetItems(), {
    title,
    placeHolder: vscode.l10n.t('Where should the reply go?'),
  });
  return chosen?.target;
}
