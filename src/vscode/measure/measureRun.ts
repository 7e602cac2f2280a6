import type { MeasureProgress } from '../../shared/protocol/measureProtocol.ts';
import type { MeasuredResult } from '../../shared/measuring.ts';
import type { Experiment } from '../../core/experiments/experiment.ts';
import { costOfSample } from '../../core/experiments/experimentForecast.ts';
import type { PlannedRequest } from '../../core/experiments/experimentPlan.ts';
import type { PlannedSend, SentReply } from '../../core/experiments/experimentRun.ts';
import { isOpenAgain } from '../../core/experiments/failureReach.ts';
import { type ExplainFailure, ResultBuilder } from '../../core/measuring/measuredResult.ts';
import type { Experiments, StartedExperiment } from '../experiments/openExperiments.ts';
import { HeldUpMeter } from './heldUpMeter.ts';

/** In milliseconds: often enough for a page, and rarely enough not to disturb the measurement. */
const NEWS_EVERY_MS = 500;

export interface MeasureRunDeps {
  readonly experiments: Experiments;
  readonly explain: ExplainFailure;
  /**
   * Called a few times per second during the run.
   * @param result absent if no group of requests was finished since the last call
   */
  readonly onProgress: (progress: MeasureProgress, result: MeasuredResult | undefined) => void;
}

/** A run that is under way in this window. */
export class MeasureRun {
  readonly experiment: Experiment;
  readonly #deps: MeasureRunDeps;
  readonly #builder: ResultBuilder;
  readonly #meter = new HeldUpMeter();
  readonly #startedAt = Date.now();
  #started: StartedExperiment | undefined;
  #last: PlannedRequest | undefined;
  #endedBefore = 0;
  #shownGroups = -1;
  #news: ReturnType<typeof setTimeout> | undefined;

  private constructor(experiment: Experiment, createdAt: number, deps: MeasureRunDeps) {
    this.experiment = experiment;
    this.#deps = deps;
    this.#builder = new ResultBuilder(experiment, createdAt, deps.explain);
  }

  /**
   * Sends what a stored experiment hasn't sent yet.
   * @returns undefined if another window is running it. Rejects if nothing can be written
   */
  static async start(experiment: Experiment, deps: MeasureRunDeps): Promise<MeasureRun | undefined> {
    const { store } = deps.experiments;
    const before = await store.open(experiment.id);
    const run = new MeasureRun(experiment, before.log.createdAt ?? Date.now(), deps);
    run.#builder.addAll(before.log);
    run.#endedBefore = run.#builder.counts().ended;
    run.#meter.start();
    try {
      run.#started = await deps.experiments.start(experiment, {
        onSending: ({ request }) => run.#sending(request),
        onEnded: (planned, reply) => run.#ended(planned, reply),
      });
    } finally {
      if (run.#started === undefined) run.#meter.stop();
    }
    return run.#started === undefined ? undefined : run;
  }

  /** Sends nothing more, and aborts requests in flight, at once. */
  stop(): void {
    this.#started?.run.stop();
  }

  /** Settles once nothing is in flight and everything is on disk. */
  async ended(): Promise<void> {
    if (this.#started === undefined) return;
    const { run, file } = this.#started;
    await this.#deps.experiments.store.ended(run.id);
    clearTimeout(this.#news);
    this.#news = undefined;
    file.append([{ type: 'heldUp', run: run.id, p95Ms: Math.round(this.#meter.stop() * 100) / 100 }]);
    await file.flush();
  }

  progress(): MeasureProgress {
    const { ended, planned, failed } = this.#builder.counts();
    const now = Date.now();
    const endedHere = ended - this.#endedBefore;
    const pausedUntil = this.#started?.run.pausedUntil;
    return {
      ended,
      planned,
      failed,
      model: this.#last?.model.id ?? this.experiment.models[0]?.id ?? '',
      load: this.#last?.concurrency ?? 1,
      isWarmUp: this.#last?.isWarmUp ?? false,
      startedAt: this.#startedAt,
      // The first few say little about the others.
      ...(endedHere >= 3 && { millisecondsLeft: ((now - this.#startedAt) / endedHere) * (planned - ended) }),
      ...this.#builder.costs(),
      ...(pausedUntil !== undefined && { pausedUntil }),
    };
  }

  result(): MeasuredResult {
    return this.#builder.running();
  }

  #sending(request: PlannedRequest): void {
    const last = this.#last;
    // Over a whole run, an hour at one request would hide what a minute at 64 did to this machine.
    if (last?.concurrency !== request.concurrency || last.isWarmUp !== request.isWarmUp) this.#meter.nextStage();
    this.#last = request;
    this.#soon();
  }

  #ended({ attempt, request }: PlannedSend, { wasSent, ...end }: SentReply): void {
    const { failure, sample } = end;
    const isOpen = !wasSent || (failure !== undefined && isOpenAgain(failure));
    const cost = costOfSample(sample, this.#deps.experiments.forecast.modelOf(request.model));
    this.#builder.add(request.key, {
      type: 'ended',
      attempt,
      writer: '',
      at: Date.now(),
      ...end,
      ...(isOpen && { isOpen: true as const }),
      ...(cost !== undefined && { cost }),
    });
    this.#soon();
  }

  #soon(): void {
    this.#news ??= setTimeout(() => {
      this.#news = undefined;
      const groups = this.#builder.finishedGroups;
      this.#deps.onProgress(this.progress(), groups === this.#shownGroups ? undefined : this.result());
      this.#shownGroups = groups;
    }, NEWS_EVERY_MS);
  }
}
