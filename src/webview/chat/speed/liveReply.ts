import type { ReplyMetrics } from '../../../shared/chat.ts';
import { estimatedTokens, usualCharactersPerToken } from '../../../words/tokens.ts';

// Below this the rate is noise.
const SHORTEST_RATED_MS = 400;

/**
 * The speed of a reply that still runs, as the page sees it. All moments are milliseconds of one
 * monotonic clock. The final numbers come from the host.
 */
export class LiveReply {
  #startedMs: number;
  #firstMs: number | undefined;
  #lastMs: number;
  #known: number;
  readonly #charactersPerToken: number;
  #characters = 0;
  #rated = 0;

  /**
   * @param startedMs when the request was made.
   * @param characters what had been written before the page looked: its speed is not known.
   */
  constructor(startedMs: number, nowMs: number, characters: number, charactersPerToken = usualCharactersPerToken) {
    this.#charactersPerToken = charactersPerToken;
    this.#startedMs = startedMs;
    this.#lastMs = nowMs;
    this.#known = characters;
  }

  /** A new attempt: the wait before it is not the model's. */
  restarted(atMs: number): void {
    this.#startedMs = atMs;
    this.#lastMs = atMs;
    this.#firstMs = undefined;
    this.#characters = 0;
    this.#rated = 0;
  }

  grew(characters: number, atMs: number): void {
    // The first text starts the watch, so it is not part of what was written while it ran.
    if (this.#firstMs === undefined) this.#firstMs = atMs;
    else this.#rated += characters;
    this.#characters += characters;
    this.#lastMs = atMs;
  }

  /** False until the first text. */
  get hasText(): boolean {
    return this.#known + this.#characters > 0;
  }

  /** How long nothing has come. */
  silentMs(nowMs: number): number {
    return nowMs - this.#lastMs;
  }

  metrics(nowMs: number): ReplyMetrics {
    const characters = this.#known + this.#characters;
    const writingMs = this.#firstMs === undefined ? 0 : nowMs - this.#firstMs;
    const rated = writingMs >= SHORTEST_RATED_MS && this.#rated > 0;
    return {
      ...(this.#firstMs !== undefined &&
        this.#known === 0 && {
          timeToFirstTokenSeconds: { value: (this.#firstMs - this.#startedMs) / 1000, from: 'here' },
        }),
      ...(rated && {
        tokensPerSecond: { value: (this.#rated / this.#charactersPerToken / writingMs) * 1000, from: 'estimate' },
      }),
      totalSeconds: { value: Math.max(0, nowMs - this.#startedMs) / 1000, from: 'here' },
      ...(characters > 0 && {
        completionTokens: { value: estimatedTokens(characters, this.#charactersPerToken), from: 'estimate' },
      }),
    };
  }
}
