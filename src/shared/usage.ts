import type { ReplyMetrics } from './chat.ts';

/** How fast a model was: of these figures, those that are known. */
export type ModelSpeed = Pick<ReplyMetrics, 'timeToFirstTokenSeconds' | 'tokensPerSecond'>;

/** What a number of requests came to. */
export interface UsageSum {
  readonly requests: number;
  readonly failed: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Currency units of the catalog. */
  readonly cost: number;
  /** Requests with tokens that have no price, so that they are not in `cost`. */
  readonly unpriced: number;
  /** Requests whose tokens were counted from the text; absent for none. */
  readonly estimated?: number;
  /** Those of them that are in `cost`; absent for none. */
  readonly estimatedCosts?: number;
  /** Medians, each marked as the least certain of the figures behind it. */
  readonly speed: ModelSpeed;
}

export interface UsageRow extends UsageSum {
  /** Empty for requests of no model. */
  readonly model: string;
}

export interface UsageDay extends UsageSum {
  /** `2030-01-31`. */
  readonly day: string;
}

export type UsageRange = 'today' | 'week' | 'month' | 'all';

/** Everything the usage page draws. */
export interface UsageView {
  readonly today: UsageSum;
  /** Currency units a day, where the person has set a budget. */
  readonly budget?: number;
  /** The last 30 days, the oldest first, those without a request too. */
  readonly days: readonly UsageDay[];
  /** By model, the most used first. */
  readonly ranges: Readonly<Record<UsageRange, readonly UsageRow[]>>;
}

export type UsageToPage = { readonly type: 'usage'; readonly usage: UsageView };
export type UsageToHost = { readonly type: 'ready' };
