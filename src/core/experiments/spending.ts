import type { Experiment, ExperimentLimit } from './experiment.ts';
import type { RequestForecast } from './experimentForecast.ts';

/** What a request took. Absent figures are counted at what was set aside for them. */
export interface Spent {
  readonly tokens?: number | undefined;
  readonly cost?: number | undefined;
}

/** What earlier runs of an experiment took. */
export interface SpentBefore extends Amount {
  readonly requests: number;
}

interface Amount {
  readonly tokens: number;
  readonly cost: number;
}

const nothing: Amount = { tokens: 0, cost: 0 };
/** Sums of prices have their last digits wrong. */
const ROUNDING = 1 + 1e-9;

/**
 * Keeps an experiment within its limits. Before a request is sent, the most that it can take is set aside, so requests
 * in flight can't pass a limit together. Where nothing says how long a reply can get, the usual length is set aside,
 * or that of the longest so far.
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
   * Sets aside what the request can take. @returns `ok`; `wait` if it might fit once others have ended; or the limit
   * that it would pass
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

  /** It has ended. */
  settle(attempt: string, { tokens, cost }: Spent, replyTokens = 0): void {
    const most = this.#setAside.get(attempt) ?? nothing;
    this.#setAside.delete(attempt);
    this.#tokens += tokens ?? most.tokens;
    this.#cost += cost ?? most.cost;
    this.#longestReply = Math.max(this.#longestReply, replyTokens);
  }

  /** It was never sent after all. */
  giveBack(attempt: string): void {
    if (this.#setAside.delete(attempt)) this.#requests -= 1;
  }

  #mostOf({ promptTokens, replyTokens, maxReplyTokens, cost = 0, maxCost }: RequestForecast): Amount {
    const reply = maxReplyTokens ?? Math.max(replyTokens, this.#longestReply);
    return { tokens: promptTokens + reply, cost: maxCost ?? (replyTokens > 0 ? cost * (reply / replyTokens) : cost) };
  }
}
