import * as l10n from '@vscode/l10n';
import { numberText, percentText } from './numberText.ts';

/** `28 of 41`; a draw counts half. */
export function winsText(wins: number, duels: number): string {
  return l10n.t('{0} of {1} won', numberText(wins, 0, 1), numberText(duels));
}

/** `1`, `1–2`: the best and worst rank that an interval allows. */
export function rankText([best, worst]: readonly [best: number, worst: number]): string {
  return best === worst ? numberText(best) : `${numberText(best)}–${numberText(worst)}`;
}

export function votesText(votes: number): string {
  return votes === 1 ? l10n.t('1 blind vote') : l10n.t('{0} blind votes', numberText(votes));
}

/** The content of an interval, for screen readers. All are shares, from 0 to 1. */
export function intervalSentence(share: number, low: number, high: number): string {
  const [is, from, to] = [percentText(share), percentText(low), percentText(high)];
  return l10n.t('Wins {0}, with a confidence interval from {1} to {2}', is, from, to);
}
