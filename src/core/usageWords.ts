import * as l10n from '@vscode/l10n';
import { numberText } from '../shared/numberText.ts';
import type { UsageSum } from '../shared/usage.ts';
import { costText, seconds } from './requestWords.ts';

/** Before a number of tokens of which some were counted from the text. */
function estimateMark({ estimated = 0 }: UsageSum): string {
  return estimated > 0 ? '≈ ' : '';
}

/** `Today: 12 requests · 8,412 tokens · cost 0.042 · 0.31 s · 84 tok/s · 1 failed`, for a hover. */
export function todayLine(sum: UsageSum): string {
  if (sum.requests === 0) return l10n.t('Today: no requests yet');
  const { medianFirstToken: first, medianTokensPerSecond: rate } = sum;
  const facts = [
    sum.requests === 1 ? l10n.t('Today: 1 request') : l10n.t('Today: {0} requests', sum.requests),
    sum.promptTokens + sum.completionTokens === 0
      ? undefined
      : l10n.t('{0} tokens', estimateMark(sum) + numberText(sum.promptTokens + sum.completionTokens)),
    sum.cost === 0 ? undefined : l10n.t('cost {0}', costText(sum.cost)),
    first === undefined ? undefined : l10n.t('{0} first token', seconds(first)),
    rate === undefined ? undefined : l10n.t('{0} tok/s', numberText(rate)),
    sum.failed === 0 ? undefined : l10n.t('{0} failed', sum.failed),
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}
