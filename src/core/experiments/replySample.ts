import * as v from 'valibot';
import type { ChatEvent, ServiceMetrics, Usage } from '../../api/types.ts';
import { estimatedTokens } from '../../words/tokens.ts';

const duration = v.pipe(v.number(), v.finite(), v.minValue(0));
const optionalNumber = v.exactOptional(v.number());

export const replySampleSchema = v.object({
  /** Unix time in milliseconds at which the request left, to fractions of one. */
  sentAt: v.number(),
  /** To the first token that isn't empty, reasoning included. */
  firstMs: v.exactOptional(duration),
  /** To the last of them. */
  lastMs: v.exactOptional(duration),
  /** To the end of the response. */
  totalMs: duration,
  /** Between arrivals of text. Pieces that come in one read of the socket arrived together, and count once. */
  gapsMs: v.array(duration),
  promptTokens: optionalNumber,
  replyTokens: optionalNumber,
  /** The service sent no count, so the reply's tokens are counted from its text. */
  isEstimate: v.exactOptional(v.literal(true)),
  /** What the service says itself. */
  service: v.exactOptional(
    v.object({ ttftSeconds: optionalNumber, tokensPerSecond: optionalNumber, totalTimeSeconds: optionalNumber }),
  ),
});

/** When one reply came. All times are measured here, from the moment its request left. */
export type ReplySample = v.InferOutput<typeof replySampleSchema>;

/** Listens to a reply. All moments are milliseconds of one monotonic clock. */
export class ReplySampler {
  readonly #sentAt: number;
  readonly #startedMs: number;
  readonly #arrivalsMs: number[] = [];
  #characters = 0;
  #usage: Usage = {};
  #service: ServiceMetrics | undefined;
  #pieces: number | undefined;

  /** @param sentAt the same moment as `startedMs`, in Unix time */
  constructor(sentAt: number, startedMs: number) {
    this.#sentAt = sentAt;
    this.#startedMs = startedMs;
  }

  heard(event: ChatEvent, atMs: number): void {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        // Services begin with an empty piece to name the role; that's no token.
        if (event.text === '') return;
        this.#arrivalsMs.push(atMs);
        this.#characters += event.text.length;
        return;
      case 'usage':
        this.#usage = { ...this.#usage, ...event.usage };
        return;
      case 'metrics':
        this.#service = { ...this.#service, ...event.metrics };
        return;
      case 'end':
        this.#pieces = event.deltas;
        return;
      default:
    }
  }

  /** @param isStreamed a whole reply has no first token that could be seen from here */
  sample(endedMs: number, isStreamed: boolean): ReplySample {
    const arrivals = isStreamed ? this.#arrivalsMs : [];
    const [first] = arrivals;
    const last = arrivals.at(-1);
    const { promptTokens, completionTokens } = this.#usage;
    const counted = completionTokens ?? this.#estimate();
    return {
      sentAt: rounded(this.#sentAt),
      ...(first !== undefined && { firstMs: this.#since(first) }),
      ...(last !== undefined && { lastMs: this.#since(last) }),
      totalMs: this.#since(endedMs),
      gapsMs: arrivals.slice(1).map((at, index) => rounded(at - (arrivals[index] ?? at))),
      ...(promptTokens !== undefined && { promptTokens }),
      ...(counted !== undefined && { replyTokens: counted }),
      ...(completionTokens === undefined && counted !== undefined && { isEstimate: true }),
      ...(this.#service !== undefined && { service: this.#service }),
    };
  }

  /** Tokens so far, for whoever shows a reply while it's written. */
  #estimate(): number | undefined {
    if (this.#characters === 0) return undefined;
    return this.#pieces ?? Math.max(1, estimatedTokens(this.#characters));
  }

  #since(atMs: number): number {
    return rounded(Math.max(0, atMs - this.#startedMs));
  }
}

/** A hundredth of a millisecond is finer than any clock here, and keeps the record small. */
function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
