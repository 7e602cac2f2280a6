import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ComparedTurn, Comparison } from '../../../../src/core/compare/comparison.ts';
import { ComparisonRuns } from '../../../../src/vscode/compare/comparisonRuns.ts';
import { type Experiments, openExperiments } from '../../../../src/vscode/experiments/openExperiments.ts';
import { RequestsHere } from '../requests/requestsHere.ts';

describe('The runs of a comparison', () => {
  let here: RequestsHere;
  let folder: string;
  let experiments: Experiments;

  before(async () => {
    here = await RequestsHere.start();
  });
  after(() => here.stop());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-comparisons-'));
    const { calls } = here.window();
    experiments = openExperiments({
      folder,
      find: () => undefined,
      hostOf: () => 'a.test',
      replyTokensOf: () => undefined,
      callsFor: (model, origin) => calls.from(origin).forModel(model),
      clean: (data) => data,
      onError: (error) => assert.fail(String(error)),
      onUnsaved: (error) => assert.fail(String(error)),
    });
  });
  afterEach(async () => {
    await experiments.store.stop();
    await here.clear();
    await rm(folder, { recursive: true, force: true });
  });

  const columns = [
    { id: 'a', model: 'local/echo' },
    { id: 'b', model: 'local/echo' },
  ];
  const turn = (id: string): ComparedTurn => ({
    id,
    at: 1,
    text: id,
    attachments: [],
    content: id,
    order: 'allAtOnce',
    columns: ['a', 'b'],
    isBlind: false,
  });
  const setup = { options: {}, order: 'allAtOnce' } as const;
  const watch = { onReply: () => undefined, onGrew: () => undefined };
  const nothing = () => undefined;

  for (const [what, spoil] of Object.entries({
    "can't be read": async (file: string) => {
      await rm(file);
      await mkdir(file);
    },
    'was deleted': (file: string) => rm(file),
  })) {
    it(`leave no reply waiting for its turn when their file ${what}, and can be sent again`, async () => {
      const comparison = new Comparison(crypto.randomUUID(), columns);
      const spoiled = new ComparisonRuns(
        comparison,
        {
          ...experiments,
          start: async (...given) => {
            const [name = ''] = await readdir(folder);
            await spoil(join(folder, name));
            return experiments.start(...given);
          },
        },
        watch,
      );
      await spoiled.send(turn('t1'), columns, setup, nothing).catch(nothing);
      assert.equal(comparison.isRunning(), false);
      assert.deepEqual(
        comparison.replies.map(({ state }) => state),
        ['stopped', 'stopped'],
      );
      const runs = new ComparisonRuns(comparison, experiments, watch);
      await runs.send(turn('t2'), columns, setup, nothing);
      await runs.ended();
      assert.equal(comparison.isRunning(), false);
    });
  }

  it("can also be stopped while they're starting", async () => {
    const bothEnded = Promise.withResolvers<void>();
    const comparison = new Comparison(crypto.randomUUID(), columns);
    const runs: ComparisonRuns = new ComparisonRuns(
      comparison,
      {
        ...experiments,
        start: (...given) => {
          runs.stop();
          return experiments.start(...given);
        },
      },
      {
        ...watch,
        onReply: () => {
          if (comparison.replies.every(({ end }) => end !== undefined)) bothEnded.resolve();
        },
      },
    );
    await runs.send(turn('t1'), columns, setup, nothing);
    await bothEnded.promise;
    assert.deepEqual(
      comparison.replies.map(({ state, end }) => [state, end?.wasSent]),
      [
        ['stopped', false],
        ['stopped', false],
      ],
    );
  });

  it("aren't sent, and leave nothing on disk, if their tab is closed first", async () => {
    const before = here.service.asked().length;
    for (const when of ['before', 'while it is written'] as const) {
      const comparison = new Comparison(crypto.randomUUID(), columns);
      const runs: ComparisonRuns = new ComparisonRuns(
        comparison,
        {
          ...experiments,
          store: Object.assign(Object.create(experiments.store) as typeof experiments.store, {
            create: async (...given: Parameters<typeof experiments.store.create>) => {
              await experiments.store.create(...given);
              runs.dispose();
            },
            remove: experiments.store.remove.bind(experiments.store),
          }),
        },
        watch,
      );
      if (when === 'before') runs.dispose();
      await runs.send(turn('t1'), columns, setup, () => assert.fail('it was kept'));
      assert.deepEqual([comparison.turns, comparison.replies], [[], []], when);
      assert.deepEqual(await readdir(folder).catch(() => []), [], when);
    }
    assert.equal(here.service.asked().length, before);
  });

  it("leave text in the message box that couldn't be saved", async () => {
    const comparison = new Comparison(crypto.randomUUID(), columns);
    const kept: string[] = [];
    await rm(folder, { recursive: true });
    await writeFile(folder, 'in the way');
    const runs = new ComparisonRuns(comparison, experiments, watch);
    await assert.rejects(runs.send(turn('t1'), columns, setup, () => void kept.push('t1')));
    assert.deepEqual([kept, comparison.turns.length], [[], 0]);
  });
});
