import * as l10n from '@vscode/l10n';
import type { ReplySample } from '../experiments/replySample.ts';
import type { CheckAttempt } from './checkResult.ts';
import type { Expectation, Verdict } from './expectation.ts';
import { caseVerdict } from './verdict.ts';

/** What's stored about a reply that was judged. */
export function checkedAttempt(
  attempt: string,
  { expectations, threshold }: { readonly expectations: readonly Expectation[]; readonly threshold?: number },
  verdicts: readonly Verdict[],
  figures: AttemptFigures,
): CheckAttempt {
  const { pass, score } = caseVerdict(expectations, verdicts, threshold);
  const undecided = verdicts.findIndex(({ isUndecided }) => isUndecided === true);
  const faults = verdicts.flatMap(({ reason }, expectation) => (reason === '' ? [] : [{ expectation, reason }]));
  const state = undecided >= 0 ? 'undecided' : pass ? 'passed' : 'failed';
  return { attempt, state, score, faults: state === 'passed' ? [] : faults, ...figures };
}

/** What's stored about a request without a reply to judge. */
export function unjudgedAttempt(attempt: string, reason: string, figures: AttemptFigures = {}): CheckAttempt {
  const words = reason === '' ? l10n.t('Stopped') : reason;
  return { attempt, state: 'undecided', score: 0, faults: [{ reason: words }], ...figures };
}

export type AttemptFigures = Pick<CheckAttempt, 'firstMs' | 'totalMs' | 'tokens' | 'cost'>;

export function attemptFigures(sample: ReplySample | undefined, cost: number | undefined): AttemptFigures {
  if (sample === undefined) return {};
  const { firstMs, totalMs, promptTokens, replyTokens } = sample;
  return {
    ...(firstMs !== undefined && { firstMs }),
    totalMs,
    ...(promptTokens !== undefined && replyTokens !== undefined && { tokens: promptTokens + replyTokens }),
    ...(cost !== undefined && { cost }),
  };
}
