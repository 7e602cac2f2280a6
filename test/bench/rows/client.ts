import { createParser } from 'eventsource-parser';
import { ClientBench, type ClientName, clientLabels, clientNames } from '../client/clientBench.ts';
import type { ClientReport } from '../client/clientProcess.ts';
import { type Mode, type Workload, workloadOf } from '../client/workload.ts';
import { type BenchRun, figure, type Figure, median, ratios, type RowSet, takeTurns } from '../figure.ts';

type TableClient = (typeof clientNames)[number];

interface Case {
  readonly mode: Mode;
  readonly count: number;
  readonly repeats: number;
}

const modeWords: Readonly<Record<Mode, string>> = {
  flood: 'flood',
  single: 'one event per read',
  cuts: 'random cuts',
  first: 'first',
  paced: 'paced',
};

const method =
  'Events of about 260 bytes over loopback. The service and every client have their own process, and the ' +
  "client's CPU time is read from the system. Each client's text is compared with what was sent. A ratio is " +
  'taken within each round.';

export const singleRows = clientRows(
  'client-single',
  'The client: one event per read',
  [
    { mode: 'single', count: 2000, repeats: 1 },
    { mode: 'single', count: 20_000, repeats: 1 },
  ],
  'An event is written every 0.2 ms, as models do, just faster.',
);

export const floodRows = clientRows(
  'client-flood',
  'The client: a flood',
  [
    { mode: 'flood', count: 2000, repeats: 10 },
    { mode: 'flood', count: 20_000, repeats: 2 },
    { mode: 'flood', count: 200_000, repeats: 1 },
  ],
  'Everything is written as fast as it is read.',
);

export const cutRows = clientRows(
  'client-cuts',
  'The client: random cuts',
  [{ mode: 'cuts', count: 20_000, repeats: 1 }],
  'The bytes arrive in pieces of 1 to 2000, cut anywhere, even inside a character.',
);

export const stepRows: RowSet = {
  name: 'client-steps',
  title: 'The client, step by step',
  method: 'In memory, without a network: the minimum that any client spends on a flood of 100k events.',
  run: ({ rounds }) => Promise.resolve(inMemory(rounds)),
};

function clientRows(name: string, title: string, cases: readonly Case[], how: string): RowSet {
  return {
    name,
    title,
    method: `${method} ${how}`,
    async run(bench) {
      const clients = await ClientBench.open();
      try {
        // Every path is warm before the first round: V8 is still optimizing after the first 100,000 events.
        for (const each of clientNames) await clients.run(each, 'flood', { workload: workloadOf(20_000), repeats: 10 });
        const figures: Figure[] = [];
        for (const each of cases) figures.push(...(await runCase(clients, each, bench)));
        return figures;
      } finally {
        clients.close();
      }
    },
  };
}

async function runCase(clients: ClientBench, { mode, count, repeats }: Case, bench: BenchRun): Promise<Figure[]> {
  const what = `${modeWords[mode]}, ${count / 1000}k events`;
  bench.say(what);
  const workload: Workload = workloadOf(count);
  const reports: Partial<Record<ClientName, ClientReport[]>> = {};
  const cpu = await takeTurns(clientNames, bench.rounds, async (name) => {
    const report = await clients.run(name, mode, { workload, repeats });
    (reports[name] ??= []).push(report);
    return report.cpuMs / repeats;
  });
  const over = (name: TableClient, reference: TableClient): number[] => ratios(cpu[name], cpu[reference]);
  const isSingle = mode === 'single';
  const isFlood = mode === 'flood';
  const perRead = median((reports.raw ?? []).map(({ reads }) => (count * repeats) / reads));
  return [
    ...clientNames.map((name) => figure(`${what}: ${clientLabels[name]}, CPU`, cpu[name], 'ms')),
    figure(
      `${what}: Parlance, wall`,
      (reports.parlance ?? []).map(({ wallMs }) => wallMs / repeats),
      'ms',
    ),
    ...(isSingle ? [figure(`${what}: events in one read of the raw client`, [perRead], '')] : []),
    figure(`${what}: Parlance ÷ raw bytes`, over('parlance', 'raw'), '×', isSingle ? 1.3 : undefined),
    figure(`${what}: Parlance ÷ parser`, over('parlance', 'parser'), '×', isFlood ? 1.15 : undefined),
    figure(`${what}: Parlance ÷ openai`, over('parlance', 'openai'), '×', isFlood ? 0.4 : undefined),
    figure(`${what}: Parlance ÷ AI SDK`, over('parlance', 'aiSdk'), '×', isFlood ? 0.1 : isSingle ? 0.2 : undefined),
  ];
}

/** The cost of the three steps of any client, separately. */
function inMemory(rounds: number): Figure[] {
  const { events } = workloadOf(100_000);
  const bytes = Buffer.from(events.join(''));
  const text = bytes.toString();
  const data: string[] = [];
  createParser({ onEvent: (event) => data.push(event.data) }).feed(text);
  data.pop();
  const timed = (work: () => void): number[] =>
    Array.from({ length: rounds + 2 }, () => {
      const started = performance.now();
      work();
      return performance.now() - started;
    }).slice(2);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 65_536) pieces.push(bytes.subarray(at, at + 65_536));
  const texts = pieces.map((piece) => piece.toString());
  return [
    figure(
      'in memory, 100k events: decode',
      timed(() => decodeAll(pieces)),
      'ms',
    ),
    figure(
      'in memory, 100k events: split into events',
      timed(() => splitAll(texts)),
      'ms',
    ),
    figure(
      'in memory, 100k events: JSON.parse',
      timed(() => data.forEach((each) => JSON.parse(each))),
      'ms',
    ),
  ];
}

function decodeAll(pieces: readonly Buffer[]): void {
  const decoder = new TextDecoder();
  for (const piece of pieces) decoder.decode(piece, { stream: true });
}

function splitAll(texts: readonly string[]): void {
  let count = 0;
  const parser = createParser({ onEvent: () => (count += 1) });
  for (const text of texts) parser.feed(text);
}
