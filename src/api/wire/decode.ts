import { sampleOf } from './sample.ts';
import type { ServiceMetrics, Usage } from '../types.ts';
import { isRecord } from '../../shared/isRecord.ts';

/** Readers of unknown JSON. None of them ever throws. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function nonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** No token count or duration is larger than this. Without a limit, a table could show 300 digits. */
const largestAmount = 1e15;

/** Counts and durations are finite, bounded, and not negative. Anything else counts as missing. */
export function amount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= largestAmount ? value : undefined;
}

/** A word from the service that is shown unchanged: one line of at most 64 characters. */
export function shownWord(value: unknown): string | undefined {
  const text = nonEmptyString(value);
  return text === undefined ? undefined : nonEmptyString(sampleOf(text, 64));
}

/** Spec, Usage; other services send `input_tokens` and `output_tokens`. Undefined without a usable figure. */
export function decodeUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const promptTokens = amount(value['prompt_tokens']) ?? amount(value['input_tokens']);
  const replyTokens = amount(value['completion_tokens']) ?? amount(value['output_tokens']);
  const totalTokens = amount(value['total_tokens']);
  const cachedTokens = cachedIn(value);
  if (promptTokens === undefined && replyTokens === undefined && totalTokens === undefined) return undefined;
  const named = reasoningIn(value);
  // Some services count reasoning beside the reply, and charge for it like for the reply. Only their total includes it
  // (xAI), and some name it nowhere else (Gemini).
  const beside = (totalTokens ?? 0) - (promptTokens ?? Infinity) - (replyTokens ?? Infinity);
  const isBeside = beside > 0 && (named === beside || (named === 0 && cachedTokens === 0));
  const completionTokens = isBeside ? (replyTokens ?? 0) + beside : replyTokens;
  const reasoningTokens = isBeside ? beside : named;
  return {
    ...(promptTokens === undefined ? {} : { promptTokens }),
    ...(completionTokens === undefined ? {} : { completionTokens }),
    ...(totalTokens === undefined ? {} : { totalTokens }),
    ...(cachedTokens > 0 && { cachedTokens }),
    ...(reasoningTokens > 0 && reasoningTokens <= (completionTokens ?? 0) && { reasoningTokens }),
  };
}

/** Reasoning tokens of the reply, under the names that services use. */
function reasoningIn(usage: JsonObject): number {
  const { completion_tokens_details: completion, output_tokens_details: output } = usage;
  const details = isRecord(completion) ? completion : output;
  return (isRecord(details) ? amount(details['reasoning_tokens']) : undefined) ?? 0;
}

/** Cached tokens of the prompt, under the names that services use. */
function cachedIn(usage: JsonObject): number {
  const { prompt_tokens_details: details, cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
  const cached =
    (isRecord(details) ? amount(details['cached_tokens']) : undefined) ?? amount(usage['prompt_cache_hit_tokens']);
  return cached ?? (amount(read) ?? 0) + (amount(written) ?? 0);
}

/** Spec, Metrics (`x_metrics`). Undefined without a usable figure. */
export function decodeMetrics(value: unknown): ServiceMetrics | undefined {
  if (!isRecord(value)) return undefined;
  const ttftSeconds = amount(value['ttft_seconds']);
  const tokensPerSecond = amount(value['tps']);
  const totalTimeSeconds = amount(value['total_time_seconds']);
  if (ttftSeconds === undefined && tokensPerSecond === undefined && totalTimeSeconds === undefined) return undefined;
  return {
    ...(ttftSeconds === undefined ? {} : { ttftSeconds }),
    ...(tokensPerSecond === undefined ? {} : { tokensPerSecond }),
    ...(totalTimeSeconds === undefined ? {} : { totalTimeSeconds }),
  };
}
