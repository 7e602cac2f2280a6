import { systemClock } from '../../api/clock.ts';
import type { Experiment } from '../../core/experiments/experiment.ts';
import type { ForecastDeps } from '../../core/experiments/experimentForecast.ts';
import { ExperimentStore } from './experimentStore.ts';
import { type RecordedSenderDeps, recordedSender } from './recordedSender.ts';

export type StartedExperiment = NonNullable<Awaited<ReturnType<ExperimentStore['start']>>>;

/** What a feature needs to plan experiments, run them, and read what they came to. */
export interface Experiments {
  readonly store: ExperimentStore;
  /** For `experimentFaults` and `experimentForecast`. */
  readonly forecast: ForecastDeps;
  /**
   * Begins to send what a stored experiment hasn't sent yet. The run goes on when nobody watches it. @returns undefined
   * if a run is under way, in this window or another. Rejects if nothing can be written
   */
  readonly start: (
    experiment: Pick<Experiment, 'id' | 'keepsReplies'>,
    onEvent?: RecordedSenderDeps['onEvent'],
  ) => Promise<StartedExperiment | undefined>;
}

export function openExperiments({
  folder,
  find,
  callsOf,
  clean,
  onError,
}: Pick<RecordedSenderDeps, 'callsOf' | 'clean'> & {
  readonly folder: string;
  readonly find: ForecastDeps['modelOf'];
  readonly onError: (error: unknown) => void;
}): Experiments {
  const store = new ExperimentStore({ folder, onError });
  const forecast: ForecastDeps = { modelOf: find };
  return {
    store,
    forecast,
    start: ({ id: experimentId, keepsReplies }, onEvent) =>
      store.start(experimentId, {
        ...forecast,
        clock: systemClock,
        newId: () => crypto.randomUUID(),
        send: recordedSender({ experimentId, keepsReplies, callsOf, clean, ...(onEvent !== undefined && { onEvent }) }),
      }),
  };
}
