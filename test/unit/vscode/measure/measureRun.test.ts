import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openExperiments } from '../../../../src/vscode/experiments/openExperiments.ts';
import { HeldUpMeter } from '../../../../src/vscode/measure/heldUpMeter.ts';
import { MeasureRun, type MeasureRunDeps } from '../../../../src/vscode/measure/measureRun.ts';
import { someExperiment } from '../../core/experiments/someExperiment.ts';

describe('A measurement in a window', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-measure-run-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  function opened(answer: (number: number) => Promise<void>): MeasureRunDeps['experiments'] {
    let count = 0;
    return openExperiments({
      folder,
      find: () => undefined,
      hostOf: () => 'a.test',
      replyTokensOf: () => undefined,
      callsFor: () => ({
        stream: async function* (_operation, { observer } = {}) {
          observer?.onWire?.();
          count += 1;
          await answer(count);
          yield { type: 'text', text: 'Hello' };
          yield { type: 'end', complete: true };
        },
      }),
      clean: (data) => data,
      cleanBody: (data) => data,
      onError: (error) => assert.fail(String(error)),
      onUnsaved: (error) => assert.fail(String(error)),
    });
  }

  const explain = () => ({ title: '', detail: '' });

  it('posts results only when a level of concurrency is finished, and otherwise only how far it is', async () => {
    const isSeen = [0, 1].map(() => Promise.withResolvers<void>());
    // Each waits until the page has heard of the one before.
    const experiments = opened(async (number) => isSeen[number - 2]?.promise);
    const experiment = someExperiment({ repeats: 3 });
    await experiments.store.create(experiment);
    const posted = new Map<number, number | undefined>();
    const run = await MeasureRun.start(experiment, {
      experiments,
      explain,
      onProgress: ({ ended }, result) => {
        posted.set(ended, result?.groups.length);
        isSeen[ended - 1]?.resolve();
      },
    });
    await run?.ended();
    assert.deepEqual(
      [1, 2].map((ended) => posted.get(ended)),
      [0, undefined],
    );
    assert.deepEqual([run?.result().groups.length, run?.progress().ended], [1, 3]);
  });

  it('stops its meter if nothing starts', async () => {
    const stop = Object.getOwnPropertyDescriptor(HeldUpMeter.prototype, 'stop') ?? assert.fail();
    let stopped = 0;
    const value = () => (stopped += 1);
    Object.defineProperty(HeldUpMeter.prototype, 'stop', { ...stop, value });
    try {
      const experiments = opened(() => Promise.resolve());
      const experiment = someExperiment();
      await experiments.store.create(experiment);
      const onProgress = () => undefined;
      const elsewhere = { ...experiments, start: () => Promise.resolve(undefined) };
      assert.equal(await MeasureRun.start(experiment, { experiments: elsewhere, explain, onProgress }), undefined);
      const broken = { ...experiments, start: () => Promise.reject(new Error('ENOSPC')) };
      await assert.rejects(MeasureRun.start(experiment, { experiments: broken, explain, onProgress }));
      assert.equal(stopped, 2);
    } finally {
      Object.defineProperty(HeldUpMeter.prototype, 'stop', stop);
    }
  });
});
