import * as l10n from '@vscode/l10n';
import type { Figure } from '../shared/chat.ts';
import { numberText, percentText } from './numberText.ts';
import { rateText } from './replySpeed.ts';

/** With fewer, nothing can be said about the usual speed. */
const leastReplies = 5;
/** Smaller differences are normal between two replies. */
const asFast = 0.1;

/** What is known about a model's replies. */
export interface UsualRate {
  readonly median: Figure;
  /** Number of replies behind it. */
  readonly replies: number;
}

/** How fast a reply was for its model: `12% faster than usual: …`. Undefined if too little is known. */
export function usualSpeedText(rate: Figure | undefined, usual: UsualRate | undefined): string | undefined {
  if (rate === undefined || usual === undefined || usual.replies < leastReplies || usual.median.value <= 0) {
    return undefined;
  }
  const change = rate.value / usual.median.value - 1;
  const [median, count] = [rateText(usual.median), numberText(usual.replies)];
  if (Math.abs(change) < asFast) {
    return l10n.t("As fast as usual: this model's median is {0} over {1} requests.", median, count);
  }
  const share = percentText(Math.abs(change));
  return change > 0
    ? l10n.t("{0} faster than usual: this model's median is {1} over {2} requests.", share, median, count)
    : l10n.t("{0} slower than usual: this model's median is {1} over {2} requests.", share, median, count);
}
