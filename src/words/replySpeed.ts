import * as l10n from '@vscode/l10n';
import type { Figure, ReplyMetrics } from '../shared/chat.ts';
import { durationText } from './duration.ts';
import { withMark } from './figureMark.ts';
import { numberText, preciseNumberText } from './numberText.ts';
import { barSentence } from './race.ts';

/** One figure about a reply. */
export interface SpeedPart {
  /** The figure with its mark: `0.31 s°`. */
  readonly value: string;
  /** In words: `0.31 s° first token`. */
  readonly text: string;
  /** For rows with little space: `0.31 s°`. */
  readonly short: string;
  /** Expected number of characters, while the figure isn't known yet. */
  readonly room?: number;
}

/** The known ones of `84 tok/s`, `0.31 s° first token`, `3.4 s° total`, `412 → ≈ 261 tokens`. */
export function speedParts(metrics: ReplyMetrics): readonly SpeedPart[] {
  const { timeToFirstTokenSeconds: first, tokensPerSecond: rate, totalSeconds: total } = metrics;
  return [
    ...(rate === undefined ? [] : [{ value: rateValue(rate), text: rateText(rate), short: rateText(rate) }]),
    ...(first === undefined ? [] : [timePart(first, (value) => l10n.t('{0} first token', value))]),
    ...(total === undefined ? [] : [timePart(total, (value) => l10n.t('{0} total', value))]),
    ...tokensPart(metrics),
  ];
}

/** Shown until the speed is known: `– tok/s`. */
export function unknownRate(): SpeedPart {
  const text = l10n.t('{0} tok/s', '–');
  return { value: '–', text, short: text, room: '≈ 118'.length };
}

/** All on one line: `84 tok/s · 0.31 s first token · 3.4 s total · 412 → 261 tokens`. */
export function speedText(metrics: ReplyMetrics): string {
  return speedParts(metrics)
    .map(({ text }) => text)
    .join(' · ');
}

/** One line per figure, for a tooltip. */
export function speedLines(metrics: ReplyMetrics): readonly string[] {
  return [
    ...line(l10n.t('Time to first token'), metrics.timeToFirstTokenSeconds, timeText),
    ...line(l10n.t('Tokens per second'), metrics.tokensPerSecond, rateValue),
    ...line(l10n.t('Total time'), metrics.totalSeconds, timeText),
    ...line(l10n.t('Prompt tokens'), metrics.promptTokens, countText),
    ...line(l10n.t('Completion tokens'), metrics.completionTokens, countText),
  ];
}

/** A figure with its name below it, where there's room for both. */
export interface NamedFigure {
  readonly value: string;
  readonly name: string;
}

/**
 * The known ones of `84 tok/s` speed, `0.31 s` first token, `3.4 s` total, `412 → 261` tokens, `0.0012` cost.
 * @param cost in words
 */
export function namedFigures(metrics: ReplyMetrics, cost?: string): readonly NamedFigure[] {
  const { timeToFirstTokenSeconds: first, tokensPerSecond: rate, totalSeconds: total } = metrics;
  return [
    ...(rate === undefined ? [] : [{ value: rateText(rate), name: l10n.t('speed') }]),
    ...(first === undefined ? [] : [{ value: timeText(first), name: l10n.t('first token') }]),
    ...(total === undefined ? [] : [{ value: timeText(total), name: l10n.t('total') }]),
    ...tokensPart(metrics).map(({ value }) => ({ value, name: l10n.t('tokens') })),
    ...(cost === undefined ? [] : [{ value: cost, name: l10n.t('cost') }]),
  ];
}

/**
 * The content of a bar: `0.32 s° waiting`, `5.6 s° writing`, and both in a sentence for screen readers. Undefined if
 * nothing was timed.
 */
export function barWords({ timeToFirstTokenSeconds: first, totalSeconds: total }: ReplyMetrics) {
  if (total === undefined) return undefined;
  if (first === undefined) {
    return { waiting: '', writing: '', sentence: l10n.t('{0} total', durationText(total.value)) };
  }
  // The rest is measured here if one of both is.
  const rest: Figure = {
    value: Math.max(0, total.value - first.value),
    from: first.from === 'service' ? total.from : first.from,
  };
  const waiting = l10n.t('{0} waiting', timeText(first));
  const writing = l10n.t('{0} writing', timeText(rest));
  return { waiting, writing, sentence: barSentence(first.value, total.value) };
}

/** `0.31 s°`. */
export function timeText({ value, from }: Figure): string {
  return withMark(durationText(value), from);
}

/** `≈ 84 tok/s`. */
export function rateText(rate: Figure): string {
  return l10n.t('{0} tok/s', rateValue(rate));
}

function rateValue({ value, from }: Figure): string {
  return withMark(preciseNumberText(value), from);
}

function line(name: string, figure: Figure | undefined, write: (figure: Figure) => string): readonly string[] {
  return figure === undefined ? [] : [l10n.t('{0}: {1}', name, write(figure))];
}

/** `261`, `≈ 261`. */
export function countText({ value, from }: Figure): string {
  return withMark(numberText(value), from);
}

function timePart(figure: Figure, words: (value: string) => string): SpeedPart {
  const value = timeText(figure);
  return { value, text: words(value), short: value };
}

function tokensPart({ promptTokens: prompt, completionTokens: completion }: ReplyMetrics): readonly SpeedPart[] {
  if (completion === undefined) return [];
  const count = countText(completion);
  const isOne = completion.value === 1;
  if (prompt === undefined) {
    const text = isOne ? l10n.t('{0} token', count) : l10n.t('{0} tokens', count);
    return [{ value: count, text, short: text }];
  }
  const both = l10n.t('{0} → {1}', countText(prompt), count);
  return [{ value: both, text: isOne ? l10n.t('{0} token', both) : l10n.t('{0} tokens', both), short: both }];
}
