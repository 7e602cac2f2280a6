import type { CheckRunFigures } from '../shared/checks.ts';
import { costText, namedCost } from './amount.ts';
import { timeText } from './replySpeed.ts';
import { tokensText } from './tokens.ts';

/** The known ones of `1.6 s°`, `472 tokens`, `cost 0.0012`, or `≈ 472 tokens`, `cost ≈ 0.0012`. */
export function runFigures({ totalMs, tokens, cost, isEstimate = false }: CheckRunFigures): readonly string[] {
  return [
    ...(totalMs === undefined ? [] : [measuredMsText(totalMs)]),
    ...(tokens === undefined ? [] : [tokensText(tokens, isEstimate)]),
    ...(cost === undefined ? [] : [namedCost(costText(cost, { isEstimate }))]),
  ];
}

/** A time that was measured here: `1.6 s°`. */
export function measuredMsText(milliseconds: number): string {
  return timeText({ value: milliseconds / 1000, from: 'here' });
}
