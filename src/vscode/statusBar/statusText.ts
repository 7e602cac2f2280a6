import * as l10n from '@vscode/l10n';
import { speedFacts } from '../../core/modelFacts.ts';
import type { ReplyMetrics } from '../../shared/chat.ts';
import { numberText } from '../../shared/numberText.ts';

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
    first && l10n.t('{0} s first token', numberText(first.value, 2)),
    speed,
    totalSeconds && l10n.t('{0} s', numberText(totalSeconds.value, 1)),
    promptTokens &&
      completionTokens &&
      l10n.t('{0} → {1} tokens', numberText(promptTokens.value), numberText(completionTokens.value)),
  ]
    .filter((fact) => fact !== undefined)
    .join(' · ');
}
