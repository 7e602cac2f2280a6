import * as vscode from 'vscode';
import type { PromptTarget } from '../../core/promptDefinition.ts';

/** The places a reply can go, as a person knows them. */
export function targetItems(): readonly (vscode.QuickPickItem & { readonly target: PromptTarget })[] {
  return [
    {
      target: 'newChat',
      label: vscode.l10n.t('$(comment-discussion) New chat'),
      description: vscode.l10n.t('kept as a conversation'),
    },
    {
      target: 'currentChat',
      label: vscode.l10n.t('$(comment) Current chat'),
      description: vscode.l10n.t('with all that was said in it'),
    },
    {
      target: 'beside',
      label: vscode.l10n.t('$(split-horizontal) Document beside'),
      description: vscode.l10n.t('untitled Markdown'),
    },
    {
      target: 'cursor',
      label: vscode.l10n.t('$(insert) At the cursor'),
      description: vscode.l10n.t('below what is selected'),
    },
    {
      target: 'replace',
      label: vscode.l10n.t('$(diff) In place of the selection'),
      description: vscode.l10n.t('as a diff, to accept or reject'),
    },
  ];
}

/** Asks where the reply is to go. */
export async function chooseTarget(title: string): Promise<PromptTarget | undefined> {
  const chosen = await vscode.window.showQuickPick(targetItems(), {
    title,
    placeHolder: vscode.l10n.t('Where should the reply go?'),
  });
  return chosen?.target;
}
