import type { ModelRef } from './modelRef.ts';
import type { ReplyMetrics } from './chat.ts';

/** How fast a model was, with the figures that are known. */
export type ModelSpeed = Pick<ReplyMetrics, 'timeToFirstTokenSeconds' | 'tokensPerSecond'>;

/** Totals of several requests. */
export interface UsageSum {
  readonly requests: number;
  readonly failed: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** In the currency of the model list. */
  readonly cost: number;
  /** Requests that `cost` lacks, although they might have been charged. */
  readonly unpriced: number;
  /** Requests whose tokens were estimated from the text; absent for none. */
  readonly estimated?: number;
  /** Those of them that `cost` includes; absent for none. */
  readonly estimatedCosts?: number;
  /** Medians, each marked like the least certain figure behind it. */
  readonly speed: ModelSpeed;
}

export interface UsageRow extends UsageSum {
  /** Empty for requests without a model, and for blind questions. */
  readonly model: ModelRef;
  /** All blind questions that nobody has voted on. */
  readonly isBlind?: true;
}

/** What one service was used for. */
export interface UsageOfService extends UsageSum {
  /** Empty for blind questions. */
  readonly name: string;
  /** All blind questions that nobody has voted on. */
  readonly isBlind?: true;
}

/** A budget of one service's own. */
export interface ServiceBudget {
  /** Empty where only one service could be meant. */
  readonly name: string;
  /** Today's total of its requests. */
  readonly today: UsageSum;
  /** Currency units a day. */
  readonly budget: number;
}

export interface UsageDay extends UsageSum {
  /** `2030-01-31`. */
  readonly day: string;
}

export type UsageRange = 'today' | 'week' | 'month' | 'all';

/** Everything the usage page draws. */
export interface UsageView {
  readonly today: UsageSum;
  /** Currency units per day, if the user has set a budget. */
  readonly budget?: number;
  /** For services with their own; absent for none. */
  readonly serviceBudgets?: readonly ServiceBudget[];
  /** The last 30 days, oldest first, including those without a request. */
  readonly days: readonly UsageDay[];
  /** By model, most used first. */
  readonly ranges: Readonly<Record<UsageRange, readonly UsageRow[]>>;
  /** By service, the most used first; absent while there's only one. */
  readonly services?: Readonly<Record<UsageRange, readonly UsageOfService[]>>;
}
