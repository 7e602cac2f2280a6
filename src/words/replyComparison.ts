import * as l10n from '@vscode/l10n';
import type { ReplyMetrics } from '../shared/chat.ts';
import { percentText, steadyNumberText } from './numberText.ts';
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

/** What can be said about two replies, in sentences. */
export interface ReplyComparison {
  /** `kestrel/sparrow finished 2.3× sooner and cost 66% less.` Undefined if too little is known. */
  readonly verdict?: string;
  /** `It wrote 288 tokens instead of 472.` */
  readonly notes: readonly string[];
}

/**
 * Which of two replies was faster and what it cost. Their times aren't compared if one was measured here and the other
 * is the service's own, which leaves out the network.
 */
export function comparisonText(one: TimedReply, other: TimedReply): ReplyComparison {
  const [own, others] = [one.metrics.totalSeconds, other.metrics.totalSeconds];
  const [first = 0, second = 0] = [own?.value, others?.value];
  const isTimed = first > 0 && second > 0;
  if (!isTimed || own?.from !== others?.from) {
    const cost = cheaperOf(one, other);
    const clocks = l10n.t("One time is the service's own, and the other was measured here, so they can't be compared.");
    return {
      ...(cost !== undefined && { verdict: l10n.t('{0} cost {1} less.', cost.cheaper.name, percentText(cost.share)) }),
      notes: [...(cost === undefined ? [] : lengthSentence(cost.cheaper, cost.dearer)), ...(isTimed ? [clocks] : [])],
    };
  }
  const [fast, slow] = first <= second ? [one, other] : [other, one];
  const ratio = Math.max(first, second) / Math.min(first, second);
  return { verdict: speedSentence(fast, slow, ratio), notes: lengthSentence(fast, slow) };
}

function speedSentence(fast: TimedReply, slow: TimedReply, ratio: number): string {
  if (ratio < alike) {
    const cost = cheaperOf(fast, slow);
    if (cost === undefined) return l10n.t('Both took about the same time.');
    const share = percentText(cost.share);
    return l10n.t('Both took about the same time, and {0} cost {1} less.', cost.cheaper.name, share);
  }
  const change = costChange(fast, slow);
  const times = steadyNumberText(ratio);
  if (change === undefined) return l10n.t('{0} finished {1}× sooner.', fast.name, times);
  const share = percentText(Math.abs(change));
  return change < 0
    ? l10n.t('{0} finished {1}× sooner and cost {2} less.', fast.name, times, share)
    : l10n.t('{0} finished {1}× sooner and cost {2} more.', fast.name, times, share);
}

/** Undefined if they cost about the same, or a cost is unknown. @returns `share` of the dearer one's cost: 0.66 */
function cheaperOf(
  one: TimedReply,
  other: TimedReply,
): { readonly cheaper: TimedReply; readonly dearer: TimedReply; readonly share: number } | undefined {
  const change = costChange(one, other);
  if (change === undefined) return undefined;
  return change < 0
    ? { cheaper: one, dearer: other, share: -change }
    : { cheaper: other, dearer: one, share: 1 - 1 / (1 + change) };
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
