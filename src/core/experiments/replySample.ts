import * as v from 'valibot';
import type { ChatEvent, ServiceMetrics, Usage } from '../../api/types.ts';
import { estimatedTokens } from '../../words/tokens.ts';
import { hiddenTokens } from '../chat/replyMetrics.ts';

const duration = v.pipe(v.number(), v.finite(), v.minValue(0));
const optionalNumber = v.exactOptional(v.number());

export const replySampleSchema = v.object({
  /** When the request was sent, as Unix time in milliseconds, with fractions. */
  sentAt: v.number(),
  /** Until the first token that isn't empty, including reasoning. */
  firstMs: v.exactOptional(duration),
  /** Until the last token. */
  lastMs: v.exactOptional(duration),
  /** Until the end of the response. */
  totalMs: duration,
  /** Between arrivals of text. Pieces in one read of the socket arrived together, and count once. */
  gapsMs: v.array(duration),
  promptTokens: optionalNumber,
  replyTokens: optionalNumber,
  /** Those of them that never arrived: reasoning that the service hides. Absent for none. */
  hiddenTokens: optionalNumber,
  /** The service sent no count, so the reply's tokens are estimated from its text. */
  isEstimate: v.exactOptional(v.literal(true)),
  /** The service's own figures. */
  service: v.exactOptional(
    v.object({ ttftSeconds: optionalNumber, tokensPerSecond: optionalNumber, totalTimeSeconds: optionalNumber }),
  ),
});

/** The timing of one reply. All times are measured here, from the moment its request was sent. */
export type ReplySample = v.InferOutput<typeof replySampleSchema>;

/** Tokens that arrived, of which the speed and their times can be known; undefined if not even the sum is known. */
export function arrivedTokens({ replyTokens, hiddenTokens: hidden = 0 }: ReplySample): number | undefined {
  return replyTokens === undefined ? undefined : Math.max(0, replyTokens - hidden);
}

/** Observes a reply. All moments are milliseconds of one monotonic clock. */
export class ReplySampler {
  readonly #sentAt: number;
  readonly #startedMs: number;
  readonly #arrivalsMs: number[] = [];
  #characters = 0;
  #usage: Usage = {};
  #service: ServiceMetrics | undefined;
  #pieces: number | undefined;
  #isReasoningShown = false;

  /** @param sentAt the same moment as `startedMs`, in Unix time */
  constructor(sentAt: number, startedMs: number) {
    this.#sentAt = sentAt;
    this.#startedMs = startedMs;
  }

  /** Text that isn't empty was read from the socket. */
  arrived(atMs: number): void {
    this.#arrivalsMs.push(atMs);
  }

  heard(event: ChatEvent): void {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        this.#isReasoningShown ||= event.type === 'reasoning';
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

  /** @param isStreamed false for a whole reply, whose first token can't be observed */
  sample(endedMs: number, isStreamed: boolean): ReplySample {
    const arrivals = isStreamed ? this.#arrivalsMs : [];
    const [first] = arrivals;
    const last = arrivals.at(-1);
    const { promptTokens, completionTokens } = this.#usage;
    const counted = completionTokens ?? this.#estimate();
    const hidden = hiddenTokens(this.#usage, this.#isReasoningShown);
    return {
      sentAt: rounded(this.#sentAt),
      ...(first !== undefined && { firstMs: this.#since(first) }),
      ...(last !== undefined && { lastMs: this.#since(last) }),
      totalMs: this.#since(endedMs),
      gapsMs: arrivals.slice(1).map((at, index) => rounded(at - (arrivals[index] ?? at))),
      ...(promptTokens !== undefined && { promptTokens }),
      ...(counted !== undefined && { replyTokens: counted }),
      ...(hidden > 0 && { hiddenTokens: hidden }),
      ...(completionTokens === undefined && counted !== undefined && { isEstimate: true }),
      ...(this.#service !== undefined && { service: this.#service }),
    };
  }

  /** Tokens so far, to show while the reply is being written. */
  #estimate(): number | undefined {
    if (this.#characters === 0) return undefined;
    return this.#pieces ?? Math.max(1, estimatedTokens(this.#characters));
  }

  #since(atMs: number): number {
    return rounded(Math.max(0, atMs - this.#startedMs));
  }
}

/** Rounded to a hundredth of a millisecond, which is finer than any clock here, to keep the record small. */
function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
