import type { ChatEvent } from '../../api/types.ts';
import type {
  ComparedColumn,
  ComparedReply,
  ComparedSetup,
  ComparedTurn,
  Comparison,
} from '../../core/compare/comparison.ts';
import type { ExperimentModel } from '../../core/experiments/experiment.ts';
import { modelKey } from '../../core/experiments/experiment.ts';
import { costOfSample } from '../../core/experiments/experimentForecast.ts';
import { failureReach } from '../../core/experiments/failureReach.ts';
import type { ExperimentRun, PlannedSend, SentReply } from '../../core/experiments/experimentRun.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { Experiments } from '../experiments/openExperiments.ts';

/** What a page shows of it. */
export interface RunsWatch {
  readonly onReply: (reply: ComparedReply) => void;
  readonly onGrew: (replyId: string, part: 'text' | 'reasoning', offset: number, text: string) => void;
}

interface Live {
  text: string;
  reasoning: string;
  readonly stop: () => void;
}

/** Sends the questions of one comparison, each as a separate experiment. They continue when the page is hidden. */
export class ComparisonRuns {
  readonly #comparison: Comparison;
  readonly #experiments: Experiments;
  readonly #watch: RunsWatch;
  readonly #runs = new Map<ExperimentRun, Promise<void>>();
  /** By reply ID. */
  readonly #live = new Map<string, Live>();
  /** Stopped while queued. */
  readonly #skipped = new Set<string>();
  #isDisposed = false;

  constructor(comparison: Comparison, experiments: Experiments, watch: RunsWatch) {
    this.#comparison = comparison;
    this.#experiments = experiments;
    this.#watch = watch;
  }

  /** Includes the text that has arrived so far. */
  current(reply: ComparedReply): ComparedReply {
    const live = this.#live.get(reply.id);
    return live === undefined ? reply : { ...reply, text: live.text, reasoning: live.reasoning };
  }

  /**
   * Settles once the requests are on their way. Rejects if nothing can be written, and sends nothing then. Once the tab
   * is closed, nothing is sent either, because nobody could see or stop it.
   *
   * @param onKept called with the experiment's ID once the question is on disk, before anything of it is shown or sent
   */
  async send(
    turn: ComparedTurn,
    columns: readonly ComparedColumn[],
    setup: ComparedSetup,
    onKept: (experimentId: string) => void,
  ): Promise<void> {
    const { store, start } = this.#experiments;
    if (this.#isDisposed) return;
    const experiment = this.#comparison.experiment(turn, columns, { ...setup, unique: crypto.randomUUID() });
    await store.create(experiment);
    if (this.#isDisposed) return void (await store.remove(experiment.id));
    this.#comparison.setTurn(turn);
    onKept(experiment.id);
    for (const { id: columnId, model, options } of columns) {
      this.#skipped.delete(columnId);
      this.#show({
        id: crypto.randomUUID(),
        turnId: turn.id,
        columnId,
        model,
        at: Date.now(),
        text: '',
        reasoning: '',
        state: 'queued',
        ...(options !== undefined && { options }),
      });
    }
    let started: Awaited<ReturnType<typeof start>>;
    try {
      started = await start(experiment, {
        onSending: (planned, stop) => this.#sending(turn, planned, experiment.options, stop),
        onEvent: (planned, event) => this.#heard(planned, event),
        onEnded: (planned, reply) => this.#ended(turn, planned, reply),
        onPaused: ({ model }, at) => this.#waiting(turn, model, (reply) => ({ ...reply, waitsUntil: at })),
        onGaveUp: (model, failure) =>
          this.#waiting(turn, model, (reply) => ({ ...reply, state: 'failed', end: unsentEnd(failure) })),
      });
    } finally {
      // Otherwise they'd wait forever for their turn, and nothing more could be asked.
      if (started === undefined) this.#unsent(turn, columns);
    }
    if (started === undefined) return;
    const { run, file } = started;
    const over = async (): Promise<void> => {
      await store.ended(run.id);
      this.#runs.delete(run);
      file.dispose();
      this.#unsent(turn, columns);
    };
    this.#runs.set(run, over());
  }

  /** The tab is closed: stops everything, and sends nothing that is still being prepared. */
  dispose(): void {
    this.#isDisposed = true;
    this.stop();
  }

  /** Stops everything. Settles once it has ended, and all of it is on disk. */
  async ended(): Promise<void> {
    this.stop();
    await Promise.all(this.#runs.values());
  }

  /** At once, at the service too. @param columnId all columns by default */
  stop(columnId?: string): void {
    if (columnId === undefined) {
      for (const run of this.#runs.keys()) run.stop();
      // A run that is just starting isn't among those yet.
      for (const reply of this.#comparison.replies) if (reply.state === 'queued') this.#skipped.add(reply.columnId);
      return;
    }
    this.#skipped.add(columnId);
    for (const run of this.#runs.keys()) run.skip(columnId);
    for (const reply of this.#comparison.replies) {
      if (reply.columnId !== columnId) continue;
      this.#live.get(reply.id)?.stop();
      // It could wait for minutes. A run that is just starting might still send it.
      if (reply.state === 'queued' && this.#runs.size > 0) this.#show(stopped(reply));
    }
  }

  #sending(
    turn: ComparedTurn,
    { attempt, request: { model } }: PlannedSend,
    shared: ChatOptions | undefined,
    stop: () => void,
  ): void {
    const { id, column: columnId = '', options } = model;
    this.#live.set(attempt, { text: '', reasoning: '', stop });
    this.#show({
      id: attempt,
      turnId: turn.id,
      columnId,
      model: id,
      at: Date.now(),
      text: '',
      reasoning: '',
      state: 'running',
      ...(options !== undefined && { options }),
      parameters: { ...shared, ...options },
    });
    if (this.#skipped.has(columnId)) stop();
  }

  #heard({ attempt }: PlannedSend, event: ChatEvent): void {
    const live = this.#live.get(attempt);
    if (live === undefined || (event.type !== 'text' && event.type !== 'reasoning') || event.text === '') return;
    const offset = live[event.type].length;
    live[event.type] += event.text;
    this.#watch.onGrew(attempt, event.type, offset, event.text);
  }

  #ended(turn: ComparedTurn, { attempt, request: { model } }: PlannedSend, end: SentReply): void {
    const known = this.#comparison.reply(attempt);
    if (known === undefined) return;
    const { text = '', reasoning = '' } = end;
    this.#live.delete(attempt);
    // The run sends it again, unless it ends before that. Until then the column can't be asked again.
    if (end.failure !== undefined && failureReach(end.failure) === 'pause') {
      return this.#show({ ...known, turnId: turn.id, text: '', reasoning: '', state: 'queued' });
    }
    const cost = costOfSample(end.sample, this.#experiments.forecast.modelOf(model));
    this.#show({
      ...known,
      turnId: turn.id,
      text,
      reasoning,
      state: end.outcome,
      end,
      ...(cost !== undefined && { cost }),
    });
  }

  /** Changes what isn't being sent right now and belongs to this model. */
  #waiting(turn: ComparedTurn, model: ExperimentModel, change: (reply: ComparedReply) => ComparedReply): void {
    for (const reply of this.#comparison.replies) {
      if (reply.turnId !== turn.id || reply.state !== 'queued') continue;
      if (modelKey({ id: reply.model }) === modelKey(model)) this.#show(change(reply));
    }
  }

  /** The run ended before they were sent. */
  #unsent(turn: ComparedTurn, columns: readonly ComparedColumn[]): void {
    for (const reply of this.#comparison.replies) {
      const isOfRun = reply.turnId === turn.id && columns.some(({ id }) => id === reply.columnId);
      if (isOfRun && reply.state === 'queued') this.#show(stopped(reply));
    }
  }

  #show(reply: ComparedReply): void {
    this.#comparison.setReply(reply);
    this.#watch.onReply(reply);
  }
}

function stopped({ waitsUntil: _waitsUntil, ...reply }: ComparedReply): ComparedReply {
  return { ...reply, state: 'stopped' };
}

/** The end of a reply that a run gave up before it was sent, or after the service refused it. */
function unsentEnd(failure: ApiFailure): SentReply {
  return { outcome: 'failed', wasSent: false, failure };
}
