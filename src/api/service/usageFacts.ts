/**
 * Whether streamed replies of a model have usage: unasked; only on request, as a first reply without it suggests;
 * on request, as a later one proved; or never, because the request was refused.
 */
export type UsageFact = 'sent' | 'onRequest' | 'given' | 'never';

export interface LearnedUsage {
  readonly is: UsageFact;
  /** Unix time in milliseconds. */
  readonly at: number;
}

/** By model: a gateway has models of many services behind it, and they differ. */
export type UsageByModel = Readonly<Record<string, LearnedUsage>>;

/** As many models of one service are remembered, the latest ones. */
const maxModels = 100;
/** A newer version of a server may take the field: a refusal counts for a week. */
const refusalMs = 7 * 24 * 60 * 60 * 1000;

export function withUsage(known: UsageByModel, model: string, usage: LearnedUsage): UsageByModel {
  const all = Object.entries({ ...known, [model]: usage });
  return Object.fromEntries(all.toSorted(([, a], [, b]) => a.at - b.at).slice(-maxModels));
}

export function usageOf(known: UsageByModel, model: string): UsageFact | undefined {
  return Object.hasOwn(known, model) ? known[model]?.is : undefined;
}

/**
 * Whether usage is to be asked for. A refusal ends that for all models of a service, but where one of them was seen
 * to give it on request: then it ends for the model that refused.
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
