import type { Experiment, ExperimentLimit } from './experiment.ts';
import type { RequestForecast } from './experimentForecast.ts';

/** What a request used. Absent figures count with the amount reserved for them. */
export interface Spent {
  readonly tokens?: number | undefined;
  readonly cost?: number | undefined;
}

/** What earlier runs of an experiment used. */
export interface SpentBefore extends Amount {
  readonly requests: number;
}

interface Amount {
  readonly tokens: number;
  readonly cost: number;
}

const nothing: Amount = { tokens: 0, cost: 0 };
/** Sums of prices have rounding errors in their last digits. */
const ROUNDING = 1 + 1e-9;

/**
 * Keeps an experiment within its limits. Before a request is sent, the most that it can use is reserved, so that
 * requests in flight can't exceed a limit together. If the length of replies isn't limited, that's the service's usual
 * maximum, or the longest reply so far.
 */
export class Spending {
  readonly #limits: Experiment['limits'];
  readonly #setAside = new Map<string, Amount>();
  #requests: number;
  #tokens: number;
  #cost: number;
  #longestReply = 0;

  constructor(limits: Experiment['limits'], before: SpentBefore) {
    this.#limits = limits;
    this.#requests = before.requests;
    this.#tokens = before.tokens;
    this.#cost = before.cost;
  }

  /**
   * Reserves what the request can use.
   * @returns `ok`; `wait` if it might fit once others have ended; or the limit that it would exceed
   */
  take(attempt: string, forecast: RequestForecast): 'ok' | 'wait' | ExperimentLimit {
    const most = this.#mostOf(forecast);
    const others = [...this.#setAside.values()];
    const { requests, tokens, cost } = this.#limits;
    if (requests !== undefined && this.#requests >= requests) return 'requests';
    const isOver = (name: keyof Amount, limit: number | undefined, spent: number): boolean =>
      limit !== undefined && spent + others.reduce((sum, other) => sum + other[name], most[name]) > limit * ROUNDING;
    const over = isOver('tokens', tokens, this.#tokens)
      ? 'tokens'
      : isOver('cost', cost, this.#cost)
        ? 'cost'
        : undefined;
    if (over !== undefined) return others.length > 0 ? 'wait' : over;
    this.#requests += 1;
    this.#setAside.set(attempt, most);
    return 'ok';
  }

  /** The request has ended. */
  settle(attempt: string, { tokens, cost }: Spent, replyTokens = 0): void {
    const most = this.#setAside.get(attempt) ?? nothing;
    this.#setAside.delete(attempt);
    this.#tokens += tokens ?? most.tokens;
    this.#cost += cost ?? most.cost;
    this.#longestReply = Math.max(this.#longestReply, replyTokens);
  }

  /** The request was never sent. */
  giveBack(attempt: string): void {
    if (this.#setAside.delete(attempt)) this.#requests -= 1;
  }

  #mostOf({ most }: RequestForecast): Amount {
    const { promptTokens, replyTokens, isLimited, pricePerReplyToken } = most;
    const reply = isLimited ? replyTokens : Math.max(replyTokens, this.#longestReply);
    return {
      tokens: promptTokens + reply,
      cost: most.cost + (reply - replyTokens) * pricePerReplyToken,
    };
  }
}
