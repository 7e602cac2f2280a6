import type { ModelRef } from '../../shared/modelRef.ts';
import type { Problem } from '../../shared/problem.ts';

/**
 * The model that a page names, if a problem offers it: requests cost money, and a page shows a model's text, so it isn't
 * trusted to name any other.
 */
export function offeredModel(problem: Problem | undefined, model: ModelRef | undefined): ModelRef | undefined {
  return model === undefined ? undefined : problem?.actions.find((action) => action.model === model)?.model;
}
