import type { UsageDay, UsageRow, UsageSum, UsageView } from '../../../src/shared/usage.ts';

const none: UsageSum = {
  requests: 0,
  failed: 0,
  promptTokens: 0,
  completionTokens: 0,
  cost: 0,
  unpriced: 0,
  speed: {},
};
const some: UsageSum = {
  requests: 1234,
  failed: 12,
  promptTokens: 3_456_789,
  completionTokens: 456_789,
  cost: 12.34,
  unpriced: 3,
  speed: {
    timeToFirstTokenSeconds: { value: 0.31, from: 'here' },
    tokensPerSecond: { value: 84.2, from: 'service' },
  },
};

const days: readonly UsageDay[] = Array.from({ length: 30 }, (_, index) => ({
  day: `2030-04-${String(index + 1).padStart(2, '0')}`,
  ...(index % 4 === 3 ? none : { ...some, requests: index * 3 + 1, promptTokens: index * 100_000, cost: index / 10 }),
}));

const rows: readonly UsageRow[] = [
  { model: 'maker/a-model-with-a-name-that-is-longer-than-its-column-ever-will-be', ...some },
  { model: 'local/writer', ...some, requests: 7, failed: 0, unpriced: 0, cost: 0.004 },
  { model: '', ...none, requests: 3 },
];
const ranges = { today: rows.slice(1), week: rows, month: rows, all: rows };

/** The states of the usage page that `?state=` can show. */
export const usageStates: Readonly<Record<string, () => UsageView>> = {
  used: () => ({ today: some, budget: 20, days, ranges }),
  // Partly from a service that doesn't count tokens.
  estimated: () => {
    const speed = { tokensPerSecond: { value: 84.2, from: 'estimate' } } as const;
    const estimatedToday = { ...some, estimated: 9, estimatedCosts: 9, speed };
    const [first, ...others] = days;
    return {
      today: estimatedToday,
      days: first === undefined ? [] : [...others, { ...first, ...estimatedToday }],
      ranges: { ...ranges, month: [{ model: 'local/writer', ...estimatedToday }, ...rows.slice(2)] },
    };
  },
  services: () => {
    const long = 'The hosted service of a customer with quite a long name';
    const byService = [
      { name: long, ...some },
      { name: 'My machine', ...some, requests: 7, failed: 0, unpriced: 0, cost: 0 },
    ];
    return {
      today: some,
      serviceBudgets: [
        { name: long, today: some, budget: 20 },
        { name: 'My machine', today: { ...none, cost: 3 }, budget: 2 },
      ],
      days,
      ranges,
      services: { today: byService, week: byService, month: byService, all: byService },
    };
  },
  overBudget: () => ({ today: some, budget: 2, days, ranges: { ...ranges, month: [] } }),
  empty: () => ({
    today: none,
    days: days.map(({ day }) => ({ day, ...none })),
    ranges: { today: [], week: [], month: [], all: [] },
  }),
};
