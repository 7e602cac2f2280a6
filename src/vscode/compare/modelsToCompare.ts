import type { CompareStart } from '../../core/compare/startOfRequest.ts';
import type { ModelRef } from '../../shared/modelRef.ts';

export interface ModelsToCompareDeps {
  /** The models to fill up with, the best first. */
  readonly usual: () => readonly ModelRef[];
  /** Those to use instead of these, each once; undefined if the user cancels. */
  readonly served: (models: readonly ModelRef[]) => Promise<readonly ModelRef[] | undefined>;
  readonly pickModel: (current: ModelRef) => Promise<ModelRef | undefined>;
}

/**
 * The models of a new comparison; undefined if the user cancels. A single one can't be compared. If nothing is sent yet,
 * usual ones are added; otherwise the user selects another.
 */
export async function modelsToCompare(
  { models: wanted = [], content }: Pick<CompareStart, 'models' | 'content'>,
  deps: ModelsToCompareDeps,
): Promise<readonly ModelRef[] | undefined> {
  const isSent = content !== undefined;
  const firstColumns = deps.usual().slice(0, 2);
  const [first = isSent ? firstColumns[0] : undefined] = wanted;
  if (isSent && first !== undefined && wanted.length < 2) return withAnother(first, deps);
  const begun =
    first === undefined
      ? firstColumns
      : wanted.length > 1
        ? wanted
        : [...new Set([first, ...firstColumns])].slice(0, 2);
  const used = await deps.served(begun);
  const [only] = used ?? [];
  if (used === undefined || only === undefined || used.length > 1) return used;
  if (isSent) return withAnother(only, deps);
  // The one that the user preferred might have been the other one.
  const others = deps.usual().filter((id) => !begun.includes(id));
  return [...new Set([only, ...others])].slice(0, 2);
}

/** Asks until it's another one. */
async function withAnother(
  model: ModelRef,
  { served, pickModel }: ModelsToCompareDeps,
): Promise<readonly ModelRef[] | undefined> {
  let only = model;
  for (;;) {
    const other = await pickModel(only);
    if (other === undefined) return undefined;
    if (other === only) continue;
    const used = await served([only, other]);
    if (used?.length !== 1) return used;
    only = used[0] ?? only;
  }
}
