import * as l10n from '@vscode/l10n';
import { speedFacts } from '../../core/modelFacts.ts';
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
