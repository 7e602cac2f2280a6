import * as v from 'valibot';
import { isWithin, numberKinds } from '../../shared/numberKinds.ts';
import type { CheckRunFigures } from '../../shared/checks.ts';
import { isRecord } from '../../shared/isRecord.ts';

/** One run of a case with a model. */
export interface CheckAttempt extends CheckRunFigures {
  /** The ID of its request in the experiment's record, and in request history. */
  readonly attempt: string;
  /** `undecided`: it couldn't be run or judged, so it neither passed nor failed. */
  readonly state: 'passed' | 'failed' | 'undecided';
  readonly score: number;
  /** What it failed on, or why it couldn't be decided. Expectations are identified by their index in the case. */
  readonly faults: readonly { readonly expectation?: number; readonly reason: string }[];
  readonly firstMs?: number;
  /** What its judges cost, in currency units; absent if none was asked. */
  readonly judgeCost?: number;
  /** The price of some of the judges' requests isn't known. */
  readonly isJudgeCostAtLeast?: boolean;
  /** Some of the judges' tokens were estimated. */
  readonly isJudgeCostEstimate?: boolean;
}

/** One case with one model. */
export interface CheckCell {
  /** Identifies the question and the expectations. A case that has changed since has no results. */
  readonly fingerprint: string;
  readonly experiment: string;
  /** Unix time in milliseconds. */
  readonly at: number;
  /** Planned number of runs. */
  readonly repeats: number;
  readonly attempts: readonly CheckAttempt[];
}

/** By the model's key. */
export type CaseCells = Readonly<Record<string, CheckCell>>;

/** By the case's ID. */
type Cells = Readonly<Record<string, CaseCells>>;

/** The stored results of a file of checks. */
export interface CheckResults {
  /** The URI of the file of checks; empty if it isn't known. */
  readonly file: string;
  readonly cells: Cells;
}

/**
 * Checked by hand, and kept as it was read: a schema of all of it makes another copy of thousands of results, which
 * takes three times as long as parsing them.
 */
const cellsSchema = v.custom<Cells>((value) => isRecord(value) && everyValue(value, isCaseCells));

export const checkResultsSchema: v.GenericSchema<unknown, CheckResults> = v.union([
  v.strictObject({ file: v.string(), cells: cellsSchema }),
  // Written before the file was named.
  v.pipe(
    cellsSchema,
    v.transform((cells) => ({ file: '', cells })),
  ),
]);

function isCaseCells(value: unknown): value is CaseCells {
  return isRecord(value) && everyValue(value, isCell);
}

function isCell(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { fingerprint, experiment, at, repeats, attempts } = value;
  return (
    typeof fingerprint === 'string' &&
    typeof experiment === 'string' &&
    isNumber(at) &&
    isNumber(repeats) &&
    isWithin(repeats, numberKinds.count) &&
    Array.isArray(attempts) &&
    attempts.every(isAttempt)
  );
}

function isAttempt(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { attempt, state, score, faults, firstMs, totalMs, tokens, cost, judgeCost } = value;
  const { isEstimate, isJudgeCostAtLeast, isJudgeCostEstimate } = value;
  return (
    typeof attempt === 'string' &&
    (state === 'passed' || state === 'failed' || state === 'undecided') &&
    isNumber(score) &&
    Array.isArray(faults) &&
    faults.every(isFault) &&
    isNumberOrNone(firstMs) &&
    isNumberOrNone(totalMs) &&
    isNumberOrNone(tokens) &&
    isNumberOrNone(cost) &&
    isNumberOrNone(judgeCost) &&
    [isEstimate, isJudgeCostAtLeast, isJudgeCostEstimate].every(isFlagOrNone)
  );
}

function isFault(value: unknown): boolean {
  return isRecord(value) && typeof value['reason'] === 'string' && isNumberOrNone(value['expectation']);
}

function isFlagOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

function isNumberOrNone(value: unknown): boolean {
  return value === undefined || isNumber(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value);
}

function everyValue(record: Readonly<Record<string, unknown>>, is: (value: unknown) => boolean): boolean {
  return Object.values(record).every(is);
}

export const noCheckResults: CheckResults = { file: '', cells: {} };

/** `undecided`: no run counted. `flaky`: some runs passed, and some failed. */
export type CellState = 'passed' | 'flaky' | 'failed' | 'undecided';

export interface CellCount {
  readonly state: CellState;
  readonly passed: number;
  /** Whether it passed or failed. */
  readonly counted: number;
}

export function cellCount(attempts: readonly Pick<CheckAttempt, 'state'>[]): CellCount {
  let [passed, counted] = [0, 0];
  for (const attempt of attempts) {
    if (attempt.state === 'passed') passed += 1;
    if (attempt.state !== 'undecided') counted += 1;
  }
  // A run that couldn't be decided doesn't affect the others, but a case only passes if all of its runs do.
  const state =
    counted === 0
      ? 'undecided'
      : passed === attempts.length
        ? 'passed'
        : passed === 0
          ? 'failed'
          : passed === counted
            ? 'undecided'
            : 'flaky';
  return { state, passed, counted };
}
