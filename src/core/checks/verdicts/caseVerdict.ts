import type { Expectation, Verdict } from '../expectation.ts';

/** Whether a reply passes as a whole, and with which score. */
export function caseVerdict(
  expectations: readonly Pick<Expectation, 'weight'>[],
  verdicts: readonly Verdict[],
  threshold?: number,
): Pick<Verdict, 'pass' | 'score'> {
  const weights = expectations.reduce((sum, { weight }) => sum + weight, 0);
  const points = verdicts.reduce((sum, { score }, index) => sum + score * (expectations[index]?.weight ?? 1), 0);
  const score = expectations.length === 0 ? 1 : weights > 0 ? points / weights : 0;
  return { pass: threshold === undefined ? verdicts.every(({ pass }) => pass) : score >= threshold, score };
}
