import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { systemClock } from '../../api/clock.ts';
import type { Experiment } from '../../core/experiments/experiment.ts';
import type { ForecastDeps } from '../../core/experiments/experimentForecast.ts';
import type { ExperimentRunDeps, PlannedSend, SentReply } from '../../core/experiments/experimentRun.ts';
import { ExperimentStore } from './experimentStore.ts';
import { type RecordedSenderDeps, recordedSender } from './recordedSender.ts';

/** Called with a run's progress, in the same turn. Must be quick and not throw. */
export interface RunWatch
  extends Pick<RecordedSenderDeps, 'onEvent'>, Pick<ExperimentRunDeps, 'onPaused' | 'onGaveUp'> {
  /** This request is being sent now. `stop` ends only this one; the run continues with the others. */
  readonly onSending?: (planned: PlannedSend, stop: () => void) => void;
  readonly onEnded?: (planned: PlannedSend, reply: SentReply) => void;
}

export type StartedExperiment = NonNullable<Awaited<ReturnType<ExperimentStore['start']>>>;

/** What a feature needs to plan experiments, run them, and read their results. */
export interface Experiments {
  readonly store: ExperimentStore;
  /** For `experimentFaults` and `experimentForecast`. */
  readonly forecast: ForecastDeps;
  /**
   * Starts sending what a stored experiment hasn't sent yet. The run continues when nobody watches it.
   * @returns undefined if a run is under way, in this window or another. Rejects if nothing can be written
   */
  readonly start: (
    experiment: Pick<Experiment, 'id' | 'keepsReplies' | 'hasOwnTemperature'>,
    watch?: RunWatch,
  ) => Promise<StartedExperiment | undefined>;
}

export function openExperiments({
  folder,
  find,
  hostOf,
  replyTokensOf,
  callsFor,
  clean,
  cleanBody,
  ...told
}: Pick<RecordedSenderDeps, 'callsFor' | 'clean' | 'cleanBody'> & {
  readonly folder: string;
  readonly find: ForecastDeps['modelOf'];
  /** Current host of the service that has the model; empty if the service was removed. */
  readonly hostOf: (model: ModelRef) => string;
  readonly replyTokensOf: NonNullable<ForecastDeps['replyTokensOf']>;
} & Pick<ConstructorParameters<typeof ExperimentStore>[0], 'onError' | 'onUnsaved'>): Experiments {
  const store = new ExperimentStore({ folder, ...told });
  const forecast: ForecastDeps = { modelOf: find, replyTokensOf };
  return {
    store,
    forecast,
    start: (
      { id: experimentId, keepsReplies, hasOwnTemperature },
      { onEvent, onSending, onEnded, onPaused, onGaveUp } = {},
    ) => {
      const heard = onEvent === undefined ? {} : { onEvent };
      const asked = { experimentId, keepsReplies, hasOwnTemperature };
      const send = recordedSender({ ...asked, callsFor, clean, cleanBody, ...heard });
      /** Each service's host at the first request to it, for experiments that name no host. */
      const first = new Map<string, string>();
      const firstHost = (model: ModelRef): string => {
        const { service } = refParts(model);
        const host = first.get(service) ?? hostOf(model);
        first.set(service, host);
        return host;
      };
      return store.start(experimentId, {
        ...forecast,
        clock: systemClock,
        newId: () => crypto.randomUUID(),
        onPaused,
        onGaveUp,
        send: async (planned, signal) => {
          const own = new AbortController();
          onSending?.(planned, () => own.abort());
          // Settings can change during a run. The remaining requests must not go to, or be charged by, another service.
          const { id, host } = planned.request.model;
          const meant = host ?? firstHost(id);
          const isGone = meant !== hostOf(id);
          const reply = isGone ? refused(meant) : await send(planned, AbortSignal.any([signal, own.signal]));
          onEnded?.(planned, reply);
          return reply;
        },
      });
    },
  };
}

function refused(host: string): SentReply {
  return { outcome: 'failed', wasSent: false, failure: { kind: 'setup', missing: 'service', found: host } };
}
