/**
 * Whether streamed replies of a model contain usage: without asking; on request, as a first reply without usage
 * suggests; on request, as a later reply proved; or never, because the request was refused.
 */
export type UsageFact = 'sent' | 'onRequest' | 'given' | 'never';

export interface LearnedUsage {
  readonly is: UsageFact;
  /** Unix time in milliseconds. */
  readonly at: number;
}

/** By model, because a gateway forwards to many services that behave differently. */
export type UsageByModel = Readonly<Record<string, LearnedUsage>>;

/** The number of models remembered per service, most recent ones. */
const maxModels = 100;
/** A newer version of a server might support the field, so a refusal only counts for a week. */
const refusalMs = 7 * 24 * 60 * 60 * 1000;

export function withUsage(known: UsageByModel, model: string, usage: LearnedUsage): UsageByModel {
  const all = Object.entries({ ...known, [model]: usage });
  return Object.fromEntries(all.toSorted(([, a], [, b]) => a.at - b.at).slice(-maxModels));
}

export function usageOf(known: UsageByModel, model: string): UsageFact | undefined {
  return Object.hasOwn(known, model) ? known[model]?.is : undefined;
}

/**
 * Whether to ask for usage. A refusal stops this for all models of a service, unless one of them has sent usage on
 * request: then only for the model that refused.
 */
export function asksForUsage(known: UsageByModel, model: string, nowMs: number): boolean {
  switch (usageOf(known, model)) {
    case undefined:
    case 'sent':
      return false;
    case 'given':
      return true;
    case 'never':
      return !isRefused(known[model], nowMs);
    case 'onRequest': {
      const others = Object.values(known);
      return others.some(({ is }) => is === 'given') || !others.some((other) => isRefused(other, nowMs));
    }
  }
}

function isRefused(usage: LearnedUsage | undefined, nowMs: number): boolean {
  return usage?.is === 'never' && nowMs - usage.at < refusalMs;
}
