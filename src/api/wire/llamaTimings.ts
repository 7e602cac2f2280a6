import { amount, isObject } from './decode.ts';
import type { ServiceMetrics, Usage } from '../types.ts';

/** llama.cpp counts and measures each reply, and sends it as `timings` in the last chunk, asked or not. */
export function usageOfTimings(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const completionTokens = amount(value['predicted_n']);
  const promptTokens = amount(value['prompt_n']);
  if (completionTokens === undefined) return undefined;
  // Of the prompt only what was not in its cache counts as processed.
  const cached = amount(value['cache_n']) ?? 0;
  return { completionTokens, ...(promptTokens === undefined ? {} : { promptTokens: promptTokens + cached }) };
}

/** Only its speed: its times leave out the queue and the network. */
export function metricsOfTimings(value: unknown): ServiceMetrics | undefined {
  const tokensPerSecond = isObject(value) ? amount(value['predicted_per_second']) : undefined;
  return tokensPerSecond === undefined ? undefined : { tokensPerSecond };
}
