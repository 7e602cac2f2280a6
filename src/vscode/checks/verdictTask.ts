import type { CheckedReply, Expectation, Verdict } from '../../core/checks/expectation.ts';

/** One reply, and its expectations. */
export interface VerdictTask {
  readonly expectations: readonly Expectation[];
  readonly reply: CheckedReply;
  /** The reply is a judge's verdict on another one. */
  readonly isOfJudge: boolean;
}

/** Whether verdicts are still worth waiting for. */
export interface VerdictPatience {
  /** Why an expectation isn't judged; asked right before it would be. */
  readonly whyNot: (expectation: Expectation) => string | undefined;
  readonly tookTooLong: (expectation: Expectation) => void;
}

/** The thread's message once it has loaded its modules, before any verdict. */
export const ready = 'ready';

/** What the thread gets: it answers with all verdicts at once, because a message takes longer than most verdicts do. */
export interface VerdictBatch {
  readonly tasks: readonly VerdictTask[];
  /** Shared: the number of verdicts that were begun. So the parent knows which of them takes forever. */
  readonly begun: Int32Array;
}

/** For each task, the verdict of each of its expectations. */
export type BatchVerdicts = readonly (readonly Verdict[])[];
