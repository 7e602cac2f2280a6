import type { ReplyMetrics } from '../../shared/chat.ts';
import { replyFigures } from './experimentFigures.ts';
import { arrivedTokens, type ReplySample } from './replySample.ts';
import { figureFrom } from '../chat/replyMetrics.ts';

/**
 * The figures of a reply as they're shown below it: the service's own if it sent some, otherwise those measured here.
 */
export function sampleMetrics(sample: ReplySample): ReplyMetrics {
  const { firstMs, totalMs, promptTokens, replyTokens, isEstimate = false, service } = sample;
  const { tokensPerSecond } = replyFigures(sample);
  const first =
    figureFrom('service', service?.ttftSeconds) ??
    figureFrom('here', firstMs === undefined ? undefined : firstMs / 1000);
  const rate =
    figureFrom('service', service?.tokensPerSecond) ??
    (isEstimate ? figureFrom('estimate', tokensPerSecond) : figureFrom('here', tokensPerSecond));
  return {
    ...(first !== undefined && { timeToFirstTokenSeconds: first }),
    ...(rate !== undefined && { tokensPerSecond: rate }),
    totalSeconds: figureFrom('service', service?.totalTimeSeconds) ?? { value: totalMs / 1000, from: 'here' },
    ...(promptTokens !== undefined && { promptTokens: { value: promptTokens, from: 'service' } }),
    ...(replyTokens !== undefined && {
      completionTokens: { value: replyTokens, from: isEstimate ? 'estimate' : 'service' },
    }),
  };
}

/** The figures measured here alone; undefined if the service sent none of its own, so that they're the same. */
export function metricsHere({ service, ...sample }: ReplySample): ReplyMetrics | undefined {
  return service === undefined ? undefined : sampleMetrics(sample);
}

/**
 * When each `every`th token arrived, in seconds after the request was sent. Tokens from one piece have the same time.
 */
export function tokenMarks(sample: ReplySample, every: number): readonly number[] {
  const { firstMs, gapsMs } = sample;
  const tokens = arrivedTokens(sample);
  if (firstMs === undefined || tokens === undefined) return [];
  let atMs = firstMs;
  const arrivalsMs = [firstMs, ...gapsMs.map((gap) => (atMs += gap))];
  const marks = Math.floor(tokens / every);
  return Array.from({ length: marks }, (_, index) => {
    const token = (index + 1) * every;
    const piece = Math.min(arrivalsMs.length, Math.ceil((token * arrivalsMs.length) / tokens));
    return (arrivalsMs[piece - 1] ?? firstMs) / 1000;
  });
}
