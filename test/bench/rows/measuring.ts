import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceClient } from '../../../src/api/inferenceClient.ts';
import { systemClock } from '../../../src/api/clock.ts';
import { createTransport } from '../../../src/api/transport/createTransport.ts';
import type { Experiment } from '../../../src/core/experiments/experiment.ts';
import { replyFigures } from '../../../src/core/experiments/experimentFigures.ts';
import type { ReplySample } from '../../../src/core/experiments/replySample.ts';
import { ExperimentStore } from '../../../src/vscode/experiments/experimentStore.ts';
import { HeldUpMeter } from '../../../src/vscode/measure/heldUpMeter.ts';
import { recordedSender } from '../../../src/vscode/experiments/recordedSender.ts';
import { openRequestLog } from '../../../src/vscode/requests/openRequestLog.ts';
import { ClientBench, clientLabels, type ClientName } from '../client/clientBench.ts';
import { workloadOf } from '../client/workload.ts';
import { type BenchRun, figure, type Figure, ratios, type RowSet, takeTurns } from '../figure.ts';
import { startService } from '../serviceProcess.ts';

const levels = [1, 8, 64] as const;
const paces = ['even', 'uneven'] as const;
const tokens = 60;
const tokensPerSecond = 100;
const firstTokenDelayMs = 150;
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
  title: 'What an experiment measures, against the service’s own clock',
  method:
    'Even: the local service in a process of its own, at 100 tokens a second with 150 ms before the first. Uneven: 50 to ' +
    '250 ms before the first, 5 to 15 between tokens, and a stall of 300. An experiment over ' +
    'a real socket, recorded like any request, with 1, 8, and 64 requests in flight. Each figure of each reply is held ' +
    'against the one the service measured itself. The share is of figures that are further off than 2 ms and 2%. Held up ' +
    'is how long events waited before this process handled them, for 95% of the time: above 5 ms, the page calls this ' +
    'machine the bottleneck. CPU is that of a client’s process while 64 replies are read, each 500 tokens at 100 a second.',
  async run(bench) {
    const { rounds, say } = bench;
    await using cleanup = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'parlance-measuring-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const { child, addresses } = await startService({ rate: tokensPerSecond, 'first-token-delay': firstTokenDelayMs });
    cleanup.defer(() => void child.kill());
    const transport = createTransport({
      settings: () => ({ proxySupport: 'off', proxy: '', noProxy: [], systemCertificates: false, env: {} }),
    });
    cleanup.defer(() => transport.dispose());
    const fail = (error: unknown) => {
      throw error;
    };
    const peers = await ClientBench.open();
    cleanup.defer(() => peers.close());
    const uneven = peers.base('uneven', tokens);
    const endpoints = { even: addresses, uneven: { baseUrl: uneven, nativeUrl: uneven, apiKey: 'bench' } };
    let endpoint: (typeof endpoints)[(typeof paces)[number]] = endpoints.even;
    const client = new InferenceClient({ endpoint: () => Promise.resolve(endpoint), transport });
    const log = openRequestLog({
      callsOf: () => client,
      folder: join(folder, 'requests'),
      limits: () => ({ maxCount: 100_000, maxBytes: 100_000_000 }),
      keepsBodies: () => true,
      clean: (data) => data,
      cleanBody: (data) => data,
      onError: fail,
    });
    cleanup.defer(async () => {
      await log.history.flush();
      log.history.dispose();
    });
    const store = new ExperimentStore({ folder: join(folder, 'experiments'), onError: fail, onUnsaved: fail });

    const cases = paces.flatMap((pace) =>
      levels.map((level) => ({ pace, level, name: `${pace}, ${level} in flight` })),
    );
    const samplesAt = new Map<string, readonly ReplySample[][]>();
    const heldUp = new Map<string, readonly number[]>();
    for (let round = 0; round < rounds; round += 1) {
      for (const { pace, level, name } of cases) {
        endpoint = endpoints[pace];
        say(`${name}, round ${round + 1} of ${rounds}`);
        const experiment = experimentAt(pace, level, round);
        await store.create(experiment);
        const meter = new HeldUpMeter();
        meter.start();
        const started = await store.start(experiment.id, {
          clock: systemClock,
          newId: () => crypto.randomUUID(),
          modelOf: () => undefined,
          send: recordedSender({
            experimentId: experiment.id,
            keepsReplies: false,
            callsFor: (model, origin) => log.calls.from(origin).forModel(model),
            clean: (data) => data,
          }),
        });
        if (started === undefined) throw new Error('The experiment did not start');
        await store.ended(started.run.id);
        heldUp.set(name, [...(heldUp.get(name) ?? []), meter.stop()]);
        const samples = started.file.log.attempts().flatMap(({ request, end }) => {
          if (end?.sample === undefined || end.outcome === 'failed') throw new Error('A request failed');
          return request.startsWith('w.') ? [] : [end.sample];
        });
        samplesAt.set(name, [...(samplesAt.get(name) ?? []), samples]);
      }
    }
    return [
      ...cases.flatMap(({ name: where }) => {
        const perRound = (of: (sample: ReplySample) => Difference) =>
          (samplesAt.get(where) ?? []).map((samples) => samples.map(of));
        const rows = (name: string, of: (sample: ReplySample) => Difference, unit: string) => [
          figure(
            `${where}, ${name}: median difference`,
            perRound(of).map((all) => medianOf(all.map(({ here, there }) => here - there))),
            unit,
          ),
          figure(
            `${where}, ${name}: further off`,
            perRound(of).map((all) => (all.filter(isOff).length * 100) / all.length),
            '%',
            0,
          ),
        ];
        return [
          ...rows('first token', ({ firstMs = 0, service }) => pair(firstMs, (service?.ttftSeconds ?? 0) * 1000), 'ms'),
          ...rows('total', ({ lastMs = 0, service }) => pair(lastMs, (service?.totalTimeSeconds ?? 0) * 1000), 'ms'),
          ...rows(
            'time per token',
            (sample) => pair(replyFigures(sample).perTokenMs ?? 0, 1000 / (sample.service?.tokensPerSecond ?? 0)),
            'ms',
          ),
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

function pair(here: number, there: number): Difference {
  return { here, there };
}

function isOff({ here, there }: Difference): boolean {
  const difference = Math.abs(here - there);
  return difference > right.ms && difference > there * right.share;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
