import type { CheckedReply, Expectation } from '../../core/checks/expectation.ts';

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
