import { amount } from './decode.ts';
import type { ServiceMetrics, Usage } from '../types.ts';
import { isRecord } from '../../shared/isRecord.ts';

/** llama.cpp always counts and measures each reply, and sends the result as `timings` in the last chunk. */
export function usageOfTimings(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const completionTokens = amount(value['predicted_n']);
  const promptTokens = amount(value['prompt_n']);
  if (completionTokens === undefined) return undefined;
  // Only the part of the prompt that wasn't in its cache counts as processed.
  const cached = amount(value['cache_n']) ?? 0;
  return { completionTokens, ...(promptTokens === undefined ? {} : { promptTokens: promptTokens + cached }) };
}

/** Only its speed: its times don't include the queue and the network. */
export function metricsOfTimings(value: unknown): ServiceMetrics | undefined {
  const tokensPerSecond = isRecord(value) ? amount(value['predicted_per_second']) : undefined;
  return tokensPerSecond === undefined ? undefined : { tokensPerSecond };
}
