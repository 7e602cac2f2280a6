import * as vscode from 'vscode';
import type { PromptRunEnd } from '../../core/promptRun.ts';

/** Why a reply ended, where there is something to say. */
export function endWord({ outcome, finishReason }: PromptRunEnd): string | undefined {
  if (outcome === 'stopped') return vscode.l10n.t('stopped');
  if (outcome === 'failed') return vscode.l10n.t('failed');
  if (finishReason === 'length') return vscode.l10n.t('stopped at the token limit');
  if (finishReason === 'content_filter') return vscode.l10n.t('cut by the content filter');
  return outcome === 'incomplete' ? vscode.l10n.t('may be incomplete') : undefined;
}
