import { mapTable } from '../../shared/mapTable.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import type { UsageOfService, UsageRange, UsageRow, UsageSum, UsageView } from '../../shared/usage.ts';
import { hasSeveralServices, serviceName, serviceNames } from '../../words/modelLabel.ts';
import { medianSpeed } from '../models/measuredModel.ts';
import { addSum, emptySum, isBlindModel, type RequestDigest, type RequestSum } from './requestDigest.ts';

const daysIn: Readonly<Record<Exclude<UsageRange, 'all'>, number>> = { today: 1, week: 7, month: 30 };

/** The key of all blind questions together. */
const blind = Symbol('blind');

/** The budget of a service: its ID, and currency units per day. */
export interface BudgetOfService {
  readonly service: string;
  readonly budget: number;
}

/** @param days the last 30 days as `2030-01-31`, oldest first, today last. */
export function usageView(
  digest: RequestDigest,
  days: readonly string[],
  budget: number | null,
  serviceBudgets: readonly BudgetOfService[] = [],
): UsageView {
  const today = days.at(-1) ?? '';
  const ranges: Readonly<Record<UsageRange, readonly string[]>> = {
    today: days.slice(-daysIn.today),
    week: days.slice(-daysIn.week),
    month: days.slice(-daysIn.month),
    all: Object.keys(digest),
  };
  const isPlural = hasSeveralServices() || sumsBy(digest, ranges.all, (model) => refParts(model).service).size > 1;
  return {
    today: usageOn(digest, today),
    ...(budget !== null && { budget }),
    ...(serviceBudgets.length > 0 && {
      serviceBudgets: serviceBudgets.map(({ service, budget: most }) => ({
        name: isPlural ? serviceName(service) : '',
        today: usageOn(digest, today, service),
        budget: most,
      })),
    }),
    days: days.map((day) => ({ day, ...usageOn(digest, day) })),
    ranges: mapTable(ranges, (range) => rowsOf(digest, range)),
    ...(isPlural && { services: mapTable(ranges, (range) => serviceRows(digest, range)) }),
  };
}

/**
 * All requests of one day.
 * @param service ID of a single service, without blind questions that might be another one's; all of them by default
 */
export function usageOn(digest: RequestDigest, day: string, service?: string): UsageSum {
  const sum = emptySum();
  const models = digest[day] ?? {};
  const hasBlind = service === undefined || isOnlyService(service, Object.keys(models));
  for (const [model, one] of Object.entries(models)) {
    if (isBlindModel(model) ? hasBlind : service === undefined || refParts(model).service === service) {
      addSum(sum, one);
    }
  }
  return usageSum(sum);
}

/** Then blind questions went to it, too. @param models that were asked */
function isOnlyService(service: string, models: readonly ModelRef[]): boolean {
  const [only, ...others] = Object.keys(serviceNames());
  return (
    only === service &&
    others.length === 0 &&
    models.every((model) => isBlindModel(model) || refParts(model).service === service)
  );
}

/** Whether spending this much more today would exceed a budget. @param costs by the IDs of services */
export function exceedsBudget(
  digest: RequestDigest,
  day: string,
  costs: ReadonlyMap<string, number>,
  budget: number | null,
  serviceBudgets: readonly BudgetOfService[],
): boolean {
  const total = [...costs.values()].reduce((sum, cost) => sum + cost, 0);
  return (
    (budget !== null && usageOn(digest, day).cost + total > budget) ||
    serviceBudgets.some(({ service, budget: most }) => {
      const cost = costs.get(service);
      return cost !== undefined && usageOn(digest, day, service).cost + cost > most;
    })
  );
}

function rowsOf(digest: RequestDigest, days: readonly string[]): readonly UsageRow[] {
  const sums = sumsBy(digest, days, (model) => (isBlindModel(model) ? blind : model));
  return byUse(
    [...sums].map(([model, sum]) =>
      model === blind ? { model: '', isBlind: true, ...usageSum(sum) } : { model, ...usageSum(sum) },
    ),
    ({ model }) => model,
  );
}

function serviceRows(digest: RequestDigest, days: readonly string[]): readonly UsageOfService[] {
  const sums = sumsBy(digest, days, serviceOfKey);
  return byUse(
    [...sums].map(([service, sum]) =>
      service === blind
        ? { name: '', isBlind: true, ...usageSum(sum) }
        : { name: serviceName(service), ...usageSum(sum) },
    ),
    ({ name }) => name,
  );
}

/** Even the service might reveal the model of a blind question. */
function serviceOfKey(model: ModelRef): string | typeof blind {
  return isBlindModel(model) ? blind : refParts(model).service;
}

function sumsBy<Key>(
  digest: RequestDigest,
  days: readonly string[],
  keyOf: (model: ModelRef) => Key,
): ReadonlyMap<Key, RequestSum> {
  const sums = new Map<Key, RequestSum>();
  for (const day of days) {
    for (const [model, one] of Object.entries(digest[day] ?? {})) {
      const key = keyOf(model);
      const sum = sums.get(key) ?? emptySum();
      addSum(sum, one);
      sums.set(key, sum);
    }
  }
  return sums;
}

/** Most used first, in a stable order. */
function byUse<Row extends UsageSum>(rows: readonly Row[], nameOf: (row: Row) => string): readonly Row[] {
  return rows.toSorted((a, b) => b.requests - a.requests || (nameOf(a) < nameOf(b) ? -1 : 1));
}

function usageSum({ speeds, replies: _replies, replyTokens: _tokens, ...sum }: RequestSum): UsageSum {
  return { ...sum, speed: medianSpeed(speeds) };
}
