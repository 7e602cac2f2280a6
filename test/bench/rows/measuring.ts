import type { Experiment } from '../../../src/core/experiments/experiment.ts';
import { replyFigures } from '../../../src/core/experiments/experimentFigures.ts';
import type { ReplySample } from '../../../src/core/experiments/replySample.ts';
import { HeldUpMeter } from '../../../src/vscode/measure/heldUpMeter.ts';
import { ClientBench, clientLabels, type ClientName } from '../client/clientBench.ts';
import { workloadOf } from '../client/workload.ts';
import { ExperimentBench } from '../experimentBench.ts';
import { type BenchRun, figure, type Figure, ratios, type RowSet, takeTurns } from '../figure.ts';
import { type ClockedReply, sharedNow } from '../client/clockedReply.ts';

const levels = [1, 8, 64] as const;
const paces = ['even', 'uneven'] as const;
const tokens = 60;
/** Five seconds of them. */
const pacedEvents = 500;
const clients = ['parlance', 'measuring', 'openai', 'aiSdk'] as const satisfies readonly ClientName[];
/** Counts as correct: within 2 ms or 2%. */
const right = { ms: 2, share: 0.02 };

interface Difference {
  readonly here: number;
  readonly there: number;
}

export const measuringRows: RowSet = {
  name: 'measuring',
  title: "What an experiment measures, against the service's own clock",
  method:
    'A service in its own process notes when it got to each request and when it wrote each token, on the ' +
    'clock that processes share. Even: 150 ms before the first token, then 10 between tokens. Uneven: 50 to ' +
    '250 ms before the first, then 5 to 15 between tokens, with a stall of 300. An experiment over a real ' +
    'socket, recorded like any request, with 1, 8, and 64 requests in flight. Arrivals are compared with the ' +
    "time of writing; the other rows compare the page's figures with those from the service's times alone. " +
    'The share counts replies that are off by more than 2 ms and 2%. Held up is how long events waited before ' +
    'this process handled them, 95% of the time; above 5 ms, or 2 ms and 2% of the first token, the page calls ' +
    'this machine the bottleneck. CPU ' +
    "is that of a client's process while it reads 64 replies of 500 tokens each, at 100 tokens per second.",
  async run(bench) {
    const { rounds, say } = bench;
    await using cleanup = new AsyncDisposableStack();
    const peers = await ClientBench.open();
    cleanup.defer(() => peers.close());
    let baseUrl = peers.clockedBase('even', tokens);
    const endpoint = () => Promise.resolve({ baseUrl, nativeUrl: baseUrl, apiKey: 'bench' });
    const experiments = cleanup.use(await ExperimentBench.open(endpoint));

    const cases = paces.flatMap((pace) =>
      levels.map((level) => ({ pace, level, name: `${pace}, ${level} in flight` })),
    );
    const repliesAt = new Map<string, readonly MeasuredReply[][]>();
    const heldUp = new Map<string, readonly number[]>();
    for (let round = 0; round < rounds; round += 1) {
      for (const { pace, level, name } of cases) {
        baseUrl = peers.clockedBase(pace, tokens);
        say(`${name}, round ${round + 1} of ${rounds}`);
        const meter = new HeldUpMeter();
        meter.start();
        const { file } = await experiments.run(experimentAt(pace, level, round), { keepsReplies: false });
        heldUp.set(name, [...(heldUp.get(name) ?? []), meter.stop()]);
        const clocked = await peers.clocked();
        const replies = file.log.attempts().flatMap(({ request, end }) => {
          if (end?.sample === undefined || end.outcome === 'failed') throw new Error('A request failed');
          const service = clocked.get(end.requestId ?? '');
          if (service === undefined) throw new Error('The service has no times of a request');
          return request.startsWith('w.') ? [] : [measuredReply(end.sample, service)];
        });
        repliesAt.set(name, [...(repliesAt.get(name) ?? []), replies]);
      }
    }
    return [
      ...cases.flatMap(({ name: where }) => {
        const perRound = (of: (reply: MeasuredReply) => Difference) =>
          (repliesAt.get(where) ?? []).map((replies) => replies.map(of));
        const rows = (name: string, of: (reply: MeasuredReply) => Difference) => [
          figure(
            `${where}, ${name}: median difference`,
            perRound(of).map((all) => medianOf(all.map(({ here, there }) => here - there))),
            'ms',
          ),
          figure(
            `${where}, ${name}: further off`,
            perRound(of).map((all) => (all.filter(isOff).length * 100) / all.length),
            '%',
            0,
          ),
        ];
        return [
          figure(
            `${where}: median wait of a request for the service`,
            perRound(({ waited }) => waited).map((all) => medianOf(all.map(({ here }) => here))),
            'ms',
          ),
          ...rows('arrival of the first token', ({ first }) => first),
          ...rows('arrival of the last token', ({ last }) => last),
          ...rows('first token', ({ ttft }) => ttft),
          ...rows('total', ({ total }) => total),
          ...rows('time per token', ({ perToken }) => perToken),
          ...rows('between tokens, median of a reply', ({ gap }) => gap),
          ...rows('between tokens, p95 of a reply', ({ longGap }) => longGap),
          figure(`${where}: held up`, heldUp.get(where) ?? [], 'ms'),
        ];
      }),
      ...(await cpuFigures(peers, bench)),
    ];
  },
};

/** Loops over openai and the AI SDK, which measure and record nothing, beside a measurement. */
async function cpuFigures(peers: ClientBench, { rounds, say }: BenchRun): Promise<readonly Figure[]> {
  const workload = workloadOf(pacedEvents);
  const options = { workload, atOnce: 64 };
  for (const name of clients) await peers.run(name, 'paced', { workload: workloadOf(50), atOnce: 64 });
  const cpu = await takeTurns(clients, rounds, async (name, round) => {
    say(`64 at once with ${clientLabels[name]}, round ${round + 1} of ${rounds}`);
    const { cpuMs, wallMs } = await peers.run(name, 'paced', options);
    return (cpuMs * 100) / wallMs;
  });
  return [
    ...clients.map((name) => figure(`64 × 100 tok/s: CPU of ${clientLabels[name]}`, cpu[name], '% of a core')),
    figure('64 × 100 tok/s: Parlance, measuring ÷ openai', ratios(cpu.measuring, cpu.openai), '×'),
    figure('64 × 100 tok/s: Parlance, measuring ÷ AI SDK', ratios(cpu.measuring, cpu.aiSdk), '×'),
  ];
}

function experimentAt(pace: string, level: number, round: number): Experiment {
  return {
    id: `${pace}-${level}-round-${round}`,
    kind: 'measurement',
    prompts: [{ id: 'p', messages: [{ role: 'user', content: `Write ${tokens} tokens` }] }],
    models: [{ id: 'local/writer' }],
    repeats: Math.max(8, level * 2),
    order: 'interleaved',
    concurrency: [level],
    warmUp: level,
    hasUniquePrefix: true,
    keepsReplies: false,
    limits: {},
  };
}

/** Parlance's own measurements of a reply, beside the service's. All in milliseconds. */
interface MeasuredReply {
  /** From the request's last byte leaving here until the service got to it: its own wait, which a user has too. */
  readonly waited: Difference;
  /** From sending the request until the token arrived here, and until it was written there. */
  readonly first: Difference;
  readonly last: Difference;
  /** The figures on the page, and what they'd be from the service's times alone. */
  readonly ttft: Difference;
  readonly total: Difference;
  readonly perToken: Difference;
  readonly gap: Difference;
  readonly longGap: Difference;
}

function measuredReply(sample: ReplySample, { arrivedMs, writtenMs }: ClockedReply): MeasuredReply {
  const { firstMs = Number.NaN, lastMs = Number.NaN, gapsMs } = sample;
  const sentMs = sharedNow() - (performance.timeOrigin + performance.now() - sample.sentAt);
  const [firstWritten = Number.NaN] = writtenMs;
  const lastWritten = writtenMs.at(-1) ?? Number.NaN;
  const gapsThere = writtenMs.slice(1).map((at, index) => at - (writtenMs[index] ?? at));
  return {
    waited: { here: arrivedMs - sentMs, there: 0 },
    first: { here: firstMs, there: firstWritten - sentMs },
    last: { here: lastMs, there: lastWritten - sentMs },
    ttft: { here: firstMs, there: firstWritten - arrivedMs },
    total: { here: lastMs, there: lastWritten - arrivedMs },
    perToken: {
      here: replyFigures(sample).perTokenMs ?? Number.NaN,
      there: (lastWritten - firstWritten) / (writtenMs.length - 1),
    },
    gap: { here: quantile(gapsMs, 0.5), there: quantile(gapsThere, 0.5) },
    longGap: { here: quantile(gapsMs, 0.95), there: quantile(gapsThere, 0.95) },
  };
}

function isOff({ here, there }: Difference): boolean {
  const difference = Math.abs(here - there);
  return difference > right.ms && difference > there * right.share;
}

function medianOf(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
