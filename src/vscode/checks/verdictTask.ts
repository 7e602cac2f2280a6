import type { CheckedReply, Expectation } from '../../core/checks/expectation.ts';

/** One reply, and what is expected of it. */
export interface VerdictTask {
  readonly expectations: readonly Expectation[];
  readonly reply: CheckedReply;
  /** The reply is what a judge said of another one. */
  readonly isOfJudge: boolean;
}

/** What the thread says once it has loaded what it needs, before any verdict. */
export const ready = 'ready';
