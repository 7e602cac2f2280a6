import * as l10n from '@vscode/l10n';
import type { Figure, ReplyState, ReplyView } from '../../../shared/chat.ts';
import { withEstimateMark } from '../../../shared/estimateMark.ts';
import { isFilterEnding, isLengthEnding, isWholeEnding } from '../../../shared/replyEnding.ts';
import type { FigureFormat } from '../../kit/figureFormat.ts';

/** One item of the metrics row. */
export interface MetricWord {
  /** Drawn strong; empty for plain words. */
  readonly value: string;
  readonly label: string;
  /** True for a number that was measured in the editor: it carries the small circle. */
  readonly measuredHere: boolean;
  readonly hint?: string;
  /** Set where the words say that something is not as it should be. */
  readonly notable?: boolean;
}

/** `0.31 s first token`, `84 tok/s`, `3.4 s`, `412 → 261 tokens`: those that are known. */
export function figureWords(metrics: ReplyView['metrics'], format: FigureFormat): readonly MetricWord[] {
  const words: MetricWord[] = [];
  const { timeToFirstTokenSeconds: first, tokensPerSecond: rate, totalSeconds: total } = metrics;
  if (first !== undefined) words.push(word(first, format.seconds(first.value), l10n.t('first token')));
  if (rate !== undefined) words.push(word(rate, format.rate(rate.value), l10n.t('tok/s')));
  if (total !== undefined) words.push(word(total, format.seconds(total.value), ''));
  const tokens = tokenWord(metrics.promptTokens, metrics.completionTokens, format);
  return tokens === undefined ? words : [...words, tokens];
}

/** A fallback of the service's, or a dated version: not the model that was asked. */
export function answeredByWord({ answeredBy }: Pick<ReplyView, 'answeredBy'>): MetricWord | undefined {
  if (answeredBy === undefined) return undefined;
  const hint = l10n.t('The service replied with another model than the one you selected.');
  return { value: '', label: l10n.t('answered by {0}', answeredBy), measuredHere: false, hint };
}

/** Why the reply ended, where there is something to say. */
export function endWord(reply: Pick<ReplyView, 'state' | 'finishReason' | 'problem'>): MetricWord | undefined {
  const reason = reply.finishReason;
  if (reason !== undefined && (reply.state === 'done' || reply.state === 'incomplete')) return reasonWord(reason);
  const ofState = stateWord(reply.state);
  if (ofState !== undefined) {
    // Stopping was the person's own wish; the others were nobody's.
    return { value: '', label: ofState, measuredHere: false, notable: reply.state !== 'stopped' };
  }
  if (reply.state === 'failed') {
    return reply.problem === undefined
      ? { value: '', label: l10n.t('failed'), measuredHere: false, notable: true }
      : undefined;
  }
  if (reply.state !== 'done') return undefined;
  const hint = l10n.t("The service didn't send a finish reason, so the reply might be incomplete.");
  return { value: '', label: l10n.t('no finish reason'), measuredHere: false, hint };
}

function reasonWord(reason: string): MetricWord {
  const hint = l10n.t('Finish reason: {0}', reason);
  const cut = { value: '', measuredHere: false, hint, notable: true };
  if (isLengthEnding(reason)) return { ...cut, label: l10n.t('stopped at the token limit') };
  if (isFilterEnding(reason)) return { ...cut, label: l10n.t('cut by the content filter') };
  if (!isWholeEnding(reason)) return { ...cut, label: l10n.t('incomplete: {0}', reason) };
  const sent = l10n.t('Finish reason, as the service sent it');
  return { value: '', label: l10n.t('ended: {0}', reason), measuredHere: false, hint: sent };
}

/** All that is known of a reply, one fact a line, for the tooltip. */
export function metricsTooltip(reply: ReplyView, format: FigureFormat): string {
  const { metrics } = reply;
  const lines = [
    l10n.t('Model: {0}', reply.model),
    line(l10n.t('Time to first token'), metrics.timeToFirstTokenSeconds, (value) => format.seconds(value)),
    line(l10n.t('Tokens per second'), metrics.tokensPerSecond, (value) => format.rate(value)),
    line(l10n.t('Total time'), metrics.totalSeconds, (value) => format.seconds(value)),
    line(l10n.t('Prompt tokens'), metrics.promptTokens, (value) => format.count(value)),
    line(l10n.t('Completion tokens'), metrics.completionTokens, (value) => format.count(value)),
    reply.answeredBy === undefined ? undefined : l10n.t('Answered by: {0}', reply.answeredBy),
    reply.finishReason === undefined ? undefined : l10n.t('Finish reason: {0}', reply.finishReason),
    reply.requestId === undefined ? undefined : l10n.t('Request ID: {0}', reply.requestId),
  ];
  return lines.filter((text) => text !== undefined).join('\n');
}

function line(name: string, figure: Figure | undefined, write: (value: number) => string): string | undefined {
  if (figure === undefined) return undefined;
  const value = write(figure.value);
  if (figure.from === 'here') return l10n.t('{0}: {1} (measured here)', name, value);
  if (figure.from === 'estimate') return l10n.t('{0}: {1} (estimated)', name, value);
  return l10n.t('{0}: {1}', name, value);
}

function stateWord(state: ReplyState): string | undefined {
  switch (state) {
    case 'stopped':
      return l10n.t('stopped');
    case 'interrupted':
      return l10n.t('interrupted');
    case 'incomplete':
      return l10n.t('might be incomplete');
    case 'elsewhere':
      return l10n.t('being written in another window');
    case 'running':
    case 'done':
    case 'failed':
      return undefined;
  }
}

function word(figure: Figure, value: string, label: string): MetricWord {
  if (figure.from === 'estimate')
    return { value: withEstimateMark(value, true), label, measuredHere: false, hint: estimateHint() };
  const measuredHere = figure.from === 'here';
  return { value, label, measuredHere, ...(measuredHere && { hint: l10n.t('Measured here, in the editor') }) };
}

function tokenWord(
  prompt: Figure | undefined,
  completion: Figure | undefined,
  format: FigureFormat,
): MetricWord | undefined {
  if (completion === undefined && prompt === undefined) return undefined;
  const write = (figure: Figure | undefined): string =>
    figure === undefined ? '?' : withEstimateMark(format.count(figure.value), figure.from === 'estimate');
  const estimated = prompt?.from === 'estimate' || completion?.from === 'estimate';
  const label =
    prompt === undefined
      ? l10n.t('{0} tokens', write(completion))
      : l10n.t('{0} → {1} tokens', write(prompt), write(completion));
  const hint = estimated ? estimateHint() : l10n.t('Prompt tokens → completion tokens');
  return { value: '', label, measuredHere: false, hint };
}

function estimateHint(): string {
  return l10n.t('Estimated from the text: the service sent no token count');
}
