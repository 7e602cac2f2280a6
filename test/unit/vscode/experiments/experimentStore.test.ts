import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';
import { systemClock } from '../../../../src/api/clock.ts';
import type { Experiment } from '../../../../src/core/experiments/experiment.ts';
import { experimentId } from '../../../../src/core/experiments/experimentId.ts';
import { systemCode } from '../../../../src/core/problems/systemCode.ts';
import { plannedRequests } from '../../../../src/core/experiments/experimentPlan.ts';
import { figuresOf } from '../../../../src/core/models/measuredModel.ts';
import { encodeExperimentRecord, type RunEnd } from '../../../../src/core/experiments/experimentRecord.ts';
import { processMark } from '../../../../src/vscode/disk/processMark.ts';
import { ExperimentStore } from '../../../../src/vscode/experiments/experimentStore.ts';
import { recordedSender } from '../../../../src/vscode/experiments/recordedSender.ts';
import type { OpenRequestLog } from '../../../../src/vscode/requests/openRequestLog.ts';
import { type InferenceService, startInferenceService } from '../../../service/inferenceService.ts';
import { someExperiment } from '../../core/experiments/someExperiment.ts';
import { about, hurried, withFaults } from '../disk/faultyDisk.ts';
import { RequestsHere } from '../requests/requestsHere.ts';
import { failOnFaults } from '../../../workbench/failOnFaults.ts';

const windowFile = fileURLToPath(new URL('experimentWindow.ts', import.meta.url));
const anotherChat = chatCompletion({ model: 'local/echo', messages: [{ role: 'user', content: 'Hi' }], stream: true });
type Started = Awaited<ReturnType<ExperimentStore['start']>>;
/** Tokens per second. */
const usualSpeed = 400;
const longReply = [{ id: 'p', messages: [{ role: 'user', content: 'word '.repeat(200) } as const] }];

describe('Stored experiments', () => {
  let here: RequestsHere;
  let folder: string;
  let window: OpenRequestLog;
  let store: ExperimentStore;
  let children: ChildProcess[] = [];
  const errors: unknown[] = [];

  before(async () => {
    here = await RequestsHere.start(usualSpeed);
  });
  after(() => here.stop());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-experiments-'));
    store = newStore();
    window = here.window();
  });
  afterEach(async () => {
    await store.stop();
    for (const child of children) child.kill('SIGKILL');
    children = [];
    here.service.setSpeed(usualSpeed);
    await here.clear();
    await rm(folder, { recursive: true, force: true });
  });
  failOnFaults('no error was reported', () => errors.splice(0));

  const newStore = () =>
    new ExperimentStore({
      folder,
      onError: (error) => errors.push(error),
      onUnsaved: (error) => errors.push(error),
    });

  async function start(
    experiment: Experiment,
    from: Pick<OpenRequestLog, 'calls'> = window,
    newId = () => crypto.randomUUID() as string,
  ) {
    return store.start(experiment.id, {
      clock: systemClock,
      newId,
      modelOf: () => undefined,
      send: recordedSender({
        experimentId: experiment.id,
        keepsReplies: experiment.keepsReplies,
        callsFor: (model, origin) => from.calls.from(origin).forModel(model),
        clean: here.redactor.cleanData,
        cleanBody: here.redactor.cleanKeys,
      }),
    });
  }

  async function run(experiment: Experiment, from?: Pick<OpenRequestLog, 'calls'>): Promise<RunEnd | undefined> {
    const started = await start(experiment, from);
    assert.ok(started !== undefined);
    await store.ended(started.run.id);
    return endOf(started);
  }

  /** By its ID: two runs that started in the same millisecond are in no order. */
  function endOf(started: Started): RunEnd | undefined {
    return started?.file.log.runs().find(({ id }) => id === started.run.id)?.end;
  }

  function windowTo({ baseUrl, nativeUrl, apiKey }: InferenceService): OpenRequestLog {
    const endpoint = { baseUrl: new URL(baseUrl), nativeUrl: new URL(nativeUrl), apiKey };
    const client = here.client(() => Promise.resolve(endpoint));
    return here.window({ callsOf: () => client });
  }

  function otherWindow(id: string, service: InferenceService): ChildProcess {
    const child = fork(windowFile, [folder, id, service.baseUrl, service.nativeUrl, service.apiKey]);
    children.push(child);
    return child;
  }

  it('respect their concurrency, counted at the service', async () => {
    const before = here.service.asked().length;
    const models = [{ id: 'local/fault-hang' }, { id: 'local/fault-silence' }];
    const experiment = someExperiment({ models, repeats: 6, concurrency: [4] });
    await store.create(experiment);
    const started = await start(experiment);
    const running = () =>
      here.service
        .asked()
        .slice(before)
        .filter(({ outcome }) => outcome === 'running').length;
    await here.service.waitForEntry(() => running() === 4);
    // A fifth request would arrive before the service is asked.
    for await (const event of window.calls.to('service').stream(anotherChat)) void event;
    assert.equal(here.service.asked().length - before, 5);
    started?.run.stop();
    await store.ended(started?.run.id ?? '');
    assert.equal(here.service.asked().length - before, 5);
  });

  it('respect their limit of requests, counted at the service', async () => {
    const before = here.service.asked().length;
    const models = [{ id: 'local/echo' }, { id: 'local/fast' }, { id: 'kestrel/repeat-1' }];
    const options = { maxTokens: 8 };
    const experiment = someExperiment({ models, repeats: 6, concurrency: [4], options, limits: { requests: 15 } });
    await store.create(experiment);
    assert.deepEqual(await run(experiment), { reason: 'limit', limit: 'requests' });
    assert.equal(here.service.asked().length - before, 15);
  });

  it('are sent as ordinary requests, which the request history lists with their attempts', async () => {
    const experiment = someExperiment({ repeats: 3, keepsReplies: true, hasUniquePrefix: true });
    await store.create(experiment);
    assert.deepEqual(await run(experiment), { reason: 'done' });
    const requests = await window.history.requests();
    const attempts = (await store.open('e1')).log.attempts();
    assert.deepEqual(
      requests.map(({ origin }) => origin.experiment?.attempt ?? '').toSorted(),
      attempts.map(({ id }) => id).toSorted(),
    );
    await window.history.flush();
    for (const { origin, id } of requests) {
      assert.deepEqual([origin.kind, origin.experiment?.id], ['experiment', 'e1']);
      const attempt = attempts.find((each) => each.id === origin.experiment?.attempt);
      const prefixed = `[${attempt?.id}]\nSay hello`;
      assert.equal(attempt?.end?.text, prefixed);
      const { request } = await window.history.bodies(id);
      assert.match(JSON.stringify(request?.body), new RegExp(attempt?.id ?? '-'));
    }
    const sample = attempts[0]?.end?.sample;
    assert.ok(
      sample?.firstMs !== undefined && sample.lastMs !== undefined && sample.service?.ttftSeconds !== undefined,
    );
    const writingMs = sample.gapsMs.reduce((sum, gap) => sum + gap, 0);
    assert.ok(Math.abs(writingMs - (sample.lastMs - sample.firstMs)) < 0.5);
  });

  it('count toward the speed of their model if they ran alone', async () => {
    const experiment = someExperiment({
      models: [{ id: 'local/writer' }],
      repeats: 4,
      concurrency: [1, 4],
      options: { stream: true, maxTokens: 20 },
    });
    await store.create(experiment);
    assert.deepEqual(await run(experiment), { reason: 'done' });
    const figures = figuresOf(await window.history.digest())('local/writer');
    assert.deepEqual([figures?.requestCount, figures?.ratedCount], [8, 4]);
  });

  it('are the same after a reload, and can be deleted', async () => {
    const experiment = someExperiment({ repeats: 2 });
    await store.create(experiment);
    await store.create(someExperiment({ id: 'e2' }));
    await run(experiment);
    const [known] = (await newStore().list()).filter(({ experiment: { id } }) => id === 'e1');
    assert.deepEqual(known?.experiment, experiment);
    assert.deepEqual(known.counts, { notSent: 0, running: 0, mayBeCharged: 0, finished: 2 });
    assert.equal(await store.remove('e1'), true);
    assert.deepEqual(
      (await newStore().list()).map(({ experiment: { id } }) => id),
      ['e2'],
    );
  });

  it('are listed by kind, without reading the files of others', async () => {
    await store.create(someExperiment({ id: experimentId('comparison', '1'), kind: 'comparison' }));
    await appendFile(join(folder, `${experimentId('measurement', '2')}.jsonl`), '\nnot a line\n');
    const ids = (await store.list('comparison')).map(({ experiment: { id } }) => id);
    assert.deepEqual(ids, ['comparison-1']);
  });

  it('keep what can be read if a line is damaged', async () => {
    await store.create(someExperiment());
    await appendFile(join(folder, 'e1.jsonl'), '\n{"type":"sending","run":\n{"type":"later"}\n');
    const known = await store.find('e1');
    assert.equal(known?.damagedLines, 2);
    assert.equal(known.counts.notSent, 1);
  });

  it('stop at once, at the service too', async () => {
    const experiment = someExperiment({ prompts: longReply, repeats: 10, concurrency: [3] });
    await store.create(experiment);
    // None is over before all have begun.
    here.service.setSpeed(10);
    const before = here.service.asked().length;
    const started = await start(experiment);
    const begun = () =>
      here.service
        .asked()
        .slice(before)
        .filter(({ completionTokens = 0, outcome }) => outcome === 'running' && completionTokens > 1).length;
    await here.service.waitForEntry(() => begun() === 3);
    started?.run.stop();
    await store.ended(started?.run.id ?? '');
    const asked = here.service.asked().length;
    for (const { id } of here.service.asked().slice(-3)) {
      await here.service.waitForEntry((entry) => entry.id === id && entry.outcome === 'canceled');
    }
    assert.equal(asked - before, 3);
    assert.equal(here.service.asked().length, asked);
    const known = await store.find('e1');
    assert.deepEqual(known?.runs[0]?.end, { reason: 'stopped' });
    assert.deepEqual([known.counts.running, known.counts.mayBeCharged], [0, 0]);
  });

  it("aren't started by two windows at once", async () => {
    const experiment = someExperiment({ models: [{ id: 'local/fault-hang' }] });
    await store.create(experiment);
    const started = await start(experiment);
    assert.equal(await start(experiment), undefined);
    const [said] = (await once(otherWindow('e1', here.service), 'message')) as unknown[];
    assert.equal(said, 'busy');
    assert.equal(await store.remove('e1'), false);
    started?.run.stop();
  });

  it("aren't running if the process of a killed window has been silent for too long to be that window", async () => {
    const experiment = someExperiment();
    await store.create(experiment);
    const writer = processMark().replace(`${process.pid}-`, `${process.ppid}-`);
    const startedAt = (runId: string, at: number) =>
      appendFile(
        join(folder, `${experiment.id}.jsonl`),
        `${encodeExperimentRecord({ type: 'runStarted', run: runId, writer, at })}\n`,
      );
    const hourMs = 60 * 60_000;
    await startedAt('r1', Date.now() - 2 * hourMs);
    assert.equal(store.isRunning(await store.open(experiment.id)), false);
    await startedAt('r2', Date.now() - hourMs / 2);
    assert.equal(store.isRunning(await store.open(experiment.id)), true);
    assert.equal(await store.remove(experiment.id), false);
  });

  it('are deleted together, or none of them if one is running', async () => {
    const experiment = someExperiment({ id: 'e2', models: [{ id: 'local/fault-hang' }] });
    for (const id of ['e1', 'e3']) await store.create(someExperiment({ id }));
    await store.create(experiment);
    const ids = async () => (await store.list()).map(({ experiment: { id } }) => id).toSorted();
    const started = await start(experiment);
    assert.equal(await store.removeAll(['e1', 'e2', 'e3']), false);
    assert.deepEqual(await ids(), ['e1', 'e2', 'e3']);
    started?.run.stop();
    await store.ended(started?.run.id ?? '');
    assert.equal(await store.removeAll(['e1', 'e2', 'e3']), true);
    assert.deepEqual(await ids(), []);
  });

  it("aren't started by a window that lost its lock to another one", async () => {
    const hanging = [{ id: 'local/fault-hang' }];
    await store.create(someExperiment({ id: 'e2', models: hanging }));
    await once(otherWindow('e2', here.service), 'message');
    const writer = (await store.open('e2')).log.runs()[0]?.writer ?? '';
    // Another model: the other window's requests might still be running.
    const experiment = someExperiment({ models: [{ id: 'local/echo' }] });
    await store.create(experiment);
    const asked = () => here.service.asked().filter(({ model }) => model === 'local/echo').length;
    const before = asked();
    const started = await start(experiment, window, () => {
      // The other one starts after this one has looked, and its clock is ahead.
      const line = { type: 'runStarted', run: 'other', writer, at: Date.now() + 60_000 };
      appendFileSync(join(folder, 'e1.jsonl'), `${JSON.stringify(line)}\n`);
      return 'mine';
    });
    assert.equal(started, undefined);
    assert.equal(asked(), before);
    const runs = (await store.open('e1')).log.runs();
    assert.deepEqual(
      runs.map(({ id, end }) => [id, end]),
      [
        ['mine', { reason: 'stopped' }],
        ['other', undefined],
      ],
    );
  });

  it('whose window is killed show what might have been charged, and never resend that', async () => {
    const service = await startInferenceService({ tokensPerSecond: 100 });
    try {
      const experiment = someExperiment({
        prompts: longReply,
        repeats: 12,
        concurrency: [3],
        options: { maxTokens: 20 },
      });
      await store.create(experiment);
      const child = otherWindow('e1', service);
      await service.waitForEntry((entry) => entry.outcome === 'done');
      await service.waitForEntry(({ outcome, completionTokens = 0 }) => outcome === 'running' && completionTokens > 2);
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      const known = await store.find('e1');
      assert.ok(known !== undefined);
      const { counts } = known;
      assert.equal(counts.running, 0);
      assert.ok(counts.mayBeCharged >= 1 && counts.mayBeCharged <= 3, `${counts.mayBeCharged} might be charged`);
      assert.equal(counts.notSent + counts.finished + counts.mayBeCharged, plannedRequests(experiment).length);
      // What reached the service is on disk, whatever happened to it.
      assert.ok(service.asked().length <= counts.finished + counts.mayBeCharged);
      const before = service.asked().length;
      const calls = windowTo(service);
      assert.deepEqual(await run(experiment, calls), { reason: 'done' });
      assert.equal(service.asked().length - before, counts.notSent);
      const after = await store.find('e1');
      assert.deepEqual(after?.counts, {
        notSent: 0,
        running: 0,
        mayBeCharged: counts.mayBeCharged,
        finished: plannedRequests(experiment).length - counts.mayBeCharged,
      });
    } finally {
      await service.close();
    }
  });

  it('keep their results when credits run out, and send the rest later', async () => {
    const service = await startInferenceService({ tokensPerSecond: Infinity, credits: 1 });
    try {
      const experiment = someExperiment({ models: [{ id: 'local/costly' }], repeats: 6 });
      await store.create(experiment);
      const calls = windowTo(service);
      const end = await run(experiment, calls);
      assert.equal(end?.reason === 'failed' && end.failure.kind, 'outOfCredits');
      assert.equal(service.asked().length, 3);
      const known = await store.find('e1');
      assert.deepEqual([known?.counts.finished, known?.counts.notSent], [2, 4]);
    } finally {
      await service.close();
    }
  });

  it('wait as long as a rate limit requires, and lose nothing', async () => {
    // The limit lets one more through each second, and no computer is too slow to use it up: for the service, no time passes.
    const began = Date.now();
    let usedUpAt: number | undefined;
    const now = (): number => (usedUpAt === undefined ? began : began + Date.now() - usedUpAt);
    const service = await startInferenceService({ tokensPerSecond: Infinity, requestsPerMinute: 60, now });
    try {
      // Uses up what the limit allows at once.
      const first = someExperiment({ id: 'e0', repeats: 60, concurrency: [4] });
      const experiment = someExperiment({ repeats: 2, concurrency: [2] });
      await store.create(first);
      await store.create(experiment);
      const calls = windowTo(service);
      await run(first, calls);
      usedUpAt = Date.now();
      assert.deepEqual(await run(experiment, calls), { reason: 'done' });
      const done = service.asked().filter(({ status }) => status === 200);
      assert.equal(done.length, 62);
      const refused = service.asked().filter(({ status }) => status === 429);
      assert.ok(refused.length >= 1 && refused.length <= 6, `${refused.length} were refused`);
      // A retry by the client itself would be a request without a line.
      const logs = await Promise.all(['e0', 'e1'].map(async (id) => (await store.open(id)).log));
      const lines = logs.reduce((sum, log) => sum + log.attempts().length, 0);
      assert.equal(service.asked().length, lines);
    } finally {
      await service.close();
    }
  });

  it('keep their results if the service dies halfway, after three attempts', async () => {
    const service = await startInferenceService({ tokensPerSecond: 200 });
    const experiment = someExperiment({ prompts: longReply, repeats: 20, options: { maxTokens: 20 } });
    await store.create(experiment);
    const calls = windowTo(service);
    const running = run(experiment, calls);
    await service.waitForEntry(({ outcome }) => outcome === 'running' && service.asked().length > 2);
    await service.close();
    const end = await running;
    assert.equal(end?.reason, 'failed');
    const { attempts } = { attempts: (await store.open('e1')).log.attempts() };
    const failed = attempts.filter((attempt) => attempt.end?.outcome === 'failed').length;
    // The one that was cut off has no result yet.
    assert.ok(failed === 3 || failed === 4, `${failed} failed`);
    assert.ok(attempts.some((attempt) => attempt.end?.outcome === 'incomplete'));
  });

  for (const [what, call, code] of [
    ['the disk is full', 'open', 'ENOSPC'],
    ['another program has the file locked', 'open', 'EBUSY'],
    ['the disk fails while a line is written', 'datasync', 'EIO'],
  ] as const) {
    it(`send nothing that isn't on disk first: ${what}`, async () => {
      const before = here.service.asked().length;
      const options = { maxTokens: 20 };
      const experiment = someExperiment({ prompts: longReply, repeats: 6, concurrency: [2], options });
      await store.create(experiment);
      const isOfFile = about('e1.jsonl', code);
      let isBroken = true;
      const fault = (args: readonly unknown[]) => {
        if (!isBroken) return undefined;
        return call === 'datasync' ? code : isOfFile(args);
      };
      await withFaults({ [call]: fault }, async () => {
        await assert.rejects(hurried(async () => start(experiment)));
        assert.equal(here.service.asked().length, before);
        isBroken = false;
        // Neither of the first two replies is over before the disk breaks.
        here.service.setSpeed(1);
        const started = await start(experiment);
        await here.service.waitForEntry(() => here.service.asked().length === before + 2);
        isBroken = true;
        here.service.setSpeed(usualSpeed);
        await hurried(async () => store.ended(started?.run.id ?? ''));
        assert.equal(here.service.asked().length, before + 2);
        assert.deepEqual(endOf(started), { reason: 'disk', code });
        isBroken = false;
        await started?.file.flush();
      });
      assert.deepEqual(await run(experiment), { reason: 'done' });
      assert.equal(here.service.asked().length, before + 6);
      assert.equal((await store.find('e1'))?.counts.finished, 6);
      // Ends that couldn't be written are kept, and reported.
      assert.deepEqual([...new Set(errors.splice(0).map(systemCode))], [code]);
    });
  }

  it('whose file is deleted during a run send nothing more, and stay deleted', async () => {
    const before = here.service.asked().length;
    const experiment = someExperiment({ prompts: longReply, repeats: 10, options: { maxTokens: 20 } });
    await store.create(experiment);
    // The first reply isn't over before the file is deleted.
    here.service.setSpeed(1);
    const started = await start(experiment);
    await here.service.waitForEntry(() => here.service.asked().length > before);
    await rm(join(folder, 'e1.jsonl'));
    here.service.setSpeed(usualSpeed);
    await store.ended(started?.run.id ?? '');
    assert.equal(here.service.asked().length, before + 1);
    assert.deepEqual(await store.list(), []);
    started?.file.dispose();
    assert.ok(errors.splice(0).length > 0);
  });

  it('keep the key out of their files', async () => {
    const experiment = someExperiment({
      keepsReplies: true,
      prompts: [{ id: 'p', messages: [{ role: 'user', content: `Say ${here.service.apiKey}` }] }],
    });
    await store.create(experiment);
    await run(experiment);
    const kept = (await readFile(join(folder, 'e1.jsonl'), 'utf8'))
      .split('\n')
      .filter((line) => line.includes('"ended"'));
    assert.equal(kept.length, 1);
    assert.ok(!kept.join('').includes(here.service.apiKey));
  });
});
