import type { CheckCellView, CheckDetailView, ChecksView } from '../../../src/shared/checks.ts';

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
  passesAll: passed === 24,
  firstMs,
  totalMs,
  costPerThousand,
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
  repeat: 3,
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

export const checksStates: Readonly<Record<string, ChecksView>> = {
  run,
  running,
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
  empty: { ...run, files: [], columns: [], cost: 0 },
};

export const sampleDetail: Omit<CheckDetailView, 'uri' | 'caseId' | 'key'> = {
  file: 'commit.checks.yaml',
  name: 'Names the changed function',
  model: 'kestrel/sparrow',
  runs: [
    { state: 'passed', totalMs: 1500, tokens: 412, cost: 0.0001, faults: [], reply: 'Fix removeDone', attempt: 'a1' },
    {
      state: 'failed',
      totalMs: 1600,
      tokens: 433,
      cost: 0.00011,
      faults: [{ text: 'contains "removeDone"', line: 14 }],
      reply: 'Fix loop that skipped finished tasks\n\nFilter into a new array instead of splicing.',
      attempt: 'a2',
    },
    {
      state: 'failed',
      totalMs: 1600,
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
