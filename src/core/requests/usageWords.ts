import * as l10n from '@vscode/l10n';
import { withEstimateMark } from '../../shared/estimateMark.ts';
import { numberText } from '../../words/numberText.ts';
import type { UsageSum } from '../../shared/usage.ts';
import { costText, seconds } from './requestWords.ts';

/** What a sum of requests cost, marked where tokens behind it were counted from the text. */
export function costOfSum({ cost, estimatedCosts = 0 }: Pick<UsageSum, 'cost' | 'estimatedCosts'>): string {
  return withEstimateMark(costText(cost), estimatedCosts > 0);
}

/** `Today: 12 requests · 8,412 tokens · cost 0.042 · 0.31 s · 84 tok/s · 1 failed`, for a hover. */
export function todayLine(sum: UsageSum): string {
  if (sum.requests === 0) return l10n.t('Today: no requests yet');
  const { medianFirstToken: first, medianTokensPerSecond: rate, estimated = 0, isRateEstimated = false } = sum;
  const tokens = numberText(sum.promptTokens + sum.completionTokens);
  const facts = [
    sum.requests === 1 ? l10n.t('Today: 1 request') : l10n.t('Today: {0} requests', sum.requests),
    sum.promptTokens + sum.completionTokens === 0
      ? undefined
      : l10n.t('{0} tokens', withEstimateMark(tokens, estimated > 0)),
    sum.cost === 0 ? undefined : l10n.t('cost {0}', costOfSum(sum)),
    first === undefined ? undefined : l10n.t('{0} first token', seconds(first)),
    rate === undefined ? undefined : l10n.t('{0} tok/s', withEstimateMark(numberText(rate), isRateEstimated)),
    sum.failed === 0 ? undefined : l10n.t('{0} failed', sum.failed),
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}
