import * as l10n from '@vscode/l10n';
import type { ReplySample } from '../experiments/replySample.ts';
import type { CheckAttempt } from './checkResult.ts';
import type { Expectation, Verdict } from './expectation.ts';
import { caseVerdict } from './verdicts/caseVerdict.ts';

/** What's stored about a reply that was judged. */
export function checkedAttempt(
  attempt: string,
  { expectations, threshold }: { readonly expectations: readonly Expectation[]; readonly threshold?: number },
  verdicts: readonly Verdict[],
  figures: AttemptFigures,
): CheckAttempt {
  /** The verdict on the whole reply if everything undecided had this result. */
  const passesIf = (isMet: boolean) => {
    const all = verdicts.map((verdict, at) =>
      verdict.isUndecided === true
        ? { ...verdict, pass: isMet || expectations[at]?.weight === 0, score: isMet ? 1 : 0 }
        : verdict,
    );
    return caseVerdict(expectations, all, threshold).pass;
  };
  const state = passesIf(false) ? 'passed' : passesIf(true) ? 'undecided' : 'failed';
  // The first one is shown beside its expectation, so it's a reason for this state.
  const isReason = ({ isUndecided }: Verdict) => (isUndecided === true) === (state === 'undecided');
  const faults = verdicts
    .flatMap((verdict, expectation) => (verdict.reason === '' ? [] : [{ expectation, verdict }]))
    .toSorted((a, b) => Number(isReason(b.verdict)) - Number(isReason(a.verdict)))
    .map(({ expectation, verdict: { reason } }) => ({ expectation, reason }));
  const { score } = caseVerdict(expectations, verdicts, threshold);
  return { attempt, state, score, faults: state === 'passed' ? [] : faults, ...figures };
}

/** What's stored about a request without a reply to judge. */
export function unjudgedAttempt(attempt: string, reason: string, figures: AttemptFigures = {}): CheckAttempt {
  const words = reason === '' ? l10n.t('Stopped') : reason;
  return { attempt, state: 'undecided', score: 0, faults: [{ reason: words }], ...figures };
}

export type AttemptFigures = Omit<CheckAttempt, 'attempt' | 'state' | 'score' | 'faults'>;

export function attemptFigures(sample: ReplySample | undefined, cost: number | undefined): AttemptFigures {
  if (sample === undefined) return {};
  const { firstMs, totalMs, promptTokens, replyTokens, isEstimate } = sample;
  return {
    ...(firstMs !== undefined && { firstMs }),
    totalMs,
    ...(promptTokens !== undefined && replyTokens !== undefined && { tokens: promptTokens + replyTokens }),
    ...(cost !== undefined && { cost }),
    ...(isEstimate === true && { isEstimate }),
  };
}
