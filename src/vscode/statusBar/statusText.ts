import * as l10n from '@vscode/l10n';
import { speedFacts } from '../../core/modelFacts.ts';
import { emptySum, addSum, type RequestDigest } from '../../core/requestDigest.ts';
import type { ReplyMetrics } from '../../shared/chat.ts';

/** `0.31 s first token · 84 tok/s · 3.4 s · 412 → 261 tokens`, as far as known; empty where nothing is. */
export function replyFacts(metrics: ReplyMetrics): string {
  const {
    timeToFirstTokenSeconds: first,
    tokensPerSecond: rate,
    totalSeconds,
    promptTokens,
    completionTokens,
  } = metrics;
  const [speed] = speedFacts(rate === undefined ? {} : { tokensPerSecond: rate.value });
  return [
    first && l10n.t('{0} s first token', first.value.toFixed(2)),
    speed,
    totalSeconds && l10n.t('{0} s', totalSeconds.value.toFixed(1)),
    promptTokens && completionTokens && l10n.t('{0} → {1} tokens', promptTokens.value, completionTokens.value),
  ]
    .filter((fact) => fact !== undefined)
    .join(' · ');
}

/** `12 requests · 8,412 tokens · cost 0.042 · 1 failed`; undefined for a day without any. */
export function dayFacts(digest: RequestDigest, day: string): string | undefined {
  const sum = emptySum();
  const models = Object.hasOwn(digest, day) ? digest[day] : undefined;
  for (const each of Object.values(models ?? {})) addSum(sum, each);
  if (sum.requests === 0) return undefined;
  const tokens = sum.promptTokens + sum.completionTokens;
  return [
    sum.requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', sum.requests),
    tokens > 0 && l10n.t('{0} tokens', tokens.toLocaleString('en')),
    sum.cost > 0 && l10n.t('cost {0}', Number(sum.cost.toPrecision(2))),
    sum.failed > 0 && l10n.t('{0} failed', sum.failed),
  ]
    .filter((fact) => fact !== false)
    .join(' · ');
}
