import type { ModelRef } from '../../shared/modelRef.ts';
import type { CheckColumnView, ChecksOrder, ChecksView } from '../../shared/checks.ts';
import { type CellCount, cellCount, type CheckAttempt, type CheckCell } from './checkResult.ts';
import { distributionOf } from '../experiments/distribution.ts';

export interface TableCase {
  readonly id: string;
  readonly name: string;
  /** It can't be run, so no model passes every case. */
  readonly isFaulty?: true;
}

/**
 * The results of a file, one column per model.
 * @param isListed whether a case is sent to a model
 */
export function tableColumns(
  all: readonly TableCase[],
  models: readonly { readonly key: string; readonly model: ModelRef }[],
  cellOf: (caseId: string, modelKey: string) => CheckCell | undefined,
  order: ChecksOrder = 'cheapest',
  isListed: (caseId: string, modelKey: string) => boolean = () => true,
): readonly CheckColumnView[] {
  const cases = all.filter(({ isFaulty }) => isFaulty !== true);
  const columns = models.map(({ key, model }): CheckColumnView => {
    const cells = cases.map(({ id }) => cellOf(id, key));
    const counts = cells.map((cell): CellCount | undefined => cell && cellCount(cell.attempts));
    const runs = cells.flatMap((cell) => cell?.attempts ?? []);
    const attempts = runs.filter(({ state }) => state !== 'undecided');
    const firstMs = distributionOf(figures(attempts, 'firstMs'))?.median;
    const totalMs = distributionOf(figures(attempts, 'totalMs'))?.median;
    const costs = figures(attempts, 'cost');
    const isEstimate = attempts.some((attempt) => attempt.isEstimate === true);
    const isPriced = costs.length > 0 && costs.length === attempts.length;
    return {
      key,
      model,
      passed: counts.reduce((sum, count) => sum + (count?.passed ?? 0), 0),
      counted: counts.reduce((sum, count) => sum + (count?.counted ?? 0), 0),
      undecided: runs.length - attempts.length,
      isFinished: cases.every(({ id }, at) => {
        const state = counts[at]?.state ?? (isListed(id, key) ? 'undecided' : 'passed');
        return state !== 'undecided';
      }),
      passesAll: all.length > 0 && cases.length === all.length && counts.every((count) => count?.state === 'passed'),
      ...(firstMs !== undefined && { firstMs }),
      ...(totalMs !== undefined && { totalMs }),
      isEstimate,
      ...(isPriced && { costPerThousand: (costs.reduce((sum, cost) => sum + cost, 0) / costs.length) * 1000 }),
    };
  });
  return columns.toSorted((a, b) => compare(a, b, order));
}

/** What all of these runs cost, with their judges. */
export function costOfRuns(
  attempts: readonly CheckAttempt[],
): Pick<ChecksView, 'cost' | 'isCostAtLeast' | 'isCostEstimate'> {
  // Nothing was sent for the others.
  const sent = attempts.filter(({ attempt }) => attempt !== '');
  return {
    cost: sent.reduce((sum, { cost = 0, judgeCost = 0 }) => sum + cost + judgeCost, 0),
    isCostAtLeast: sent.some(({ cost, isJudgeCostAtLeast }) => cost === undefined || isJudgeCostAtLeast === true),
    isCostEstimate: sent.some(
      ({ cost, isEstimate, isJudgeCostEstimate }) =>
        (cost !== undefined && isEstimate === true) || isJudgeCostEstimate === true,
    ),
  };
}

function figures(attempts: readonly CheckAttempt[], name: 'firstMs' | 'totalMs' | 'cost'): readonly number[] {
  return attempts.flatMap((attempt) => attempt[name] ?? []);
}

/**
 * Models that pass everything come first, then those with passes whose cases are all decided. Within each group by
 * larger share, lower cost, higher speed, and name.
 */
function compare(a: CheckColumnView, b: CheckColumnView, order: ChecksOrder): number {
  const byName = a.model < b.model ? -1 : 1;
  if (order === 'name') return byName;
  const byCost = (a.costPerThousand ?? Infinity) - (b.costPerThousand ?? Infinity) || 0;
  const byTime = (a.totalMs ?? Infinity) - (b.totalMs ?? Infinity) || 0;
  const byFigures = order === 'cheapest' ? byCost || byTime : byTime || byCost;
  return groupOf(a) - groupOf(b) || (a.passesAll ? 0 : shareOf(b) - shareOf(a)) || byFigures || byName;
}

function groupOf({ passesAll, isFinished, passed, counted }: CheckColumnView): number {
  if (passesAll) return 0;
  if (passed > 0) return isFinished ? 1 : 2;
  return counted > 0 ? 3 : 4;
}

/** The share of all runs, including those that couldn't be run: 2 of 2 says little if 20 are missing. */
function shareOf({ passed, counted, undecided }: CheckColumnView): number {
  return passed / Math.max(1, counted + undecided);
}
