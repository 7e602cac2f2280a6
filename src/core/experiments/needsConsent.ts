import type { MeasureEstimate } from '../../shared/measuring.ts';

/** From this number of requests on, the user is asked, regardless of the cost. */
const MANY_REQUESTS = 1000;
/** The same if a price is missing, because the cost might be anything. */
const MANY_UNPRICED = { requests: 200, tokens: 200_000 };

/** Whether to ask before this much is sent. @param above currency units; null asks about the number of requests only */
export function needsConsent(
  { requests, tokens, cost, isCostAtLeast }: MeasureEstimate,
  above: number | null,
): boolean {
  if (requests > MANY_REQUESTS) return true;
  if (above === null) return false;
  const isMany = requests > MANY_UNPRICED.requests || tokens > MANY_UNPRICED.tokens;
  return cost > above || (isCostAtLeast && isMany);
}
