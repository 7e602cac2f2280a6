import type { ContextKind } from '../../shared/attachment.ts';
import type { Problem } from '../../shared/problem.ts';

/** A context as it was read from the editor. */
export interface ContextSnapshot {
  readonly kind: ContextKind;
  readonly name: string;
  readonly detail: string;
  /** As it's sent. */
  readonly block: string;
  /** Its origin isn't known, so a context with the same details might be another one. */
  readonly isUnplaced?: true;
}

/** The result of reading a context: the context, a reason why there's none, or nothing if the user canceled. */
export type Taken = ContextSnapshot | Problem | undefined;

export function isProblem(taken: ContextSnapshot | Problem): taken is Problem {
  return 'severity' in taken;
}
