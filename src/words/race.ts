import * as l10n from '@vscode/l10n';
import type { CompareOrder } from '../shared/protocol/compareProtocol.ts';
import { durationText } from './duration.ts';
import { steadyNumberText } from './numberText.ts';

/** Differences below this aren't mentioned. */
const LEAST_RATIO = 1.05;

/** `2.3× slower`; undefined if the two are about the same. @param ratio to the best one, 1 or more */
export function slowerText(ratio: number): string | undefined {
  return ratio < LEAST_RATIO ? undefined : l10n.t('{0}× slower', steadyNumberText(ratio));
}

/** How several models were asked, and what that means for their speeds. */
export function orderSentence(order: CompareOrder): string {
  switch (order) {
    case 'allAtOnce':
      return l10n.t('Asked all at once, so models on the same machine slow each other down.');
    case 'oneAfterAnother':
      return l10n.t("Asked one after another, so models on the same machine don't slow each other down.");
  }
}

/**
 * The content of a bar for screen readers: `0.32 s waiting, 5.6 s writing, 5.9 s total.` Without marks, which they would
 * read as "degree": the figures next to the bar have them.
 */
export function barSentence(waitingSeconds: number, totalSeconds: number): string {
  const writing = Math.max(0, totalSeconds - waitingSeconds);
  return l10n.t(
    '{0} waiting, {1} writing, {2} total.',
    durationText(waitingSeconds),
    durationText(writing),
    durationText(totalSeconds),
  );
}
