import * as l10n from '@vscode/l10n';
import { withEstimateMark } from './figureMark.ts';
import { numberText } from './numberText.ts';

/**
 * An amount of money, in the currency of the service's prices: `0`, `0.30`, `0.0125`, `0.000065`, `1.84`. An amount
 * above zero is never written as zero.
 */
export function amountText(amount: number): string {
  if (amount === 0) return '0';
  if (amount >= 0.995) return numberText(amount, 2);
  return numberText(amount, 2, Math.min(12, 2 - Math.floor(Math.log10(amount))));
}

/** How reliable a cost is. */
export interface CostCertainty {
  /** Some of the tokens behind it were estimated from the text. Required, so that no sum forgets it. */
  readonly isEstimate: boolean;
  /** Some of its parts have no known price. */
  readonly isPartial?: boolean;
}

/** `0.042`, `≈ 0.042`, `at least 0.12`. @param certainty absent for what the service reported, or for a limit */
export function costText(cost: number, certainty: CostCertainty = { isEstimate: false }): string {
  const { isEstimate, isPartial = false } = certainty;
  const amount = withEstimateMark(amountText(cost), isEstimate);
  return isPartial ? l10n.t('at least {0}', amount) : amount;
}

/**
 * For a line with other figures, where nothing else says what the number is, because the currency isn't known: `cost
 * 0.042`.
 * @param cost in words
 */
export function namedCost(cost: string): string {
  return l10n.t('cost {0}', cost);
}
