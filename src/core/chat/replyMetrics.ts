import type { ChatEvent, ServiceMetrics, Usage } from '../../api/types.ts';
import type { Figure, ReplyMetrics } from '../../shared/chat.ts';
import type { Reply } from './conversation.ts';
import { tokensIn } from '../../words/tokens.ts';

/**
 * The speed of one reply. Figures from the service are kept as they are, and the rest is measured from the moments
 * passed to this clock, in milliseconds of one monotonic clock.
 */
export class ReplyClock {
  #startedMs: number;
  #firstMs: number | undefined;
  #lastMs: number | undefined;
  #deltas = 0;
  #characters = 0;
  #pieces: number | undefined;
  #isReasoningShown = false;
  #usage: Usage = {};
  #service: ServiceMetrics = {};

  constructor(startedMs: number) {
    this.#startedMs = startedMs;
  }

  /** Text of any kind arrived from a stream. */
  heard(event: ChatEvent, atMs: number): void {
    if (event.type === 'reasoning') this.#isReasoningShown = true;
    if (event.type === 'text' || event.type === 'reasoning') this.grew(event.text.length, atMs);
    else if (event.type === 'attempt') this.restarted(atMs);
    else if (event.type === 'usage') this.usage(event.usage);
    else if (event.type === 'metrics') this.service(event.metrics);
    else if (event.type === 'end') this.counted(event.deltas);
  }

  /** A new attempt: the wait before it doesn't count for the model. */
  restarted(atMs: number): void {
    this.#startedMs = atMs;
  }

  grew(characters: number, atMs: number): void {
    this.#firstMs ??= atMs;
    this.#lastMs = atMs;
    this.#deltas += 1;
    this.#characters += characters;
  }

  /** The last value wins. Figures are never added up. */
  usage(usage: Usage): void {
    this.#usage = { ...this.#usage, ...usage };
  }

  /** The number of pieces that the reply arrived in, which estimates its tokens better than its length. */
  counted(deltas: number | undefined): void {
    this.#pieces = deltas;
  }

  service(metrics: ServiceMetrics): void {
    this.#service = { ...this.#service, ...metrics };
  }

  /** Tokens of the prompt according to the service, including those from its cache; at least, if it includes them twice. */
  get countedPrompt(): number | undefined {
    const { promptTokens, cachedTokens = 0 } = this.#usage;
    return promptTokens === undefined ? undefined : promptTokens + cachedTokens;
  }

  metrics(endedMs: number, streamed: boolean): ReplyMetrics {
    const first = this.#firstToken(streamed);
    const completion = this.#completion();
    const writingMs = this.#writingMs(streamed);
    const rate = this.#rate(completion, endedMs, writingMs);
    return {
      ...(first !== undefined && { timeToFirstTokenSeconds: first }),
      ...(rate !== undefined && { tokensPerSecond: rate }),
      ...(rate !== undefined && rate.from !== 'service' && writingMs === undefined && { hasWaitInRate: true }),
      totalSeconds:
        figureFrom('service', this.#service.totalTimeSeconds) ?? figureFrom('here', (endedMs - this.#startedMs) / 1000),
      ...(this.#usage.promptTokens !== undefined && { promptTokens: figureFrom('service', this.#usage.promptTokens) }),
      ...(completion !== undefined && { completionTokens: completion }),
    };
  }

  #firstToken(streamed: boolean): Figure | undefined {
    const own = figureFrom('service', this.#service.ttftSeconds);
    if (own !== undefined) return own;
    // A whole response arrives at once, so its first token can't be observed.
    return streamed && this.#firstMs !== undefined
      ? figureFrom('here', (this.#firstMs - this.#startedMs) / 1000)
      : undefined;
  }

  #completion(): Figure | undefined {
    const own = figureFrom('service', this.#usage.completionTokens);
    if (own !== undefined) return own;
    if (this.#characters === 0) return undefined;
    return figureFrom('estimate', tokensIn(this.#characters, this.#pieces));
  }

  /** From the first text to the last; undefined if all of it arrived at once. */
  #writingMs(streamed: boolean): number | undefined {
    return streamed && this.#deltas > 1 && this.#firstMs !== undefined && this.#lastMs !== undefined
      ? this.#lastMs - this.#firstMs
      : undefined;
  }

  #rate(completion: Figure | undefined, endedMs: number, writingMs: number | undefined): Figure | undefined {
    const own = figureFrom('service', this.#service.tokensPerSecond);
    if (own !== undefined) return own;
    if (completion === undefined) return undefined;
    // Tokens that were never sent weren't written while the clock ran, which the first text starts.
    const hidden = writingMs === undefined ? 0 : hiddenTokens(this.#usage, this.#isReasoningShown);
    const written = completion.value - hidden;
    const ms = writingMs ?? endedMs - this.#startedMs;
    // A single token, which starts the clock, has no speed.
    if (written <= 1 || ms <= 0) return undefined;
    // The first token starts the clock, so it isn't among those written while the clock ran.
    const tokens = writingMs === undefined ? written : written * (1 - 1 / this.#deltas);
    return { value: (tokens * 1000) / ms, from: completion.from === 'estimate' ? 'estimate' : 'here' };
  }
}

/** Tokens of a reply that the service counted but didn't send: reasoning that it hides. */
export function hiddenTokens({ reasoningTokens = 0 }: Usage, isReasoningShown: boolean): number {
  return isReasoningShown ? 0 : reasoningTokens;
}

/** The speed that can be compared with that of other replies; undefined if only a speed with the wait is known. */
export function writingRate({ tokensPerSecond, hasWaitInRate }: ReplyMetrics): Figure | undefined {
  return hasWaitInRate ? undefined : tokensPerSecond;
}

/** In tokens per second. Undefined for a single token, which only starts the clock. */
export function tokenRate(tokens: number | undefined, seconds: number): number | undefined {
  return tokens === undefined || tokens <= 1 || seconds <= 0 ? undefined : tokens / seconds;
}

/** At least one of its counts was estimated from the text, and so is its cost. */
export function isTokensEstimate({ promptTokens, completionTokens }: ReplyMetrics): boolean {
  return promptTokens?.from === 'estimate' || completionTokens?.from === 'estimate';
}

/** The speed of a reply whose end wasn't recorded, from its records. Empty if it never started to arrive. */
export function unendedMetrics(
  reply: Pick<Reply, 'at' | 'text' | 'reasoning' | 'firstTextAt' | 'lastTextAt'>,
): ReplyMetrics {
  const { at, firstTextAt, lastTextAt } = reply;
  if (firstTextAt === undefined || lastTextAt === undefined) return {};
  const tokens = tokensIn(reply.text.length + reply.reasoning.length);
  const rate = tokenRate(tokens, (lastTextAt - firstTextAt) / 1000);
  return {
    timeToFirstTokenSeconds: figureFrom('here', (firstTextAt - at) / 1000),
    ...(rate !== undefined && { tokensPerSecond: figureFrom('estimate', rate) }),
    totalSeconds: figureFrom('here', (lastTextAt - at) / 1000),
    completionTokens: figureFrom('estimate', tokens),
  };
}

/** A figure and where it's from; undefined without a value. */
export function figureFrom(from: Figure['from'], value: number): Figure;
export function figureFrom(from: Figure['from'], value: number | undefined): Figure | undefined;
export function figureFrom(from: Figure['from'], value: number | undefined): Figure | undefined {
  return value === undefined ? undefined : { value, from };
}
