import type { UsageRange, UsageRow, UsageSum, UsageView } from '../../shared/usage.ts';
import { medianSpeed } from '../models/measuredModel.ts';
import { addSum, emptySum, type RequestDigest, type RequestSum } from './requestDigest.ts';

const daysIn: Readonly<Record<Exclude<UsageRange, 'all'>, number>> = { today: 1, week: 7, month: 30 };

/** @param days the last 30 days as `2030-01-31`, oldest first, today last. */
export function usageView(digest: RequestDigest, days: readonly string[], budget: number | null): UsageView {
  const rows = (range: readonly string[]): readonly UsageRow[] => rowsOf(digest, range);
  return {
    today: usageOn(digest, days.at(-1) ?? ''),
    ...(budget !== null && { budget }),
    days: days.map((day) => ({ day, ...usageOn(digest, day) })),
    ranges: {
      today: rows(days.slice(-daysIn.today)),
      week: rows(days.slice(-daysIn.week)),
      month: rows(days.slice(-daysIn.month)),
      all: rows(Object.keys(digest)),
    },
  };
}

/** All requests of one day. */
export function usageOn(digest: RequestDigest, day: string): UsageSum {
  const sum = emptySum();
  for (const one of Object.values(digest[day] ?? {})) addSum(sum, one);
  return usageSum(sum);
}

function rowsOf(digest: RequestDigest, days: readonly string[]): readonly UsageRow[] {
  const byModel = new Map<string, RequestSum>();
  for (const day of days) {
    for (const [model, one] of Object.entries(digest[day] ?? {})) {
      const sum = byModel.get(model) ?? emptySum();
      addSum(sum, one);
      byModel.set(model, sum);
    }
  }
  return [...byModel]
    .map(([model, sum]) => ({ model, ...usageSum(sum) }))
    .sort((a, b) => b.requests - a.requests || (a.model < b.model ? -1 : 1));
}

function usageSum({ speeds, priced: _priced, ...sum }: RequestSum): UsageSum {
  return { ...sum, speed: medianSpeed(speeds) };
}
