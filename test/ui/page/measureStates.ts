import type { MeasureProgress, MeasureSnapshot } from '../../../src/shared/protocol/measureProtocol.ts';
import type { DotView, MeasuredGroup, MeasuredResult, MeasureForm, SpreadView } from '../../../src/shared/measuring.ts';

const models = ['kestrel/sparrow', 'northwind/gale-32b-instruct', 'harbor/quill-70b'] as const;
const loads = [1, 4, 16, 32];
const today = new Date();
const at = new Date(today.getFullYear(), today.getMonth(), today.getDate(), 0, 1).getTime();

const form: MeasureForm = {
  models: models.map((id) => ({ id })),
  workload: 'shortQuestion',
  ownText: '',
  usesUniquePrefix: true,
  order: 'oneAfterAnother',
  fields: {
    repeats: '20',
    warmUp: '1',
    concurrency: '1, 4, 16, 32',
    maxTokens: '256',
    goodFirstSeconds: '0.5',
    goodPerTokenMs: '',
    goodTotalSeconds: '',
    limitRequests: '',
    limitTokens: '',
    limitCost: '',
    limitMinutes: '',
  },
};

const plan: MeasureSnapshot['plan'] = {
  estimate: { requests: 240, tokens: 184_000, cost: 0.11, isCostAtLeast: false },
  faults: [],
  taken: {},
  isOverBudget: false,
};

/** Between -1 and 1, always the same. */
function noise(seed: number): number {
  return Math.sin(seed * 12.9898) * 0.6 + Math.sin(seed * 78.233) * 0.4;
}

function spreadOf(values: readonly number[]): SpreadView {
  const sorted = values.toSorted((a, b) => a - b);
  const point = (share: number) => sorted[Math.min(sorted.length - 1, Math.round(share * (sorted.length - 1)))] ?? 0;
  return {
    count: sorted.length,
    median: point(0.5),
    p90: point(0.9),
    p95: point(0.95),
    p99: point(0.99),
    iqr: point(0.75) - point(0.25),
    ...(sorted.length >= 5 && { interval: { low: point(0.32), high: point(0.68) } }),
  };
}

function group(model: number, load: number, count: number, slow = 1): MeasuredGroup {
  const first = [180, 320, 610][model]! * (1 + Math.log2(load) * 0.12) * slow;
  const rate = [118, 84, 51][model]! / (1 + Math.log2(load) * 0.04);
  const failed = model === 2 && load === 32 ? 2 : 0;
  const dots: DotView[] = Array.from({ length: count - failed }, (_, index) => {
    const seed = index + 10 * model + load;
    const firstMs = first * (1 + 0.12 * noise(seed));
    const tokensPerSecond = rate * (1 + 0.05 * noise(seed + 3));
    return { attempt: `a${seed}`, firstMs, tokensPerSecond, endToEndMs: firstMs + 255_000 / tokensPerSecond };
  });
  const of = (name: 'firstMs' | 'tokensPerSecond' | 'endToEndMs') => spreadOf(dots.flatMap((dot) => dot[name] ?? []));
  const perToken = spreadOf(dots.map(({ tokensPerSecond = 1 }) => 1000 / tokensPerSecond));
  return {
    model,
    load,
    done: count - failed,
    incomplete: 0,
    stopped: 0,
    failed,
    failures: failed === 0 ? [] : [{ title: 'The service is overloaded', count: failed }],
    spreads: {
      firstMs: of('firstMs'),
      // The slow end, as the host sends it.
      tokensPerSecond: {
        ...of('tokensPerSecond'),
        p90: 1000 / perToken.p90,
        p95: 1000 / perToken.p95,
        p99: 1000 / perToken.p99,
      },
      endToEndMs: of('endToEndMs'),
      perTokenMs: perToken,
      gapMs: perToken,
    },
    requestsPerSecond: (load / of('endToEndMs').median) * 900,
    overallTokensPerSecond: rate * load * 0.9,
    goodRequestsPerSecond: (load / of('endToEndMs').median) * 700,
    costPer1000: [0.15, 0.31, 0.92][model]!,
    isEstimate: false,
    service: { firstMs: first * 0.97, endToEndMs: of('endToEndMs').median, tokensPerSecond: rate, isOff: model === 2 },
    dots: [
      ...dots,
      ...Array.from({ length: failed }, (_, index) => ({ attempt: `f${index}`, failure: 'The service is overloaded' })),
    ],
  };
}

function result(changes: Partial<MeasuredResult> = {}, count = 20): MeasuredResult {
  return {
    id: 'measurement-2',
    at,
    endedAt: at + 314_000,
    tookMs: 314_000,
    host: 'inference.example',
    models: form.models,
    loads,
    repeats: count,
    workload: 'shortQuestion',
    promptTokens: 512,
    maxTokens: 256,
    hasTarget: true,
    order: 'oneAfterAnother',
    ended: 240,
    planned: 240,
    open: 0,
    mightBeCharged: 0,
    cost: 0.11,
    isCostAtLeast: false,
    isCostEstimate: false,
    notes: [],
    groups: models.flatMap((_, model) => loads.map((load) => group(model, load, count))),
    ...changes,
  };
}

const weekBefore = at - 7 * 86_400_000;
const runs: MeasureSnapshot['runs'] = [
  { id: 'measurement-2', at, models },
  { id: 'measurement-1', at: weekBefore, models },
];
const former = result({
  id: 'measurement-1',
  at: weekBefore,
  groups: models.flatMap((_, model) => loads.map((load) => group(model, load, 20, model === 1 ? 0.7 : 1.02))),
});

const progress: MeasureProgress = {
  ended: 128,
  planned: 240,
  model: 'northwind/gale-32b-instruct',
  load: 16,
  isWarmUp: false,
  startedAt: at,
  millisecondsLeft: 160_000,
  cost: 0.03,
  isCostAtLeast: false,
  isCostEstimate: true,
  failed: 0,
};

const base: MeasureSnapshot = { form, plan, runs };

/** The states that `?state=` can show. */
export const measureStates: Readonly<Record<string, () => MeasureSnapshot>> = {
  empty: () => ({
    form: { ...form, models: [] },
    plan: { faults: [{ at: 'models', text: 'Add at least one model.' }], taken: {}, isOverBudget: false },
    runs: [],
  }),
  faults: () => ({
    form: { ...form, workload: 'promptFile', fields: { ...form.fields, repeats: '0', concurrency: '1, x' } },
    plan: {
      faults: [
        { at: 'repeats', text: 'A whole number from 1 to 10,000' },
        { at: 'concurrency', text: 'A whole number from 1 to 256' },
        { at: 'prompt', text: 'Enter or select what each request asks.' },
      ],
      taken: { promptFile: 'review' },
      isOverBudget: false,
    },
    runs: [],
  }),
  overBudget: () => ({
    ...base,
    plan: { ...plan, estimate: { requests: 240, tokens: 184_000, cost: 12, isCostAtLeast: true }, isOverBudget: true },
    runs: [],
  }),
  running: () => ({
    ...base,
    progress,
    result: result({
      notes: [],
      groups: result().groups.filter(({ model, load }) => model === 0 || (model === 1 && load < 16)),
    }),
  }),
  paused: () => ({ ...base, progress: { ...progress, failed: 1, pausedUntil: Date.now() + 30_000 } }),
  finished: () => ({ ...base, result: result() }),
  // The fake host names two services for this one.
  twoServices: () => {
    const both = ['kestrel/sparrow', 'home::kestrel/sparrow', 'harbor/quill-70b'].map((id) => ({ id }));
    return {
      form: { ...form, models: both },
      plan,
      runs: [...runs, { id: 'measurement-0', at: weekBefore, models: ['home::kestrel/sparrow'] }],
      result: result({ models: both }),
    };
  },
  compared: () => ({
    ...base,
    result: result(),
    comparison: {
      former,
      models: models.flatMap((_, model) =>
        loads.map((load) => ({
          model,
          former: model,
          load,
          verdicts: {
            firstMs: { kind: model === 1 ? 'slower' : 'unclear', change: [0.04, 0.38, -0.03][model]! } as const,
          },
        })),
      ),
    },
  }),
  notComparable: () => ({
    ...base,
    result: result(),
    comparison: { former, notComparable: 'Not comparable: the prompt differs', models: [] },
  }),
  stopped: () => ({
    ...base,
    result: result({
      ended: 128,
      open: 112,
      heldUpMs: 31,
      isCostAtLeast: true,
      isCostEstimate: true,
      notes: ['Stopped at 128 of 240 requests.'],
      groups: result({}, 4).groups.filter(({ load }) => load < 16),
    }),
  }),
  allFailed: () => ({
    ...base,
    result: result({
      ended: 3,
      open: 0,
      groups: [],
      cost: 0,
      notes: ['Nothing more was sent to harbor/quill-70b: Out of credits. Add credits.'],
    }),
  }),
};
