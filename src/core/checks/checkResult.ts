import * as v from 'valibot';
import { numberSchema } from '../chat/conversationRecord.ts';

const optionalNumber = v.exactOptional(v.number());
const attemptSchema = v.object({
  /** In the record of the experiment, and in request history. */
  attempt: v.string(),
  /** `undecided`: it couldn't be run or judged, so it's neither passed nor failed. */
  state: v.picklist(['passed', 'failed', 'undecided']),
  score: v.number(),
  /** What it failed at, or why it couldn't be decided. Of each expectation by its place in the case. */
  faults: v.array(v.object({ expectation: v.exactOptional(v.number()), reason: v.string() })),
  firstMs: optionalNumber,
  totalMs: optionalNumber,
  tokens: optionalNumber,
  /** Currency units. */
  cost: optionalNumber,
});

const cellSchema = v.object({
  /** Names what was asked and expected. A case that has changed since has no results. */
  fingerprint: v.string(),
  experiment: v.string(),
  /** Unix time in milliseconds. */
  at: v.number(),
  /** How often it was to be run. */
  repeats: numberSchema('count'),
  attempts: v.array(attemptSchema),
});

/** What's kept of a file of checks: by the case's ID, then by the model's key. */
export const checkResultsSchema = v.record(v.string(), v.record(v.string(), cellSchema));

export type CheckAttempt = v.InferOutput<typeof attemptSchema>;
/** One case with one model. */
export type CheckCell = v.InferOutput<typeof cellSchema>;
export type CheckResults = v.InferOutput<typeof checkResultsSchema>;

/** `undecided`: nothing was counted. `flaky`: some runs passed, and some didn't. */
export type CellState = 'passed' | 'flaky' | 'failed' | 'undecided';

export interface CellCount {
  readonly state: CellState;
  readonly passed: number;
  /** Passed or failed. */
  readonly counted: number;
}

export function cellCount(attempts: readonly Pick<CheckAttempt, 'state'>[]): CellCount {
  const passed = attempts.filter(({ state }) => state === 'passed').length;
  const counted = attempts.filter(({ state }) => state !== 'undecided').length;
  // One that couldn't be run leaves the rest as they are, but a case only passes if all of its runs do.
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
