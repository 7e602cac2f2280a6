import * as l10n from '@vscode/l10n';
import type { UsageSum } from '../../shared/usage.ts';
import { namedCost } from '../../words/amount.ts';
import { speedText } from '../../words/replySpeed.ts';
import { costOfSum, tokensOfSum } from '../../words/usageSum.ts';
import { numberText } from '../../words/numberText.ts';

/** `Today: 12 requests · 8,412 tokens · cost 0.042 · 84 tok/s · 0.31 s first token · 1 failed`, for a hover. */
export function todayLine(sum: UsageSum): string {
  if (sum.requests === 0) return l10n.t('Today: no requests yet');
  const speed = speedText(sum.speed);
  const facts = [
    sum.requests === 1 ? l10n.t('Today: 1 request') : l10n.t('Today: {0} requests', numberText(sum.requests)),
    sum.promptTokens + sum.completionTokens === 0 ? undefined : tokensOfSum(sum),
    sum.cost === 0 ? undefined : namedCost(costOfSum(sum)),
    speed === '' ? undefined : speed,
    sum.failed === 0 ? undefined : l10n.t('{0} failed', numberText(sum.failed)),
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}
