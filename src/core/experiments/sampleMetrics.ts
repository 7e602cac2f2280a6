import type { Figure, ReplyMetrics } from '../../shared/chat.ts';
import { replyFigures } from './experimentFigures.ts';
import type { ReplySample } from './replySample.ts';

/**
 * The figures of a reply as they're shown below it: the service's own if it sent some, otherwise those measured here.
 */
export function sampleMetrics(sample: ReplySample): ReplyMetrics {
  const { firstMs, totalMs, promptTokens, replyTokens, isEstimate = false, service } = sample;
  const { tokensPerSecond } = replyFigures(sample);
  const first = sent(service?.ttftSeconds) ?? here(firstMs === undefined ? undefined : firstMs / 1000);
  const rate = sent(service?.tokensPerSecond) ?? (isEstimate ? estimate(tokensPerSecond) : here(tokensPerSecond));
  return {
    ...(first !== undefined && { timeToFirstTokenSeconds: first }),
    ...(rate !== undefined && { tokensPerSecond: rate }),
    totalSeconds: sent(service?.totalTimeSeconds) ?? { value: totalMs / 1000, from: 'here' },
    ...(promptTokens !== undefined && { promptTokens: { value: promptTokens, from: 'service' } }),
    ...(replyTokens !== undefined && {
      completionTokens: { value: replyTokens, from: isEstimate ? 'estimate' : 'service' },
    }),
  };
}

/**
 * When each `every`th token arrived, in seconds after the request was sent. Tokens from one piece have the same time.
 */
export function tokenMarks({ firstMs, gapsMs, replyTokens }: ReplySample, every: number): readonly number[] {
  if (firstMs === undefined || replyTokens === undefined) return [];
  let atMs = firstMs;
  const arrivalsMs = [firstMs, ...gapsMs.map((gap) => (atMs += gap))];
  const marks = Math.floor(replyTokens / every);
  return Array.from({ length: marks }, (_, index) => {
    const token = (index + 1) * every;
    const piece = Math.min(arrivalsMs.length, Math.ceil((token * arrivalsMs.length) / replyTokens));
    return (arrivalsMs[piece - 1] ?? firstMs) / 1000;
  });
}

function sent(value: number | undefined): Figure | undefined {
  return value === undefined ? undefined : { value, from: 'service' };
}

function here(value: number | undefined): Figure | undefined {
  return value === undefined ? undefined : { value, from: 'here' };
}

function estimate(value: number | undefined): Figure | undefined {
  return value === undefined ? undefined : { value, from: 'estimate' };
}
