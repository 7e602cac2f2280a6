import type { ContextKind } from '../../shared/attachment.ts';
import type { Problem } from '../../shared/problem.ts';

/** A context as it was taken from the editor. */
export interface ContextSnapshot {
  readonly kind: ContextKind;
  readonly name: string;
  readonly detail: string;
  /** As it goes in a request. */
  readonly block: string;
}

/** What taking a context comes to: the context; why there is none; or nothing, where the person left. */
export type Taken = ContextSnapshot | Problem | undefined;

export function isProblem(taken: ContextSnapshot | Problem): taken is Problem {
  return 'severity' in taken;
}
