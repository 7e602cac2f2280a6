import * as vscode from 'vscode';
import { inline } from '../../../words/inline.ts';
import type { PromptRunEnd } from '../../../core/prompts/promptRun.ts';
import { isFilterEnding, isLengthEnding } from '../../../shared/replyEnding.ts';

/** Why a reply ended, where there is something to say. */
export function endWord({ outcome, finishReason }: PromptRunEnd): string | undefined {
  if (outcome === 'stopped') return vscode.l10n.t('stopped');
  if (outcome === 'failed') return vscode.l10n.t('failed');
  if (outcome !== 'incomplete') return undefined;
  if (isLengthEnding(finishReason)) return vscode.l10n.t('stopped at the token limit');
  if (isFilterEnding(finishReason)) return vscode.l10n.t('cut by the content filter');
  return finishReason === undefined
    ? vscode.l10n.t('might be incomplete')
    : vscode.l10n.t('incomplete: {0}', inline(finishReason, 64));
}
