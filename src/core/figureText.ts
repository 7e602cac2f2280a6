import * as l10n from '@vscode/l10n';
import type { Figure, ReplyMetrics } from '../shared/chat.ts';

/**
 * The speed of a reply in one line of plain text: `0.31 s first token · 84 tok/s · 3.4 s · 412 → 261 tokens`.
 * As in the chat, ° is measured here and ≈ is estimated.
 *
 * @param language of the numbers, such as `en`
 */
export function figureText(metrics: ReplyMetrics, language: string): string {
  const number = (value: number, digits: number) =>
    new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
  const seconds = (figure: Figure) => mark(figure, l10n.t('{0} s', number(figure.value, digitsOf(figure.value))));
  const count = (figure: Figure) => mark(figure, number(figure.value, 0));
  const { timeToFirstTokenSeconds: first, tokensPerSecond: rate, totalSeconds: total } = metrics;
  const { promptTokens: prompt, completionTokens: completion } = metrics;
  return [
    first && l10n.t('{0} first token', seconds(first)),
    rate && l10n.t('{0} tok/s', mark(rate, number(rate.value, rate.value < 9.95 ? 1 : 0))),
    total && seconds(total),
    prompt && completion
      ? l10n.t('{0} → {1} tokens', count(prompt), count(completion))
      : completion && l10n.t('{0} tokens', count(completion)),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

function mark({ from }: Figure, text: string): string {
  if (from === 'estimate') return `≈ ${text}`;
  return from === 'here' ? `${text}°` : text;
}

function digitsOf(seconds: number): number {
  if (seconds < 0.995) return 2;
  return seconds < 9.95 ? 1 : 0;
}
