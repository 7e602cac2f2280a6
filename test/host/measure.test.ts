import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { measureDefaults, quickPreset } from '../../src/core/measuring/measureDefaults.ts';
import type { ToMeasurePage } from '../../src/shared/protocol/measureProtocol.ts';
import type { MeasureField, MeasureForm } from '../../src/shared/measuring.ts';
import { type MeasureDeps, registerMeasure } from '../../src/vscode/measure/registerMeasure.ts';
import { promptOfFile } from '../../src/vscode/measure/takenPrompt.ts';
import type { InferenceService } from '../service/inferenceService.ts';
import { listedModel } from '../unit/core/experiments/someExperiment.ts';
import { answering } from './answering.ts';
import { eventually } from './eventually.ts';
import { type MeasureWindow, MeasureWindows } from './measureWindows.ts';
import { Answers } from './prompts/answers.ts';

describe('Measure Models', () => {
  const windows = new MeasureWindows();
  let service: InferenceService;

  function formOf(model: string, fields: Partial<Record<MeasureField, string>> = {}): MeasureForm {
    const preset = quickPreset({ ...measureDefaults, models: [{ id: model }] });
    const few = { repeats: '4', warmUp: '0', concurrency: '1', maxTokens: '8', limitMinutes: '' };
    return { ...preset, fields: { ...preset.fields, ...few, ...fields } };
  }

  const ready = async (page: MeasureWindow) => {
    page.say({ type: 'ready' });
    await eventually('the snapshot', () => page.posted.some(({ type }) => type === 'snapshot'));
  };

  it('asks before 10,000 requests, with their number and tokens, and sends none without consent', async () => {
    service = await windows.serve();
    const page = await windows.open({ asked: service });
    await ready(page);
    const form = formOf('local/echo', { repeats: '10000' });
    const no = await answering(undefined, async () => {
      page.say({ type: 'run', form });
      await eventually('that it was called off', () => page.posted.some(({ type }) => type === 'notStarted'));
    });
    assert.deepEqual(no.asked, ['Send 10,000 requests?']);
    assert.match(no.details.join(), /^They take ≈ [\d.]+[kM]? tokens and cost/);
    assert.equal(service.asked().length, 0);
    await answering('Send', async () => {
      page.say({ type: 'run', form });
      await eventually('the first requests', () => service.asked().length > 3);
    });
    page.say({ type: 'stop' });
    const { planned, ended, open: left } = await page.ended();
    const sent = service.asked().length;
    assert.equal(planned, 10_000);
    assert.ok(sent < 5000 && ended <= sent && left === planned - ended, `${sent} sent, ${ended} ended, ${left} left`);
    await ready(page);
    assert.equal(service.asked().length, sent);
  });

  it('shows what is wrong with the form if Run is pressed before the page could check it', async () => {
    service = await windows.serve();
    const page = await windows.open({ asked: service });
    await ready(page);
    page.posted.length = 0;
    page.say({ type: 'run', form: formOf('local/echo', { repeats: '0' }) });
    await eventually('that nothing started', () => page.posted.some(({ type }) => type === 'notStarted'));
    const faults = page.posted.flatMap((each) => (each.type === 'planned' ? each.plan.faults : []));
    assert.deepEqual(
      faults.map(({ at }) => at),
      ['repeats'],
    );
    assert.equal(service.asked().length, 0);
  });

  it("measures no model that a page names but the user didn't select", async () => {
    service = await windows.serve();
    const page = await windows.open({ asked: service });
    await ready(page);
    const form = formOf('local/echo', { repeats: '2' });
    page.say({ type: 'run', form: { ...form, models: [{ id: 'local/slow' }, ...form.models] } });
    const { models } = await page.ended();
    assert.deepEqual(
      models.map(({ id }) => id),
      ['local/echo'],
    );
    assert.deepEqual(
      service.asked().map(({ model }) => model),
      ['local/echo', 'local/echo'],
    );
  });

  it('keeps the selected models when another one is selected where a problem is shown', async () => {
    service = await windows.serve();
    const page = await windows.open({ asked: service });
    await ready(page);
    const form = formOf('local/echo');
    windows.picked.push('local/fast');
    page.say({ type: 'formChanged', form });
    page.say({ type: 'runAction', action: 'selectModel' });
    const shown = () => page.posted.findLast((message) => message.type === 'formSet')?.form.models;
    await eventually('the form', () => shown() !== undefined);
    assert.deepEqual(
      shown()?.map(({ id }) => id),
      ['local/echo', 'local/fast'],
    );
  });

  it('asks above the amount in the settings but not below it', async () => {
    service = await windows.serve();
    const page = await windows.open({ asked: service, above: 100, models: [listedModel({ id: 'local/echo' })] });
    await ready(page);
    const dear = await answering(undefined, async () => {
      page.say({ type: 'run', form: formOf('local/echo') });
      await eventually('that it was called off', () => page.posted.some(({ type }) => type === 'notStarted'));
    });
    assert.deepEqual(dear.asked, ['Send 4 requests?']);
    assert.equal(service.asked().length, 0);
    const cheap = await answering(undefined, async () => {
      page.say({ type: 'run', form: formOf('local/echo', { repeats: '1' }) });
      await page.ended();
    });
    assert.deepEqual([cheap.asked, service.asked().length], [[], 1]);
  });

  it('keeps to its concurrency and its limit, counted at the service', async () => {
    // No reply ends before as many as may run at once have begun.
    service = await windows.serve({ tokensPerSecond: 0.1 });
    const page = await windows.open({ asked: service });
    await ready(page);
    let most = 0;
    const running = () => service.asked().filter(({ outcome }) => outcome === 'running').length;
    const counting = setInterval(() => (most = Math.max(most, running())), 1);
    page.say({ type: 'run', form: formOf('local/writer', { repeats: '8', concurrency: '3', limitRequests: '7' }) });
    await eventually('three at once', () => running() === 3);
    service.setSpeed(100);
    const { notes, open: left } = await page.ended();
    clearInterval(counting);
    assert.deepEqual([service.asked().length, most, left], [7, 3, 0]);
    assert.match(notes.join(' '), /limit/i);
  });

  it('keeps its results when credits run out, says so, and sends the rest once credits are added', async () => {
    // Enough for only the first request.
    service = await windows.serve({ credits: 1e-9 });
    const page = await windows.open({ asked: service });
    await ready(page);
    page.say({ type: 'run', form: formOf('local/echo') });
    const first = await page.ended();
    assert.deepEqual([first.ended, first.open, service.asked().length], [1, 3, 2]);
    assert.match(first.notes.join(' '), /Nothing more was sent to local\/echo: Out of credits/);
    service.addCredits(1);
    page.say({ type: 'resume', id: first.id });
    const { groups, open: left } = await page.ended();
    assert.deepEqual([groups[0]?.done, left, service.asked().length], [4, 0, 5]);
  });

  it("isn't resumed with a limit of the cost once the model list has no price, and says so", async () => {
    service = await windows.serve({ credits: 1e-9 });
    const models = [listedModel({ id: 'local/echo' })];
    const page = await windows.open({ asked: service, models });
    await ready(page);
    page.say({ type: 'run', form: formOf('local/echo', { limitCost: '100000' }) });
    const first = await page.ended();
    assert.equal(first.open, 3);
    service.addCredits(1);
    models.length = 0;
    const sent = service.asked().length;
    page.say({ type: 'resume', id: first.id });
    const refused = () => page.posted.find((message) => message.type === 'notStarted')?.problem;
    await eventually('the reason', () => refused() !== undefined);
    assert.deepEqual([refused()?.title, service.asked().length], ['No price known', sent]);
    assert.match(refused()?.detail ?? '', /can't be limited\. Nothing was sent\.$/);
  });

  it('waits while the service limits requests, shows that, and loses none', async () => {
    // Its clock stands still meanwhile: it would refill as fast as a busy machine sends.
    let now = Date.now();
    service = await windows.serve({ requestsPerMinute: 60, now: () => now });
    const page = await windows.open({ asked: service });
    await ready(page);
    page.say({ type: 'run', form: formOf('local/echo', { repeats: '62', concurrency: '4' }) });
    const isPause = (message: ToMeasurePage) =>
      message.type === 'progressed' && message.progress.pausedUntil !== undefined;
    await eventually('the pause', () => page.posted.some(isPause), 60_000);
    now += 60_000;
    const { groups, notes } = await page.ended();
    assert.deepEqual([groups[0]?.done, groups[0]?.failed], [62, 0]);
    assert.match(notes.join(' '), /^The service temporarily refused \d+ requests?\./);
  });

  it('keeps its results when the service dies halfway, and says so', async () => {
    service = await windows.serve({ tokensPerSecond: 100 });
    const page = await windows.open({ asked: service });
    await ready(page);
    page.say({ type: 'run', form: formOf('local/writer', { repeats: '30' }) });
    await eventually('some replies', () => service.asked().length > 3);
    await service.close();
    const { ended, open: left, groups, notes } = await page.ended();
    assert.ok(ended >= 3 && left > 0, `${ended} ended, ${left} left`);
    assert.ok((groups[0]?.done ?? 0) >= 2);
    assert.match(notes.join(' '), /Nothing more was sent to local\/writer/);
  });

  it("sends nothing more once the settings name another service, in this run or when it's resumed", async () => {
    service = await windows.serve({ tokensPerSecond: 100 });
    const other = await windows.serve();
    const settings = { asked: service };
    const page = await windows.open(settings);
    await ready(page);
    page.say({ type: 'run', form: formOf('local/writer', { repeats: '20' }) });
    await eventually('some replies', () => service.asked().length > 2);
    settings.asked = other;
    const first = await page.ended();
    assert.match(first.notes.join(' '), /This service was removed/);
    const sent = service.asked().length;
    assert.deepEqual([other.asked().length, first.open], [0, 20 - first.ended]);
    page.say({ type: 'resume', id: first.id });
    assert.equal((await page.ended()).open, first.open);
    assert.deepEqual([other.asked().length, service.asked().length], [0, sent]);
    settings.asked = service;
    page.say({ type: 'resume', id: first.id });
    assert.deepEqual([(await page.ended()).open, other.asked().length], [0, 0]);
  });

  it("runs in one window at a time: the other shows that and can't delete it until then", async () => {
    service = await windows.serve();
    const mine = await windows.open({ asked: service });
    const other = await windows.open({ asked: service, experiments: mine.experiments });
    await ready(mine);
    mine.say({ type: 'run', form: formOf('local/fault-hang') });
    await eventually('the request', () => service.asked().length === 1);
    await ready(other);
    const snapshot = other.posted.find((message) => message.type === 'snapshot');
    const id = snapshot?.type === 'snapshot' ? (snapshot.snapshot.runs[0]?.id ?? '') : '';
    const { notes, open: left } = (snapshot?.type === 'snapshot' && snapshot.snapshot.result) || assert.fail();
    assert.deepEqual([notes, left], [['This measurement is running in another window.'], 0]);
    using answers = new Answers();
    answers.onDialog = () => Promise.resolve('Delete');
    other.say({ type: 'resume', id });
    await answers.notice('This measurement is running in another window.');
    answers.notices.length = 0;
    other.say({ type: 'deleteRun', id });
    await answers.notice('This measurement is running in another window.');
    assert.equal(service.asked().length, 1);
    mine.say({ type: 'stop' });
    await mine.ended();
  });

  it('shows no run in progress in a tab that is shown again just as the run ends', async () => {
    service = await windows.serve();
    const gate = Promise.withResolvers<boolean>();
    let isSlow = false;
    const page = await windows.open({
      asked: service,
      isOverBudget: () => (isSlow ? gate.promise : Promise.resolve(false)),
    });
    await ready(page);
    page.say({ type: 'run', form: formOf('local/fault-hang') });
    await eventually('the request', () => service.asked().length === 1);
    page.posted.length = 0;
    isSlow = true;
    page.say({ type: 'ready' });
    page.say({ type: 'stop' });
    const { id } = await page.ended();
    gate.resolve(false);
    await eventually('the snapshot', () => page.posted.some(({ type }) => type === 'snapshot'));
    const last = page.posted.find((message) => message.type === 'snapshot')?.snapshot;
    assert.deepEqual([last?.progress, last?.result?.id, last?.result?.endedAt !== undefined], [undefined, id, true]);
  });

  it('says that another window has deleted a measurement, whichever action finds that out, and shows another one', async () => {
    service = await windows.serve();
    const page = await windows.open({ asked: service });
    await ready(page);
    const measure = async () => {
      page.say({ type: 'run', form: formOf('local/echo', { repeats: '1' }) });
      return (await page.ended()).id;
    };
    const kept = await measure();
    for (const act of ['showRun', 'compareWith', 'exportRun', 'resume'] as const) {
      const id = await measure();
      using answers = new Answers();
      assert.equal(await page.experiments.store.remove(id), true);
      page.say(act === 'exportRun' ? { type: act, id, format: 'csv' } : { type: act, id });
      await answers.notice('This measurement was deleted.');
      const found = () => page.posted.find((message) => message.type === 'snapshot')?.snapshot;
      await eventually('the snapshot', () => found() !== undefined);
      assert.deepEqual([found()?.runs.map((run) => run.id), found()?.result?.id], [[kept], kept], act);
      page.posted.length = 0;
    }
    // Or when the tab is shown again.
    await page.experiments.store.remove(kept);
    await ready(page);
    const last = page.posted.find((message) => message.type === 'snapshot')?.snapshot;
    assert.deepEqual([last?.runs, last?.result], [[], undefined]);
  });

  it("opens the requests of the run under way, even if an earlier run's results are asked for", async () => {
    service = await windows.serve();
    const page = await windows.open({ asked: service });
    await ready(page);
    page.say({ type: 'run', form: formOf('local/echo') });
    const former = await page.ended();
    page.say({ type: 'run', form: formOf('local/fault-hang') });
    await eventually('the request', () => service.asked().some(({ model }) => model === 'local/fault-hang'));
    page.say({ type: 'showRun', id: former.id });
    page.say({ type: 'openRequest', attempt: 'a' });
    await eventually('the request that was opened', () => page.opened.length > 0);
    page.say({ type: 'stop' });
    assert.deepEqual(page.opened, [(await page.ended()).id]);
  });

  it('asks for the variables of a prompt file and sends them in each request', async () => {
    const uri = vscode.Uri.file(join(windows.folder, 'review.prompt.md'));
    await writeFile(uri.fsPath, 'Review ${input:what:What to review} in ${languageId}, not ${HOME}.');
    using answers = new Answers();
    const asked: string[] = [];
    answers.onInput = (prompt) => {
      asked.push(prompt);
      return Promise.resolve(prompt.startsWith('Enter') ? 'Rust' : 'a loop');
    };
    const taken = await promptOfFile(uri);
    assert.deepEqual(asked, ['What to review', 'Enter the text for "languageId". Each request sends the same.']);
    assert.ok(taken !== undefined && 'prompt' in taken);
    service = await windows.serve();
    const page = await windows.open({ asked: service });
    await ready(page);
    await page.host.use({ prompt: { from: 'promptFile', taken: taken.prompt } });
    page.say({ type: 'run', form: { ...formOf('local/echo', { repeats: '2' }), workload: 'promptFile' } });
    await page.ended();
    const bodies = service.asked().map(({ requestBody }) => JSON.stringify(requestBody));
    assert.equal(bodies.length, 2);
    for (const body of bodies) assert.match(body, /Review a loop in Rust, not \$\{HOME\}\./);
    answers.onInput = () => Promise.resolve(undefined);
    assert.equal(await promptOfFile(uri), undefined);
  });

  it('has the last change of its form on disk before the window closes', async () => {
    service = await windows.serve();
    const { experiments } = await windows.open({ asked: service });
    const endings: (() => Promise<void>)[] = [];
    const panel = registerMeasure({
      commands: { handle: () => undefined },
      extensionUri: vscode.extensions.getExtension('parlance.parlance')?.extensionUri ?? assert.fail(),
      storageUri: vscode.Uri.file(windows.folder),
      experiments: () => Promise.resolve(experiments),
      settings: { requestsDailyBudget: { value: null } },
      services: { all: [], for: () => undefined },
      log: { error: assert.ifError, debug: () => undefined },
      notifier: { problem: assert.ifError },
      atEnd: (write: () => Promise<void>) => void endings.push(write),
    } as unknown as MeasureDeps);
    try {
      await panel.open().use({ models: [{ id: 'local/writer' }] });
      await Promise.all(endings.map((write) => write()));
      const form = await readFile(join(windows.folder, 'measureForm.json'), 'utf8');
      assert.match(form, /"local\/writer"/);
    } finally {
      panel.dispose();
    }
  });
});
