import * as l10n from '@vscode/l10n';
import type { ReplyState } from '../shared/chat.ts';
import { isFilterEnding, isLengthEnding, isWholeEnding } from '../shared/replyEnding.ts';
import { inline } from './inline.ts';

/** What is known about the end of a reply or a request. */
export interface Ending {
  /** `unknown`: its window was closed before it ended. */
  readonly state: ReplyState | 'unknown';
  /** As the service sent it. */
  readonly finishReason?: string | undefined;
}

/** How a reply ended, in a few words. Undefined while it's running and for a normal ending. */
export function endingText({ state, finishReason }: Ending): string | undefined {
  switch (state) {
    case 'running':
      return undefined;
    case 'done':
      return isWholeEnding(finishReason) ? undefined : cutText(finishReason);
    case 'incomplete':
      return cutText(finishReason);
    case 'stopped':
      return l10n.t('stopped');
    case 'failed':
      return l10n.t('failed');
    case 'interrupted':
      return l10n.t('interrupted');
    case 'elsewhere':
      return l10n.t('being written in another window');
    case 'unknown':
      return l10n.t('outcome unknown');
  }
}

/** Why a reply isn't complete, as a sentence. @param finishReason undefined if the service sent none. */
export function incompleteSentence(finishReason: string | undefined): string {
  if (finishReason === undefined) return l10n.t('The reply ended early and might be incomplete.');
  const reason = inline(finishReason, 64);
  if (isLengthEnding(finishReason)) return l10n.t('The reply reached its token limit (finish reason "{0}").', reason);
  if (isFilterEnding(finishReason))
    return l10n.t('The content filter cut off the reply (finish reason "{0}").', reason);
  return l10n.t('The reply is incomplete (finish reason "{0}").', reason);
}

function cutText(finishReason: string | undefined): string {
  if (isLengthEnding(finishReason)) return l10n.t('stopped at the token limit');
  if (isFilterEnding(finishReason)) return l10n.t('cut off by the content filter');
  return finishReason === undefined || isWholeEnding(finishReason)
    ? l10n.t('might be incomplete')
    : l10n.t('finish reason: {0}', inline(finishReason, 64));
}
