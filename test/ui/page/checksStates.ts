import type { CheckCellView, CheckDetailView, CheckRowView, ChecksView } from '../../../src/shared/checks.ts';

const cell = (passed: number, counted = 3): CheckCellView => ({
  state: passed === counted ? 'passed' : passed === 0 ? 'failed' : 'flaky',
  passed,
  counted,
});
const row = (id: string, ...passed: readonly number[]) => ({ id, name: id, cells: passed.map((each) => cell(each)) });
const column = (model: string, passed: number, firstMs: number, totalMs: number, costPerThousand: number) => ({
  key: model,
  model,
  passed,
  counted: 24,
  undecided: 0,
  passesAll: passed === 24,
  isFinished: true,
  firstMs,
  totalMs,
  costPerThousand,
  isEstimate: false,
});

const run: ChecksView = {
  files: [
    {
      uri: 'file:///w/fix.checks.yaml',
      name: 'fix.checks.yaml',
      rows: [
        row('Removes every finished task', 3, 3, 3, 3),
        row('Keeps the order', 3, 3, 3, 3),
        row('Changes nothing else', 3, 3, 2, 1),
        row('Compiles without errors', 3, 3, 3, 2),
        row('Replies with code only', 3, 3, 3, 0),
      ],
    },
    {
      uri: 'file:///w/commit.checks.yaml',
      name: 'commit.checks.yaml',
      rows: [
        row('First line under 72 characters', 3, 3, 3, 3),
        row('Names the changed function', 3, 3, 2, 2),
        row('Uses the imperative', 3, 3, 3, 3),
      ],
    },
  ],
  columns: [
    column('northwind/gale-32b-instruct', 24, 320, 2200, 0.21),
    column('harbor/quill-70b', 24, 610, 3700, 0.64),
    column('kestrel/sparrow', 22, 180, 1500, 0.11),
    column('northwind/breeze-3b', 17, 60, 490, 0.04),
  ],
  order: 'cheapest',
  isRunning: false,
  cost: 0.02,
  isCostAtLeast: false,
  isCostEstimate: false,
  repeat: [3, 3],
};

const running: ChecksView = {
  ...run,
  files: run.files.map((file, at) => ({
    ...file,
    rows: file.rows.map((each, index) => ({
      ...each,
      cells: each.cells.map((known, place): CheckCellView => {
        if (at === 0 && index < 2) return known;
        return place === 0 ? { state: 'running', passed: 1, counted: 1 } : { state: 'none', passed: 0, counted: 0 };
      }),
      ...(index === 4 && { notRun: '"python" runs code, which Parlance never does. This case isn\'t run.' }),
    })),
  })),
  isRunning: true,
  isCostAtLeast: true,
};

const none: CheckCellView = { state: 'none', passed: 0, counted: 0 };
const unlisted: CheckCellView = { state: 'unlisted', passed: 0, counted: 0 };
const unknown = (passed: number): CheckCellView => ({ state: 'undecided', passed, counted: passed });

/** Eight models: two that couldn't finish, one of which was never reached, and one that only another file names. */
const many: ChecksView = {
  ...run,
  repeat: [2, 3],
  files: [
    {
      uri: 'file:///w/fix.checks.yaml',
      name: 'fix.checks.yaml',
      rows:
        run.files[0]?.rows.map((each, at): CheckRowView => {
          const last = [unknown(at < 1 ? 2 : 0), unknown(0), none, unlisted];
          return at === 3
            ? {
                ...each,
                cells: [...each.cells.map(() => none), ...last.slice(2), none, unlisted],
                notRun: '"lost.ts" doesn\'t exist.',
              }
            : { ...each, cells: [...each.cells, ...last] };
        }) ?? [],
    },
    {
      uri: 'file:///w/commit.checks.yaml',
      name: 'commit.checks.yaml',
      rows: (run.files[1]?.rows ?? []).map((each, at): CheckRowView => ({
        ...each,
        cells: [...each.cells, unlisted, unlisted, none, cell(at === 0 ? 3 : 0)],
      })),
    },
  ],
  columns: [
    ...run.columns,
    {
      ...column('meridian/atlas-vision-preview-2026-10-31', 2, 170, 170, 0.32),
      counted: 2,
      undecided: 13,
      isFinished: false,
    },
    {
      key: 'harbor/quill-405b',
      model: 'harbor/quill-405b',
      passed: 0,
      counted: 0,
      undecided: 15,
      passesAll: false,
      isFinished: false,
      isEstimate: false,
    },
    {
      key: 'kestrel/wren',
      model: 'kestrel/wren',
      passed: 0,
      counted: 0,
      undecided: 0,
      passesAll: false,
      isFinished: false,
      isEstimate: false,
    },
    { ...column('tiny', 3, 20, 90, 0.01), counted: 9 },
  ],
};

/** Another result for the cell that tests open, with the columns in another order. */
const rerun = (result: CheckCellView): ChecksView => ({
  ...run,
  columns: run.columns.toReversed(),
  files: run.files.map((file) => ({
    ...file,
    rows: file.rows.map((each) => ({
      ...each,
      cells: each.cells
        .map((known, at) => (each.id === 'Changes nothing else' && at === 2 ? result : known))
        .toReversed(),
    })),
  })),
});

export const checksStates: Readonly<Record<string, ChecksView>> = {
  starting: { ...run, isStarting: true },
  run,
  better: rerun(cell(3)),
  changed: rerun(none),
  many,
  running,
  waiting: { ...running, waitsUntil: Date.UTC(2026, 10, 21, 12, 5) },
  nobody: {
    ...run,
    columns: run.columns.slice(2).map((each) => ({ ...each, passesAll: false })),
    files: run.files.map((file) => ({
      ...file,
      rows: file.rows.map((each) => ({
        ...each,
        cells: each.cells
          .slice(2)
          .map((known, at) => (at === 1 ? { state: 'undecided' as const, passed: 0, counted: 0 } : known)),
      })),
    })),
  },
  estimated: {
    ...run,
    isCostEstimate: true,
    columns: run.columns.map((each, at) => ({ ...each, isEstimate: at === 1 })),
  },
  partly: {
    ...run,
    columns: run.columns.slice(0, 1).map((each) => ({ ...each, passesAll: false, isFinished: false })),
  },
  best: { ...run, columns: run.columns.slice(0, 1) },
  empty: { ...run, files: [], columns: [], cost: 0 },
  gone: { ...run, files: [], columns: [], cost: 0, gone: 'src/fix.checks.yaml' },
};

export const sampleDetail: Omit<CheckDetailView, 'uri' | 'caseId' | 'key'> = {
  file: 'commit.checks.yaml',
  name: 'Names the changed function',
  model: 'kestrel/sparrow',
  runs: [
    {
      state: 'passed',
      totalMs: 1500,
      tokens: 412,
      cost: 0.0001,
      isEstimate: false,
      faults: [],
      reply: 'Fix removeDone',
      attempt: 'a1',
    },
    {
      state: 'failed',
      totalMs: 1600,
      tokens: 433,
      cost: 0.00011,
      isEstimate: true,
      faults: [{ text: 'contains "removeDone"', line: 14 }],
      reply: 'Fix loop that skipped finished tasks\n\nFilter into a new array instead of splicing.',
      attempt: 'a2',
    },
    {
      state: 'failed',
      totalMs: 1600,
      isEstimate: false,
      faults: [{ text: 'equals "one\\ntwo"', line: 16 }],
      reply: 'one\nthree',
      diff: {
        expected: [
          { text: 'one', isChanged: false },
          { text: 'two', isChanged: true },
        ],
        actual: [
          { text: 'one', isChanged: false },
          { text: 'three', isChanged: true },
        ],
      },
      attempt: 'a3',
    },
  ],
};
