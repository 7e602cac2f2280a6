import type { ReplyMetrics } from '../../../shared/chat.ts';
import { tokensIn } from '../../../words/tokens.ts';

// Below this, the rate is noise.
const SHORTEST_RATED_MS = 400;

/**
 * The speed of a running reply, as the page sees it, in milliseconds of one monotonic clock. The final figures come
 * from the host.
 */
export class LiveReply {
  #startedMs: number;
  #firstMs: number | undefined;
  #lastMs: number;
  #known: number;
  readonly #charactersPerToken: number | undefined;
  #characters = 0;
  #pieces = 0;
  /** Written while the clock ran. */
  #rated = { characters: 0, pieces: 0 };

  /**
   * @param startedMs when the request was sent.
   * @param characters what had been written before the page opened, whose speed is unknown.
   * @param charactersPerToken as far as known for the model
   */
  constructor(startedMs: number, nowMs: number, characters: number, charactersPerToken?: number) {
    this.#charactersPerToken = charactersPerToken;
    this.#startedMs = startedMs;
    this.#lastMs = nowMs;
    this.#known = characters;
  }

  /** A new attempt: the wait before it doesn't count for the model. */
  restarted(atMs: number): void {
    this.#startedMs = atMs;
    this.#lastMs = atMs;
    this.#firstMs = undefined;
    this.#characters = 0;
    this.#pieces = 0;
    this.#rated = { characters: 0, pieces: 0 };
  }

  /** @param pieces number of pieces of the stream in the text */
  grew(characters: number, atMs: number, pieces = 1): void {
    // The first text starts the clock, so it isn't among what was written while it ran.
    if (this.#firstMs === undefined) this.#firstMs = atMs;
    else {
      this.#rated.characters += characters;
      this.#rated.pieces += pieces;
    }
    this.#characters += characters;
    this.#pieces += pieces;
    this.#lastMs = atMs;
  }

  /** False until the first text. */
  get hasText(): boolean {
    return this.#known + this.#characters > 0;
  }

  /** How long nothing has arrived. */
  silentMs(nowMs: number): number {
    return nowMs - this.#lastMs;
  }

  metrics(nowMs: number): ReplyMetrics {
    // Until the latest text, like the final figure, so that it doesn't drop while nothing arrives.
    const writingMs = this.#firstMs === undefined ? 0 : this.#lastMs - this.#firstMs;
    const { characters, pieces } = this.#rated;
    const rated = writingMs >= SHORTEST_RATED_MS && characters > 0;
    return {
      ...(this.#firstMs !== undefined &&
        this.#known === 0 && {
          timeToFirstTokenSeconds: { value: (this.#firstMs - this.#startedMs) / 1000, from: 'here' },
        }),
      ...(rated && {
        tokensPerSecond: { value: (this.#tokens(characters, pieces) / writingMs) * 1000, from: 'estimate' },
      }),
      totalSeconds: { value: Math.max(0, nowMs - this.#startedMs) / 1000, from: 'here' },
      ...(this.hasText && { completionTokens: { value: this.#allTokens(), from: 'estimate' } }),
    };
  }

  #allTokens(): number {
    const before = this.#known === 0 ? 0 : this.#tokens(this.#known);
    return before + (this.#characters === 0 ? 0 : this.#tokens(this.#characters, this.#pieces));
  }

  #tokens(characters: number, pieces?: number): number {
    return tokensIn(characters, pieces, this.#charactersPerToken);
  }
}
