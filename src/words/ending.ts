import * as l10n from '@vscode/l10n';
import { isFilterEnding, isLengthEnding } from '../shared/replyEnding.ts';
import { inline } from './inline.ts';

/** Why a reply isn't complete, as a sentence. @param finishReason undefined where the service sent none. */
export function incompleteSentence(finishReason: string | undefined): string {
  if (finishReason === undefined) return l10n.t('The reply ended early and might be incomplete.');
  const reason = inline(finishReason, 64);
  if (isLengthEnding(finishReason)) return l10n.t('The reply reached its token limit (finish reason "{0}").', reason);
  if (isFilterEnding(finishReason)) return l10n.t('The content filter cut the reply (finish reason "{0}").', reason);
  return l10n.t('The reply is incomplete (finish reason "{0}").', reason);
}
