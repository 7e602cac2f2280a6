import { Comparison } from '../../../src/core/compare/comparison.ts';
import { ExperimentBench } from '../experimentBench.ts';
import { figure, type RowSet } from '../figure.ts';
import { startService } from '../serviceProcess.ts';

const counts = [2, 4, 6] as const;
const models = ['local/writer', 'local/fast', 'local/echo', 'local/slow', 'local/vision', 'local/thinker'];

export const raceRows: RowSet = {
  name: 'race',
  title: 'The requests of a comparison leave together',
  method:
    'A comparison asks two, four, and six models the same question, recorded on disk like any request, over ' +
    'open connections. From when the first request is written to its socket until the last one is. The ' +
    'slowest is the worst race of a round.',
  async run({ rounds, say }) {
    await using cleanup = new AsyncDisposableStack();
    const { child, addresses } = await startService({ rate: 400, 'first-token-delay': 20 });
    cleanup.defer(() => void child.kill());
    const experiments = cleanup.use(await ExperimentBench.open(() => Promise.resolve(addresses)));

    /** Time between the sending of a race's requests. */
    const race = async (count: number): Promise<number> => {
      const comparison = new Comparison(
        crypto.randomUUID(),
        models.slice(0, count).map((model, index) => ({ id: `c${index}`, model })),
      );
      const text = 'Write 10 tokens';
      const columns = comparison.columns.map(({ id }) => id);
      const experiment = comparison.experiment(
        { id: 't', at: 0, text, content: text, attachments: [], order: 'allAtOnce', columns, isBlind: false },
        comparison.columns,
        { unique: crypto.randomUUID(), options: {}, order: 'allAtOnce' },
      );
      const leftAt: number[] = [];
      await experiments.run(experiment, {
        keepsReplies: true,
        callsFor: (model, origin) => {
          const calls = experiments.callsFor(model, origin);
          return {
            stream: (operation, options) =>
              calls.stream(operation, {
                ...options,
                observer: {
                  ...options?.observer,
                  onWire: () => {
                    leftAt.push(performance.now());
                    options?.observer?.onWire?.();
                  },
                },
              }),
          };
        },
      });
      if (leftAt.length !== count) throw new Error(`${leftAt.length} of ${count} requests left`);
      return Math.max(...leftAt) - Math.min(...leftAt);
    };

    const apart = new Map<number, number[]>();
    const slowest = new Map<number, number[]>();
    // Opens the connections and lets the code be compiled.
    for (let warmUp = 0; warmUp < 5; warmUp += 1) await race(6);
    for (let round = 0; round < rounds; round += 1) {
      say(`round ${round + 1}`);
      for (const count of counts) {
        const all: number[] = [];
        for (let each = 0; each < 10; each += 1) all.push(await race(count));
        all.sort((a, b) => a - b);
        apart.set(count, [...(apart.get(count) ?? []), all[Math.floor(all.length / 2)] ?? Number.NaN]);
        slowest.set(count, [...(slowest.get(count) ?? []), all.at(-1) ?? Number.NaN]);
      }
    }
    return counts.flatMap((count) => [
      figure(`${count} requests: first to last`, apart.get(count) ?? [], 'ms', 20),
      figure(`${count} requests: first to last, the slowest race`, slowest.get(count) ?? [], 'ms', 20),
    ]);
  },
};
