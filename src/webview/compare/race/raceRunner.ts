import type { ReplyMetrics } from '../../../shared/chat.ts';
import { type CompareReplyView, tokensPerMark } from '../../../shared/protocol/compareProtocol.ts';
import { usualCharactersPerToken } from '../../../words/tokens.ts';
import { LiveReply } from '../../chat/speed/liveReply.ts';
import { hostNow } from '../../kit/host/hostClock.ts';

/** How a bar ends. */
export type RunnerState =
  | 'queued'
  | 'elsewhere'
  | 'waiting'
  | 'writing'
  | 'finished'
  | 'failed'
  | 'stopped'
  | 'interrupted';

/** A bar of the race at one moment. */
export interface RunnerView {
  readonly id: string;
  readonly state: RunnerState;
  readonly waitingSeconds: number;
  readonly totalSeconds: number;
  /** When each hundredth token arrived, in seconds. */
  readonly marks: readonly number[];
  readonly metrics: ReplyMetrics;
}

/** One reply in the race: live while it's being written, then as measured. */
export class RaceRunner {
  #reply: CompareReplyView;
  #live: LiveReply | undefined;
  #startedMs = 0;
  #characters = 0;
  #marks: number[] = [];
  readonly #charactersPerToken: number | undefined;

  constructor(reply: CompareReplyView, charactersPerToken: number | undefined) {
    this.#reply = reply;
    this.#charactersPerToken = charactersPerToken;
    this.#begin();
  }

  get reply(): CompareReplyView {
    return this.#reply;
  }

  get isRunning(): boolean {
    return this.#live !== undefined;
  }

  show(reply: CompareReplyView): void {
    const isOther = reply.id !== this.#reply.id;
    this.#reply = reply;
    if (isOther || !isLive(reply)) this.#begin();
  }

  /** @param pieces number of pieces of the stream in the text */
  grew(characters: number, nowMs: number, pieces?: number): void {
    this.#live?.grew(characters, nowMs, pieces);
    this.#characters += characters;
    const marks = Math.floor(this.#characters / (this.#charactersPerToken ?? usualCharactersPerToken) / tokensPerMark);
    while (this.#marks.length < marks) this.#marks.push((nowMs - this.#startedMs) / 1000);
  }

  /** @param isHere whether to leave out the service's own figures */
  view(nowMs: number, isHere: boolean): RunnerView {
    const { columnId: id, metricsHere } = this.#reply;
    if (this.#live === undefined) {
      const metrics = (isHere ? metricsHere : undefined) ?? this.#reply.metrics;
      const totalSeconds = metrics.totalSeconds?.value ?? 0;
      const waitingSeconds = Math.min(totalSeconds, metrics.timeToFirstTokenSeconds?.value ?? 0);
      return { id, state: stateOf(this.#reply), waitingSeconds, totalSeconds, marks: this.#reply.marks ?? [], metrics };
    }
    const live = this.#live.metrics(nowMs);
    const totalSeconds = live.totalSeconds?.value ?? 0;
    const first = live.timeToFirstTokenSeconds?.value;
    const isWaiting = !this.#live.hasText;
    return {
      id,
      state: isWaiting ? 'waiting' : 'writing',
      waitingSeconds: isWaiting ? totalSeconds : (first ?? 0),
      totalSeconds,
      marks: this.#marks,
      metrics: live,
    };
  }

  #begin(): void {
    const { at, text, reasoning } = this.#reply;
    this.#live = undefined;
    this.#marks = [];
    if (!isLive(this.#reply)) return;
    const now = performance.now();
    this.#characters = text.length + reasoning.length;
    this.#startedMs = now - Math.max(0, hostNow() - at);
    this.#live = new LiveReply(this.#startedMs, now, this.#characters, this.#charactersPerToken);
  }
}

function isLive({ state, isQueued }: CompareReplyView): boolean {
  return state === 'running' && isQueued !== true;
}

function stateOf({ state, isQueued }: CompareReplyView): RunnerState {
  if (isQueued === true) return 'queued';
  if (state === 'elsewhere') return state;
  return state === 'failed' || state === 'interrupted' || state === 'stopped' ? state : 'finished';
}
