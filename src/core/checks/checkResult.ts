import * as v from 'valibot';
import { numberSchema } from '../chat/conversationRecord.ts';

const optionalNumber = v.exactOptional(v.number());
const attemptSchema = v.object({
  /** The ID of its request in the experiment's record, and in request history. */
  attempt: v.string(),
  /** `undecided`: it couldn't be run or judged, so it neither passed nor failed. */
  state: v.picklist(['passed', 'failed', 'undecided']),
  score: v.number(),
  /** What it failed on, or why it couldn't be decided. Expectations are identified by their index in the case. */
  faults: v.array(v.object({ expectation: v.exactOptional(v.number()), reason: v.string() })),
  firstMs: optionalNumber,
  totalMs: optionalNumber,
  tokens: optionalNumber,
  /** In currency units. */
  cost: optionalNumber,
});

const cellSchema = v.object({
  /** Identifies the question and the expectations. A case that has changed since has no results. */
  fingerprint: v.string(),
  experiment: v.string(),
  /** Unix time in milliseconds. */
  at: v.number(),
  /** Planned number of runs. */
  repeats: numberSchema('count'),
  attempts: v.array(attemptSchema),
});

/** By the case's ID, then by the model's key. */
const cellsSchema = v.record(v.string(), v.record(v.string(), cellSchema));

/** The stored results of a file of checks. */
export const checkResultsSchema = v.union([
  /** `file` is the URI of the file of checks; empty if it isn't known. */
  v.strictObject({ file: v.string(), cells: cellsSchema }),
  // Written before the file was named.
  v.pipe(
    cellsSchema,
    v.transform((cells) => ({ file: '', cells })),
  ),
]);

export type CheckAttempt = v.InferOutput<typeof attemptSchema>;
/** One case with one model. */
export type CheckCell = v.InferOutput<typeof cellSchema>;
export type CheckResults = v.InferOutput<typeof checkResultsSchema>;

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
  const passed = attempts.filter(({ state }) => state === 'passed').length;
  const counted = attempts.filter(({ state }) => state !== 'undecided').length;
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
