import type { Clock } from '../../api/clock.ts';
import type { ChatRequest } from '../../api/operations/chatCompletion.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import { systemCode } from '../problems/systemCode.ts';
import { type Experiment, type ExperimentModel, modelKey } from './experiment.ts';
import { costOf, costOfSample, type ForecastDeps, Forecaster } from './experimentForecast.ts';
import type { ExperimentLog, PlannedState } from './experimentLog.ts';
import { experimentPlan, type Lane, type PlannedRequest, plannedBody, type Stage } from './experimentPlan.ts';
import type { AttemptEnd, ExperimentFact, RunEnd } from './experimentRecord.ts';
import { failureReach, isOpenAgain } from './failureReach.ts';
import { refParts } from '../../shared/modelRef.ts';
import { ServiceGate } from './serviceGate.ts';
import { Spending } from './spending.ts';
import { millisecondsBefore, spentBefore } from './spentBefore.ts';
import { retryAfterMs } from '../../api/calls/retry.ts';

const FAILURES_IN_A_ROW = 5;

/** How a request that was passed to `send` ended. */
export interface SentReply extends Pick<
  AttemptEnd,
  'outcome' | 'failure' | 'finishReason' | 'requestId' | 'sample' | 'text' | 'reasoning'
> {
  /** False if it ended before anything was sent. */
  readonly wasSent: boolean;
}

export interface PlannedSend {
  /** Identifies this attempt in the record and in the request history. */
  readonly attempt: string;
  readonly request: PlannedRequest;
  readonly body: ChatRequest;
}

/** Sends one request, once. Must not reject. Settles soon after the signal is aborted. */
export type SendPlanned = (planned: PlannedSend, signal: AbortSignal) => Promise<SentReply>;

export interface ExperimentRunDeps extends ForecastDeps {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly send: SendPlanned;
  /** Settles once the lines are on disk. Rejects and discards them if they can't be written. */
  readonly write: (facts: readonly ExperimentFact[]) => Promise<void>;
  /** Keeps the lines and retries until they're on disk. */
  readonly append: (facts: readonly ExperimentFact[]) => void;
  /** The service refused the request for now. It's sent again then, at the earliest. @param at Unix time in milliseconds */
  readonly onPaused?: ((request: PlannedRequest, at: number) => void) | undefined;
  /** Nothing more is sent to this model in this run. */
  readonly onGaveUp?: ((model: ExperimentModel, failure: ApiFailure) => void) | undefined;
}

interface Flight {
  readonly send: PlannedSend;
  readonly lane: LaneState;
}

interface LaneState {
  readonly capacity: number;
  readonly queue: PlannedRequest[];
  inFlight: number;
}

/** What a run still has to do, and what was done before it. */
export interface RunBase {
  readonly experiment: Experiment;
  readonly states: ReadonlyMap<string, PlannedState>;
  readonly log: ExperimentLog;
}

/**
 * Sends what an experiment hasn't sent yet. Every request is recorded on disk before it's sent, and is never resent
 * unless it was certainly not carried out.
 */
export class ExperimentRun {
  readonly id: string;
  readonly #base: RunBase;
  readonly #deps: ExperimentRunDeps;
  readonly #forecaster: Forecaster;
  readonly #spending: Spending;
  readonly #abort = new AbortController();
  readonly #gates = new Map<string, ServiceGate>();
  readonly #failuresInARow = new Map<string, number>();
  readonly #givenUp = new Map<string, ApiFailure>();
  /** Columns whose requests aren't sent. */
  readonly #skipped = new Set<string>();
  readonly #sleeping = new Set<number>();
  readonly #timers = new AbortController();
  #inFlight = 0;
  #end: RunEnd | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(id: string, base: RunBase, deps: ExperimentRunDeps) {
    this.id = id;
    this.#base = base;
    // A model list can lose a price during the run. Its last one still counts toward the limit.
    const priced = new Map(base.experiment.models.map((model) => [modelKey(model), deps.modelOf(model)]));
    const modelOf: ForecastDeps['modelOf'] = (model) => {
      const now = deps.modelOf(model);
      if (costOf(now, 1, 1) === undefined) return priced.get(modelKey(model)) ?? now;
      priced.set(modelKey(model), now);
      return now;
    };
    this.#deps = { ...deps, modelOf };
    this.#forecaster = new Forecaster(base.experiment, this.#deps);
    this.#spending = new Spending(base.experiment.limits, spentBefore(base, this.#forecaster));
  }

  /** When a service that refused requests for now is asked again, as Unix time in milliseconds; undefined for none. */
  get pausedUntil(): number | undefined {
    const now = this.#deps.clock.now();
    const isAsked = (service: string) =>
      this.#base.experiment.models.some(
        (model) => serviceOfModel(model) === service && !this.#givenUp.has(modelKey(model)),
      );
    const waits = [...this.#gates].flatMap(([service, { opensAt }]) =>
      opensAt > now && isAsked(service) ? [opensAt] : [],
    );
    return waits.length === 0 || this.#isOver ? undefined : Math.min(...waits);
  }

  /** Never rejects. The run's first line must be on disk already. This writes its last one. */
  async run(): Promise<RunEnd> {
    this.#limitMinutes();
    for (const stage of experimentPlan(this.#base.experiment)) {
      if (this.#end !== undefined) break;
      await this.#runStage(stage);
    }
    while (this.#inFlight > 0) await this.#change();
    this.#timers.abort();
    const end = this.#end ?? this.#doneOrFailed();
    this.#deps.append([{ type: 'runEnded', run: this.id, end }]);
    return end;
  }

  /** The time of earlier runs counts, but not the time between them. */
  #limitMinutes(): void {
    const { experiment, log } = this.#base;
    const { minutes } = experiment.limits;
    if (minutes === undefined) return;
    const leftMs = minutes * 60_000 - millisecondsBefore(log, this.id);
    const end = () => this.#finish({ reason: 'limit', limit: 'minutes' }, true);
    if (leftMs <= 0) end();
    else this.#in(leftMs, end);
  }

  /** Sends nothing more, and aborts requests in flight, at once. */
  stop(): void {
    this.#finish({ reason: 'stopped' }, true);
  }

  /** Sends nothing more of this column. What's in flight continues. */
  skip(column: string): void {
    this.#skipped.add(column);
    this.#wake();
  }

  async #runStage(stage: Stage): Promise<void> {
    const lanes = stage.map((lane) => this.#laneState(lane));
    for (;;) {
      const flights = this.#next(lanes);
      if (flights.length > 0) await this.#launch(flights);
      else if (lanes.every(({ queue, inFlight }) => inFlight === 0 && (queue.length === 0 || this.#isOver))) return;
      else await this.#change();
    }
  }

  #laneState({ capacity, requests }: Lane): LaneState {
    const queue = requests.filter(({ key }) => (this.#base.states.get(key) ?? 'notSent') === 'notSent');
    return { capacity, queue, inFlight: 0 };
  }

  get #isOver(): boolean {
    return this.#end !== undefined;
  }

  /** Starts every request that can be sent now. */
  #next(lanes: readonly LaneState[]): readonly Flight[] {
    const flights: Flight[] = [];
    for (const lane of lanes) {
      // A refused request waits at the front. Requests to another service can overtake it.
      for (let at = 0; at < lane.queue.length && lane.inFlight < lane.capacity && !this.#isOver;) {
        const request = lane.queue[at];
        if (request === undefined) break;
        if (this.#isLeftOut(request)) {
          lane.queue.splice(at, 1);
          continue;
        }
        const gate = this.#gate(request.model);
        const now = this.#deps.clock.now();
        if (!gate.lets(now)) {
          this.#wakeAt(gate.opensAt, now);
          at += 1;
          continue;
        }
        const attempt = this.#deps.newId();
        const taken = this.#spending.take(attempt, this.#forecaster.of(request));
        if (taken === 'wait') return flights;
        if (taken !== 'ok') {
          this.#finish({ reason: 'limit', limit: taken }, false);
          break;
        }
        lane.queue.splice(at, 1);
        lane.inFlight += 1;
        this.#inFlight += 1;
        gate.sent();
        const body = plannedBody(this.#base.experiment, request, attempt);
        flights.push({ lane, send: { attempt, request, body } });
      }
    }
    return flights;
  }

  async #launch(flights: readonly Flight[]): Promise<void> {
    try {
      await this.#deps.write(
        flights.map(({ send }) => ({
          type: 'sending',
          run: this.id,
          attempt: send.attempt,
          request: send.request.key,
        })),
      );
    } catch (error) {
      const code = systemCode(error);
      this.#finish({ reason: 'disk', ...(code !== '' && { code }) }, false);
      // Some of the lines might have been written, so each gets its end.
      for (const flight of flights) this.#ended(flight, { outcome: 'stopped', wasSent: false });
      return;
    }
    const held: Flight[] = [];
    for (const flight of flights) {
      const { request } = flight.send;
      // Responses to others have arrived since the request was chosen.
      const isHeld = this.#isLeftOut(request) || !this.#gate(request.model).stillLets(this.#deps.clock.now());
      if (this.#abort.signal.aborted) this.#ended(flight, { outcome: 'stopped', wasSent: false });
      else if (isHeld) held.unshift(flight);
      else void this.#send(flight);
    }
    for (const flight of held) {
      flight.lane.queue.unshift(flight.send.request);
      this.#ended(flight, { outcome: 'stopped', wasSent: false });
    }
  }

  #isLeftOut({ model }: PlannedRequest): boolean {
    return this.#givenUp.has(modelKey(model)) || (model.column !== undefined && this.#skipped.has(model.column));
  }

  async #send(flight: Flight): Promise<void> {
    let reply: SentReply;
    try {
      reply = await this.#deps.send(flight.send, this.#abort.signal);
    } catch (error) {
      const failure: ApiFailure = { kind: 'unexpected', message: String(error) };
      reply = { outcome: 'failed', failure, wasSent: true };
    }
    this.#ended(flight, reply);
  }

  #ended({ send: { attempt, request }, lane }: Flight, reply: SentReply): void {
    const { wasSent, ...end } = reply;
    const { failure, sample } = end;
    const isOpen = !wasSent || (failure !== undefined && isOpenAgain(failure));
    const { promptTokens, replyTokens } = sample ?? {};
    const isCounted = promptTokens !== undefined && replyTokens !== undefined;
    const cost = costOfSample(sample, this.#deps.modelOf(request.model));
    // An estimate could be too low.
    const isExact = isCounted && sample?.isEstimate !== true;
    if (!wasSent) this.#spending.giveBack(attempt);
    else if (isOpen) this.#spending.settle(attempt, { tokens: 0, cost: 0 });
    else if (isExact)
      this.#spending.settle(attempt, { tokens: promptTokens + replyTokens, cost: cost ?? 0 }, replyTokens);
    else this.#spending.settle(attempt, {}, replyTokens);
    this.#deps.append([
      {
        type: 'ended',
        attempt,
        ...end,
        ...(isOpen && { isOpen }),
        ...(!wasSent && { isUnsent: true }),
        ...(cost !== undefined && { cost }),
      },
    ]);
    lane.inFlight -= 1;
    this.#inFlight -= 1;
    const gate = this.#gate(request.model);
    gate.ended();
    if (failure === undefined) {
      if (end.outcome !== 'stopped') {
        gate.answered(this.#deps.clock.now());
        this.#failuresInARow.delete(modelKey(request.model));
      }
    } else this.#failed(request, failure, gate, lane);
    this.#wake();
  }

  #failed(request: PlannedRequest, failure: ApiFailure, gate: ServiceGate, lane: LaneState): void {
    const { model } = request;
    const reach = failureReach(failure);
    if (reach === 'pause') {
      lane.queue.unshift(request);
      if (gate.refused(this.#deps.clock.now(), retryAfterMs(failure))) this.#deps.onPaused?.(request, gate.opensAt);
      else this.#giveUpService(model, failure);
      return;
    }
    if (reach === 'silence') {
      if (!gate.silent()) this.#giveUpService(model, failure);
    } else {
      // The service did respond.
      gate.answered(this.#deps.clock.now());
      if (reach === 'service') this.#giveUpService(model, failure);
      if (reach === 'model') this.#giveUp(model, failure);
    }
    const inARow = (this.#failuresInARow.get(modelKey(model)) ?? 0) + 1;
    this.#failuresInARow.set(modelKey(model), inARow);
    if (inARow >= FAILURES_IN_A_ROW) this.#giveUp(model, failure);
  }

  #giveUpService(of: ExperimentModel, failure: ApiFailure): void {
    const service = serviceOfModel(of);
    for (const model of this.#base.experiment.models)
      if (serviceOfModel(model) === service) this.#giveUp(model, failure);
  }

  #giveUp(model: ExperimentModel, failure: ApiFailure): void {
    const key = modelKey(model);
    if (this.#givenUp.has(key)) return;
    this.#givenUp.set(key, failure);
    this.#deps.append([{ type: 'gaveUp', run: this.id, model: key, failure }]);
    this.#deps.onGaveUp?.(model, failure);
  }

  #doneOrFailed(): RunEnd {
    const failure = [...this.#givenUp.values()].at(-1);
    const isAll = this.#base.experiment.models.every((model) => this.#givenUp.has(modelKey(model)));
    return isAll && failure !== undefined ? { reason: 'failed', failure } : { reason: 'done' };
  }

  #finish(end: RunEnd, isAtOnce: boolean): void {
    this.#end ??= end;
    if (isAtOnce) this.#abort.abort();
    this.#wake();
  }

  #gate(model: ExperimentModel): ServiceGate {
    const service = serviceOfModel(model);
    const gate = this.#gates.get(service) ?? new ServiceGate();
    this.#gates.set(service, gate);
    return gate;
  }

  /** @param now when it was too early: by another look at the clock it might be time, and then nothing would wake */
  #wakeAt(at: number, now: number): void {
    const waitMs = at - now;
    if (waitMs <= 0 || this.#sleeping.has(at)) return;
    this.#sleeping.add(at);
    this.#in(waitMs, () => {
      // A timer can fire slightly early; then it's set again.
      this.#sleeping.delete(at);
      this.#wake();
    });
  }

  #in(ms: number, act: () => void): void {
    this.#deps.clock.sleep(ms, this.#timers.signal).then(act, () => undefined);
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  /** Resolves when something has changed since the last check. */
  #change(): Promise<void> {
    return this.#changed.promise;
  }
}

/** ID of the service that has the model. */
function serviceOfModel({ id }: ExperimentModel): string {
  return refParts(id).service;
}
