import { type ComparedReply, Comparison } from '../../core/compare/comparison.ts';
import { Queue } from '../disk/queue.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import { storedTurns } from './storedComparisons.ts';

/** No line says that a window was killed. */
const PERIOD_MS = 10_000;

interface FollowDeps {
  readonly store: Pick<Experiments['store'], 'isRunning' | 'list' | 'open' | 'states' | 'watch'>;
  readonly show: (reply: ComparedReply) => void;
  readonly onError: (error: unknown) => void;
}

/** Shows the end of replies that another window is writing. Nothing is watched if there are none. */
export function followRepliesElsewhere(
  comparison: Comparison,
  { store, show, onError }: FollowDeps,
  periodMs = PERIOD_MS,
): { dispose(): void } {
  const queue = new Queue();
  let experimentIds: readonly string[] | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = unended().length === 0;
  const watch = isOver ? undefined : store.watch(soon);
  if (!isOver) soon();
  return { dispose };

  function dispose(): void {
    isOver = true;
    clearTimeout(timer);
    watch?.dispose();
  }

  function soon(): void {
    void queue.run(look);
  }

  async function look(): Promise<void> {
    clearTimeout(timer);
    if (isOver) return;
    try {
      experimentIds ??= (await store.list('comparison'))
        .filter(({ experiment: { of } }) => of?.comparison === comparison.id)
        .map(({ experiment }) => experiment.id);
      const now = Comparison.of(comparison.id, await storedTurns(experimentIds, store));
      if (isOver) return;
      for (const before of unended()) {
        const reply = now.replies.find(
          ({ turnId, columnId }) => turnId === before.turnId && columnId === before.columnId,
        );
        if (reply !== undefined && (reply.state !== before.state || reply.id !== before.id)) show(reply);
      }
    } catch (error) {
      onError(error);
    }
    if (unended().length === 0) dispose();
    else timer = setTimeout(soon, periodMs).unref();
  }

  function unended(): readonly ComparedReply[] {
    return comparison.replies.filter(({ state }) => state === 'elsewhere');
  }
}
