import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SentReply } from '../../../../src/core/experiments/experimentRun.ts';
import { openExperiments } from '../../../../src/vscode/experiments/openExperiments.ts';
import { someExperiment } from '../../core/experiments/someExperiment.ts';
import { RequestsHere } from '../requests/requestsHere.ts';

describe('A run of an experiment in a window', () => {
  let here: RequestsHere;
  let folder: string;

  before(async () => {
    here = await RequestsHere.start();
  });
  after(() => here.stop());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-open-experiments-'));
  });
  afterEach(async () => {
    await here.clear();
    await rm(folder, { recursive: true, force: true });
  });

  it('sends nothing to any other host than its first request did, even if the experiment names none', async () => {
    const { calls } = here.window();
    let host = 'one.test';
    const { store, start } = openExperiments({
      folder,
      find: () => undefined,
      hostOf: () => host,
      replyTokensOf: () => undefined,
      callsFor: (model, origin) => calls.from(origin).forModel(model),
      clean: (data) => data,
      cleanBody: (data) => data,
      onError: (error) => assert.fail(String(error)),
      onUnsaved: (error) => assert.fail(String(error)),
    });
    const experiment = someExperiment({ kind: 'checks', models: [{ id: 'local/echo' }], repeats: 3 });
    await store.create(experiment);
    const before = here.service.asked().length;
    const replies: SentReply[] = [];
    const run = async () => {
      const started = await start(experiment, {
        onEnded: (_planned, reply) => {
          replies.push(reply);
          host = 'two.test';
        },
      });
      await store.ended(started?.run.id ?? '');
    };
    await run();
    assert.equal(here.service.asked().length - before, 1);
    assert.deepEqual(
      replies.map(({ outcome, wasSent, failure }) => [outcome, wasSent, failure?.kind]),
      [
        ['done', true, undefined],
        ['failed', false, 'setup'],
      ],
    );
    // A user who starts it again means the service that is there now.
    await run();
    assert.equal(here.service.asked().length - before, 3);
  });
});
