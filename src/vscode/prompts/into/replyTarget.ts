import type { PromptRunEnd } from '../../../core/prompts/promptRun.ts';
import type { Problem } from '../../../shared/problem.ts';

/** Where one reply goes while it is written. Disposed when its run ends, however it does. */
export interface ReplyTarget {
  /** All of the answer so far. */
  write(text: string): void;
  /** Settles when the reply is where it belongs, as far as it came. */
  finish(end: PromptRunEnd): Promise<void>;
  dispose(): void;
}

/** What a target needs of its run. */
export interface ReplyTargetDeps {
  /** Stops the request: what comes can go nowhere. */
  readonly stop: () => void;
  /** Tells the person what became of the reply, and lets them open all of it. */
  readonly explain: (problem: Problem, reply: string) => void;
  /** Told of a reply of which the code was written, and more than a line of words left out. */
  readonly leftOut: (reply: string) => void;
  /** Opens a place for a reply that cannot go where it was to go. */
  readonly beside: () => Promise<ReplyTarget>;
}
