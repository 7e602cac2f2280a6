import * as l10n from '@vscode/l10n';
import type { Figure, ReplyMetrics } from '../../shared/chat.ts';
import { withEstimateMark } from '../../shared/estimateMark.ts';
import { numberText } from '../../words/numberText.ts';

/**
 * The speed of a reply in one line of plain text: `0.31 s first token · 84 tok/s · 3.4 s · 412 → 261 tokens`.
 * As in the chat, ° is measured here and ≈ is estimated.
 */
export function figureText(metrics: ReplyMetrics): string {
  const seconds = (figure: Figure) => mark(figure, l10n.t('{0} s', numberText(figure.value, digitsOf(figure.value))));
  const count = (figure: Figure) => mark(figure, numberText(figure.value));
  const { timeToFirstTokenSeconds: first, tokensPerSecond: rate, totalSeconds: total } = metrics;
  const { promptTokens: prompt, completionTokens: completion } = metrics;
  return [
    first && l10n.t('{0} first token', seconds(first)),
    rate && l10n.t('{0} tok/s', mark(rate, numberText(rate.value, rate.value < 9.95 ? 1 : 0))),
    total && seconds(total),
    prompt && completion
      ? l10n.t('{0} → {1} tokens', count(prompt), count(completion))
      : completion && l10n.t('{0} tokens', count(completion)),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function mark({ from }: Figure, text: string): string {
  return from === 'here' ? `${text}°` : withEstimateMark(text, from === 'estimate');
}

function digitsOf(seconds: number): number {
  if (seconds < 0.995) return 2;
  return seconds < 9.95 ? 1 : 0;
}
