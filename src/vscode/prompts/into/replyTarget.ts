import type { PromptRunEnd } from '../../../core/prompts/promptRun.ts';
import type { Problem } from '../../../shared/problem.ts';

/** Where one reply is written to. Disposed when its run ends in any way. */
export interface ReplyTarget {
  /** The whole reply so far. */
  write(text: string): void;
  /** Settles when everything that has arrived of the reply is in place. */
  finish(end: PromptRunEnd): Promise<void>;
  dispose(): void;
}

/** What a target needs from its run. */
export interface ReplyTargetDeps {
  /** Stops the request, because there's no place for the text that arrives. */
  readonly stop: () => void;
  /** Tells the user what happened to the reply, and lets them open all of it. */
  readonly explain: (problem: Problem, reply: string) => void;
  /** Reports that only the code of a reply was written, without more than a line of its text. */
  readonly leftOut: (reply: string) => void;
  /** Opens another place for a reply that can't be written to its target. */
  readonly beside: () => Promise<ReplyTarget>;
}
