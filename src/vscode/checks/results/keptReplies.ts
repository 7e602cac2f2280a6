import type { CheckCell } from '../../../core/checks/checkResult.ts';
import type { ExperimentStore } from '../../experiments/experimentStore.ts';
import type { CheckResultFiles } from './checkResultFiles.ts';

/** Longer than any run: a run that another window has just started has no results yet. */
const RUN_MS = 24 * 60 * 60_000;

/**
 * Deletes the replies to checks that are no longer part of any result.
 *
 * @param own IDs of experiments that have ended, whose results are written
 * @param keepsReplies false deletes those of `own` too
 */
export async function deleteOldReplies(
  own: readonly string[],
  keepsReplies: boolean,
  {
    store,
    results,
  }: {
    readonly store: Pick<ExperimentStore, 'list' | 'remove'>;
    readonly results: Pick<CheckResultFiles, 'experiments'>;
  },
): Promise<void> {
  const used = await results.experiments();
  const isUsed = (id: string) => used === undefined || used.has(id);
  const all = await store.list('checks');
  const old = all.filter(({ createdAt }) => createdAt < Date.now() - RUN_MS).map(({ experiment: { id } }) => id);
  const unused = [...own.filter((id) => !keepsReplies || !isUsed(id)), ...old.filter((id) => !isUsed(id))];
  for (const id of new Set(unused)) await store.remove(id);
}

/** A result without any text of a reply, which the reason for a failure might quote. */
export function withoutQuotes(cell: CheckCell): CheckCell {
  const attempts = cell.attempts.map((attempt) =>
    attempt.state === 'failed'
      ? { ...attempt, faults: attempt.faults.map((fault) => ({ ...fault, reason: '' })) }
      : attempt,
  );
  return { ...cell, attempts };
}
