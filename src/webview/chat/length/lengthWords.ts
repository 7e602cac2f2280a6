import * as l10n from '@vscode/l10n';
import type { AttachmentsView } from '../../../shared/attachment.ts';
import { costText } from '../../../words/amount.ts';
import { shareOfWindow, tokensText } from '../../../words/tokens.ts';

/** The share of the context window from which it's mentioned. */
const saidFrom = 0.5;
/** From here on, the next reply might not fit. */
const offeredFrom = 0.9;

/** True if the next message nearly fills or exceeds the context window. */
export function isNearlyFull(tokens: number, { contextWindow, conversationTokens }: AttachmentsView): boolean {
  return contextWindow !== undefined && conversationTokens > 0 && tokens >= contextWindow * offeredFrom;
}

/**
 * How full the context window is, what isn't sent, and what it costs: `≈ 70k of 128k tokens`, `Cost to send: ≈ 0.014`.
 * @param tokens of the next message, with everything sent before it
 * @param always even if less than half of the window is used
 */
export function lengthWords(tokens: number, view: AttachmentsView, always: boolean): readonly string[] | undefined {
  const { contextWindow, length } = view;
  const isLeftOut = (length?.leftOut ?? 0) > 0;
  const isLong = contextWindow !== undefined && tokens >= contextWindow * saidFrom;
  if (!isLong && !isLeftOut && !(always && contextWindow !== undefined)) return undefined;
  const words = [contextWindow === undefined ? tokensText(tokens, true) : shareOfWindow(tokens, contextWindow)];
  if (isLeftOut) words.push(notSentWords(length?.leftOut ?? 0));
  if (length?.inputPerMillion !== undefined && length.inputPerMillion > 0) {
    const cost = costText((tokens * length.inputPerMillion) / 1_000_000, { isEstimate: true });
    words.push(l10n.t('Cost to send: {0}', cost));
  }
  if (length?.spent !== undefined) words.push(l10n.t('So far: {0}', costText(length.spent.cost, length.spent)));
  return words;
}

export function notSentWords(count: number): string {
  return count === 1 ? l10n.t('1 earlier message left out') : l10n.t('{0} earlier messages left out', count);
}
