import type { UsageSum } from '../shared/usage.ts';
import { costText } from './amount.ts';
import { tokensText } from './tokens.ts';

/** What a number of requests cost: `0.042`, `≈ 0.042`, `at least 0.12`. */
export function costOfSum({ cost, unpriced, estimatedCosts = 0 }: UsageSum): string {
  return costText(cost, { isEstimate: estimatedCosts > 0, isPartial: unpriced > 0 });
}

/** `8,412 tokens`, `≈ 8,412 tokens`. */
export function tokensOfSum({ promptTokens, completionTokens, estimated = 0 }: UsageSum): string {
  return tokensText(promptTokens + completionTokens, estimated > 0);
}
