import type { Experiment } from './experiment.ts';
import { type AttemptEnd, type ExperimentRecord, encodeExperimentRecord, type RunEnd } from './experimentRecord.ts';
import { plannedRequests } from './experimentPlan.ts';

type Of<Type extends ExperimentRecord['type']> = Extract<ExperimentRecord, { type: Type }>;

/** One time that a request was sent, or was about to be. */
export interface ExperimentAttempt {
  readonly id: string;
  readonly request: string;
  readonly run: string;
  readonly writer: string;
  /** Unix time in milliseconds. */
  readonly at: number;
  readonly end?: AttemptEnd;
}

export interface ExperimentRunFacts {
  readonly id: string;
  readonly writer: string;
  /** Unix times in milliseconds. */
  readonly startedAt: number;
  /** Time of its newest line. */
  readonly lastAt: number;
  /** Absent while it's running, and for good if its window was closed or killed. */
  readonly end?: RunEnd;
  readonly gaveUp: readonly Pick<Of<'gaveUp'>, 'model' | 'failure'>[];
}

/**
 * `notSent`: certainly not carried out, so it can be sent. `running`: its window is working on it. `mayBeCharged`: it
 * might have been sent, and its end is unknown, so it's never resent automatically. `finished`: its end is known.
 */
export type PlannedState = 'notSent' | 'running' | 'mayBeCharged' | 'finished';

/** An experiment as the sum of its records, no matter in which order and how often they're read. */
export class ExperimentLog {
  readonly #created = new First<Of<'created'>>();
  readonly #runs = new FirstOf<Of<'runStarted'>>();
  readonly #sendings = new FirstOf<Of<'sending'>>();
  readonly #ends = new FirstOf<Of<'ended'>>();
  readonly #gaveUp = new FirstOf<Of<'gaveUp'>>();
  readonly #runEnds = new FirstOf<Of<'runEnded'>>();
  #heldUpMs = 0;

  apply(record: ExperimentRecord): void {
    switch (record.type) {
      case 'created':
        return this.#created.add(record);
      case 'runStarted':
        return this.#runs.add(record.run, record);
      case 'sending':
        return this.#sendings.add(record.attempt, record);
      case 'ended':
        return this.#ends.add(record.attempt, record);
      case 'gaveUp':
        return this.#gaveUp.add(`${record.run} ${record.model}`, record);
      case 'heldUp':
        this.#heldUpMs = Math.max(this.#heldUpMs, record.p95Ms);
        return;
      case 'runEnded':
        return this.#runEnds.add(record.run, record);
    }
  }

  /** Undefined until its first line has been read. */
  get experiment(): Experiment | undefined {
    return this.#created.value?.experiment;
  }

  /** Unix time in milliseconds. */
  get createdAt(): number | undefined {
    return this.#created.value?.at;
  }

  /** How long events waited on this machine during the worst of the runs, in milliseconds. */
  get heldUpMs(): number {
    return this.#heldUpMs;
  }

  /** In the order in which they were sent. */
  attempts(): readonly ExperimentAttempt[] {
    return this.#sendings.values().map(({ attempt, request, run, writer, at }) => {
      const end = this.#ends.get(attempt);
      return { id: attempt, request, run, writer, at, ...(end !== undefined && { end }) };
    });
  }

  runs(): readonly ExperimentRunFacts[] {
    return this.#runs.values().map(({ run: id, writer, at: startedAt }) => {
      const end = this.#runEnds.get(id);
      const gaveUp = this.#gaveUp.values().filter(({ run }) => run === id);
      const sendings = this.#sendings.values().filter(({ run }) => run === id);
      const ends = sendings.flatMap(({ attempt }) => this.#ends.get(attempt) ?? []);
      const lines = [...sendings, ...ends, ...gaveUp, ...(end ? [end] : [])];
      return {
        id,
        writer,
        startedAt,
        lastAt: lines.reduce((last, { at }) => Math.max(last, at), startedAt),
        ...(end !== undefined && { end: end.end }),
        gaveUp: gaveUp.map(({ model, failure }) => ({ model, failure })),
      };
    });
  }

  /** The runs that haven't ended, whose windows might be gone. */
  openRuns(): readonly ExperimentRunFacts[] {
    return this.runs().filter(({ end }) => end === undefined);
  }

  /**
   * The state of each planned request, by its key.
   * @param isAlive whether the window that wrote an attempt might still be working on it
   */
  states(isAlive: (attempt: ExperimentAttempt) => boolean): ReadonlyMap<string, PlannedState> {
    const { experiment } = this;
    if (experiment === undefined) return new Map();
    const ended = new Set(this.runs().flatMap(({ id, end }) => (end === undefined ? [] : [id])));
    const states = new Map<string, PlannedState>(plannedRequests(experiment).map(({ key }) => [key, 'notSent']));
    for (const attempt of this.attempts()) {
      const { request, run, end } = attempt;
      const isRunning = !ended.has(run) && isAlive(attempt);
      const state =
        end === undefined ? (isRunning ? 'running' : 'mayBeCharged') : end.isOpen === true ? 'notSent' : 'finished';
      states.set(request, atLeast(states.get(request) ?? 'notSent', state));
    }
    return states;
  }
}

const order: readonly PlannedState[] = ['notSent', 'finished', 'mayBeCharged', 'running'];

/** Of several attempts, the one that matters most. */
function atLeast(a: PlannedState, b: PlannedState): PlannedState {
  return order.indexOf(a) < order.indexOf(b) ? b : a;
}

/** If several records are about the same thing, the oldest counts, so that their order doesn't matter. */
class First<Item extends ExperimentRecord> {
  value: Item | undefined;

  add(record: Item): void {
    if (this.value === undefined || isBefore(record, this.value)) this.value = record;
  }
}

class FirstOf<Item extends ExperimentRecord> {
  readonly #byId = new Map<string, First<Item>>();

  add(id: string, record: Item): void {
    const first = this.#byId.get(id) ?? new First<Item>();
    this.#byId.set(id, first);
    first.add(record);
  }

  get(id: string): Item | undefined {
    return this.#byId.get(id)?.value;
  }

  /** Oldest first; at equal times, in a fixed order. */
  values(): readonly Item[] {
    const items = [...this.#byId.values()].flatMap(({ value }) => (value === undefined ? [] : [value]));
    return items.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  }
}

function isBefore(a: ExperimentRecord, b: ExperimentRecord): boolean {
  return a.at < b.at || (a.at === b.at && encodeExperimentRecord(a) < encodeExperimentRecord(b));
}
