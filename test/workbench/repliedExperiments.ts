import { systemClock } from '../../src/api/clock.ts';
import type { PlannedSend } from '../../src/core/experiments/experimentRun.ts';
import type { ExperimentStore } from '../../src/vscode/experiments/experimentStore.ts';
import type { Experiments } from '../../src/vscode/experiments/openExperiments.ts';

/**
 * Experiments on disk, as Parlance runs them, whose replies come from a function instead of a service.
 *
 * @param reply the whole text of the reply to a request, once it's there
 */
export function repliedExperiments(
  store: ExperimentStore,
  reply: (planned: PlannedSend) => Promise<string>,
): Experiments {
  const forecast = { modelOf: () => undefined };
  return {
    store,
    forecast,
    start: ({ id }, { onSending, onEnded } = {}) =>
      store.start(id, {
        ...forecast,
        clock: systemClock,
        newId: () => crypto.randomUUID(),
        send: async (planned) => {
          onSending?.(planned, () => undefined);
          const text = await reply(planned);
          const ended = { outcome: 'done' as const, finishReason: 'stop', text, wasSent: true };
          onEnded?.(planned, ended);
          return ended;
        },
      }),
  };
}
