import type { PaidPiece } from '../../api/operations/operation.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import type { ReplyMetrics } from '../../shared/chat.ts';
import { mediaPrice } from '../media/mediaPrice.ts';
import type { RequestEnd } from './requestRecord.ts';

export type ModelPrices = Partial<Pick<ModelInfo, 'inputPricePerMillion' | 'outputPricePerMillion' | 'raw'>>;

/** In currency units; undefined if the prices are unknown. */
export function requestCost(
  prices: ModelPrices,
  made: PaidPiece | undefined,
  outcome: RequestEnd['outcome'],
  { promptTokens: prompt, completionTokens: completion }: ReplyMetrics,
): number | undefined {
  const { inputPricePerMillion: input, outputPricePerMillion: output, raw } = prices;
  if (made !== undefined) {
    // If a request was stopped or failed, nobody knows whether it was charged.
    return raw === undefined || outcome !== 'done' ? undefined : mediaPrice({ raw }, made);
  }
  if (input === undefined || output === undefined || prompt === undefined || completion === undefined) return undefined;
  return (prompt.value * input + completion.value * output) / 1_000_000;
}
