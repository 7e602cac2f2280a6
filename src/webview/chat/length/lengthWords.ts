import * as l10n from '@vscode/l10n';
import type { AttachmentsView } from '../../../shared/attachment.ts';
import { costText } from '../../../words/amount.ts';
import { roomIn, shareOfWindow, tokenLimitText, tokensText } from '../../../words/tokens.ts';
import { numberText } from '../../../words/numberText.ts';

/** The share of the context window from which it's mentioned. */
const saidFrom = 0.5;
/** From here on, the next reply might not fit. */
const offeredFrom = 0.9;

type WindowView = Pick<AttachmentsView, 'contextWindow' | 'maxTokens'>;

/** True if the next message and the longest reply to it nearly fill or exceed the context window. */
export function isNearlyFull(tokens: number, view: WindowView & Pick<AttachmentsView, 'conversationTokens'>): boolean {
  const { contextWindow, maxTokens, conversationTokens } = view;
  if (contextWindow === undefined || conversationTokens === 0) return false;
  return tokens >= roomIn(contextWindow, maxTokens) * offeredFrom;
}

/** True if the next message nearly fills the context window on its own. */
export function isFullAlone(tokens: number, { contextWindow = Infinity }: WindowView): boolean {
  return tokens >= contextWindow * offeredFrom;
}

/** Why a service might refuse the next message; undefined if it fits, or if that isn't known. */
export function overflowWords(tokens: number, { contextWindow, maxTokens = 0 }: WindowView): string | undefined {
  if (contextWindow === undefined || tokens === 0 || tokens + maxTokens <= contextWindow) return undefined;
  const [is, most] = [tokensText(tokens, true), tokenLimitText(contextWindow)];
  return tokens > contextWindow
    ? l10n.t("{0}, more than this model's context window of {1}", is, most)
    : l10n.t(
        "{0} and a reply of up to {1}, more than this model's context window of {2}",
        is,
        tokenLimitText(maxTokens),
        most,
      );
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
  if (length?.spent !== undefined) words.push(l10n.t('Cost so far: {0}', costText(length.spent.cost, length.spent)));
  return words;
}

export function notSentWords(count: number): string {
  return count === 1
    ? l10n.t('1 earlier message excluded')
    : l10n.t('{0} earlier messages excluded', numberText(count));
}
