import * as l10n from '@vscode/l10n';
import type { ReplyMetrics } from '../shared/chat.ts';
import { numberText, percentText } from './numberText.ts';
import { countText } from './replySpeed.ts';

/** One of two replies to compare. */
export interface TimedReply {
  readonly name: string;
  readonly metrics: ReplyMetrics;
  /** In currency units. */
  readonly costValue?: number;
}

/** Below these, two times, costs, or lengths count as about the same. */
const [alike, alikeCost, alikeLength] = [1.05, 0.01, 0.1];

/**
 * Which of two replies was faster and what it cost, in sentences: `kestrel/sparrow finished 2.3× sooner and cost 66%
 * less.`, `It wrote 288 tokens instead of 472.` Empty if nothing is known, or if one time was measured here and the
 * other is the service's own, which leaves out the network.
 */
export function comparisonText(one: TimedReply, other: TimedReply): readonly string[] {
  const [own, others] = [one.metrics.totalSeconds, other.metrics.totalSeconds];
  const [first = 0, second = 0] = [own?.value, others?.value];
  if (first <= 0 || second <= 0 || own?.from !== others?.from) return [];
  const [fast, slow] = first <= second ? [one, other] : [other, one];
  const ratio = Math.max(first, second) / Math.min(first, second);
  return [...speedSentence(fast, slow, ratio), ...lengthSentence(fast, slow)];
}

function speedSentence(fast: TimedReply, slow: TimedReply, ratio: number): readonly string[] {
  const change = costChange(fast, slow);
  if (ratio < alike) {
    if (change === undefined) return [l10n.t('Both took about the same time.')];
    const cheaper = change < 0 ? fast : slow;
    const share = change < 0 ? -change : 1 - 1 / (1 + change);
    return [l10n.t('Both took about the same time, and {0} cost {1} less.', cheaper.name, percentText(share))];
  }
  const times = numberText(ratio, ratio < 9.95 ? 1 : 0);
  if (change === undefined) return [l10n.t('{0} finished {1}× sooner.', fast.name, times)];
  const share = percentText(Math.abs(change));
  return [
    change < 0
      ? l10n.t('{0} finished {1}× sooner and cost {2} less.', fast.name, times, share)
      : l10n.t('{0} finished {1}× sooner and cost {2} more.', fast.name, times, share),
  ];
}

/**
 * Cost difference of the faster one, as a share of the other's cost: -0.66. Undefined if it's about the same, or
 * unknown.
 */
function costChange({ costValue: own }: TimedReply, { costValue: others }: TimedReply): number | undefined {
  if (own === undefined || others === undefined || own <= 0 || others <= 0) return undefined;
  const change = own / others - 1;
  return Math.abs(change) < alikeCost ? undefined : change;
}

/** A short reply is finished sooner, so anyone comparing times has to know. */
function lengthSentence(
  { metrics: { completionTokens: own } }: TimedReply,
  { metrics: { completionTokens: others } }: TimedReply,
): readonly string[] {
  if (own === undefined || others === undefined || others.value <= 0) return [];
  if (Math.abs(own.value / others.value - 1) <= alikeLength) return [];
  const counts = [countText(own), countText(others)];
  return [
    own.value === 1
      ? l10n.t('It wrote {0} token instead of {1}.', ...counts)
      : l10n.t('It wrote {0} tokens instead of {1}.', ...counts),
  ];
}
