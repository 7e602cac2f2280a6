import * as l10n from '@vscode/l10n';
import type { ReplyView } from '../../../shared/chat.ts';
import type { MetricWord } from '../../kit/metricsRow.ts';
import { endingText } from '../../../words/ending.ts';
import { marksExplained } from '../../../words/figureMark.ts';
import { speedLines } from '../../../words/replySpeed.ts';
import { modelLabel } from '../../../words/modelLabel.ts';

/** A fallback of the service, or a dated version: not the requested model. */
export function answeredByWord({ answeredBy }: Pick<ReplyView, 'answeredBy'>): MetricWord | undefined {
  if (answeredBy === undefined) return undefined;
  const hint = l10n.t('The service replied with a different model than the one you selected.');
  return { text: l10n.t('reply from {0}', answeredBy), hint };
}

/** Why the reply ended, unless that was normal. */
export function endWord({ state, finishReason, problem }: ReplyView): MetricWord | undefined {
  const text = endingText({ state, finishReason });
  // The card of a failure says more.
  if (text === undefined || (state === 'failed' && problem !== undefined)) return undefined;
  return {
    text,
    // The user stopped the reply on purpose; the other endings were unintended.
    notable: state !== 'stopped',
    ...(finishReason !== undefined && { hint: l10n.t('Finish reason: {0}', finishReason) }),
  };
}

/** Everything known about a reply, one fact per line, for the tooltip. */
export function metricsTooltip(reply: ReplyView): string {
  const speed = speedLines(reply.metrics);
  const lines = [
    l10n.t('Model: {0}', modelLabel(reply.model)),
    ...speed,
    reply.answeredBy === undefined ? undefined : l10n.t('Reply from: {0}', reply.answeredBy),
    reply.finishReason === undefined ? undefined : l10n.t('Finish reason: {0}', reply.finishReason),
    reply.requestId === undefined ? undefined : l10n.t('Request ID: {0}', reply.requestId),
    ...marksExplained(...speed),
  ];
  return lines.filter((text) => text !== undefined).join('\n');
}
