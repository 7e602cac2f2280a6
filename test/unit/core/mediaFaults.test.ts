import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../../src/api/apiError.ts';
import { mayHaveBeenMade } from '../../../src/api/calls/mayHaveBeenMade.ts';
import { MediaJobs } from '../../../src/core/media/mediaJobs.ts';
import { problemOf } from '../../../src/core/problems/problemOf.ts';
import type { ApiFailure } from '../../../src/shared/apiFailure.ts';
import { MediaFolder } from '../../../src/vscode/media/mediaFolder.ts';
import { MediaStore } from '../../../src/vscode/media/mediaStore.ts';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { createModels } from '../../service/models/createModels.ts';
import { type TestClient, testClient } from '../api/testClient.ts';
import { heldTimers } from '../heldTimers.ts';
import { wavFile } from '../service/sampleFiles.ts';
import { audioTranscription } from '../../../src/api/operations/audioTranscription.ts';

/** Faults after which certainly nothing was done. */
const refused =
  /-(400|401|402|403|404|413|418|429)$|-(redirect(?!-303)|proxy-login|html-200|wait)|-body-(string|detail|message)$/;
/** Repeated if it wasn't accepted and the wait is known, as long as the window has retries left. */
const repeated = /-429$|-wait-(date|ms)$/;
/** Only a timeout ends these. The others get an answer, which can take seconds on a busy machine. */
const endless = /-(left-open|hang|headers-only|silence|comments-only)$/;
/** The endless ones first, so that all of these are waiting at the same time. */
const faults = [...createModels(Date.now, 0).keys()]
  .filter((id) => /^local\/(error|fault)-/.test(id))
  .toSorted((one, other) => Number(endless.test(other)) - Number(endless.test(one)));
/** The length of no other timer. The test decides when it has passed. */
const hastyMs = 12_345;
const atOnce = 30;

describe('Every fault of the service', () => {
  let service: InferenceService;
  let patient: TestClient;
  let hasty: TestClient;
  const clientFor = (model: string) => (endless.test(model) ? hasty : patient).client;
  let folder: string;
  /** All at the same time, because most of them take time to wait. */
  let tried: Readonly<Record<'video' | 'image' | 'audio', Promise<void>>>;

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity });
    const clientWith = (ms: number) => {
      const timeouts = { videoMs: ms, imageMs: ms, transcriptionMs: ms };
      return testClient(service.origin, { apiKey: service.apiKey, timeouts, mediaApi: 'native' });
    };
    patient = clientWith(150_000);
    hasty = clientWith(hastyMs);
    folder = await mkdtemp(join(tmpdir(), 'parlance-faults-'));
    using limit = heldTimers(hastyMs);
    tried = { video: generated('video'), image: generated('image'), audio: transcribed() };
    const all = Promise.allSettled(Object.values(tried));
    await endlessArrived();
    // A timer might begin only after its request has arrived.
    const passing = setInterval(() => limit.pass(hastyMs), 5);
    await all;
    clearInterval(passing);
  });
  after(async () => {
    patient.dispose();
    hasty.dispose();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Until the service has every request of an endless fault. */
  async function endlessArrived(): Promise<void> {
    for (const model of faults.filter((each) => endless.test(each))) {
      for (const path of [/videos/, /image/, /audio/]) {
        await service.waitForEntry((entry) => entry.model === model && path.test(entry.path));
      }
    }
  }

  async function forEachFault(check: (model: string) => Promise<void>): Promise<void> {
    for (let from = 0; from < faults.length; from += atOnce) {
      await Promise.all(faults.slice(from, from + atOnce).map(check));
    }
  }

  function isSentOnce(model: string, path: RegExp): void {
    const count = service.log().filter((entry) => entry.model === model && path.test(entry.path)).length;
    assert.ok(repeated.test(model) ? count >= 1 && count <= 3 : count === 1, `${model} was asked ${count} times`);
  }

  function hasWords(failure: ApiFailure, model: string): void {
    const context = { during: 'command', model, pages: {}, hasPartialText: false, now: Date.now() } as const;
    const { title, detail } = problemOf(failure, context);
    assert.ok(title.length > 5 && detail.length > 10, `${model}: ${title}. ${detail}`);
    assert.ok(!`${title} ${detail}`.includes('<'), `${model}: ${detail}`);
  }

  async function generated(kind: 'video' | 'image'): Promise<void> {
    const unexpected: unknown[] = [];
    const store = new MediaStore({
      path: join(folder, kind, 'runs.jsonl'),
      writer: 'w1',
      onError: (error) => unexpected.push(error),
      onChange: () => {},
    });
    const jobs = new MediaJobs({
      clientFor,
      downloadsFor: clientFor,
      files: new MediaFolder(join(folder, kind), 'w1'),
      record: (fact) => store.append(fact),
      redact: (failure) => failure,
      pid: process.pid,
      estimate: () => undefined,
      newId: () => crypto.randomUUID(),
      onProgress: () => {},
      onWaiting: () => {},
      now: Date.now,
      onUnexpected: (error) => unexpected.push(error),
    });
    await forEachFault(async (model) => {
      const parameters = { kind, model, prompt: 'A kite' } as const;
      const { id, over } = await jobs.start(parameters);
      await over;
      const run = store.library.get(id) ?? assert.fail();
      assert.equal(run.outcome, refused.test(model) ? 'failed' : 'unknown', `${model}: ${JSON.stringify(run.failure)}`);
      assert.deepEqual(run.parameters, parameters);
      hasWords(run.failure ?? assert.fail(model), model);
      isSentOnce(model, kind === 'video' ? /videos/ : /image/);
    });
    assert.deepEqual(unexpected, []);
    store.dispose();
  }

  async function transcribed(): Promise<void> {
    const file = { name: 'a.wav', mediaType: 'audio/wav', bytes: wavFile({ seconds: 0.2 }) };
    await forEachFault(async (model) => {
      try {
        const { text } = await clientFor(model).ask(audioTranscription({ model, file }), { api: 'native' });
        // A body that is labeled plain text is accepted.
        assert.equal(model, 'local/fault-wrong-content-type', text);
      } catch (error) {
        assert.ok(error instanceof ApiError, `${model}: ${String(error)}`);
        assert.equal(
          mayHaveBeenMade(error.failure),
          !refused.test(model),
          `${model}: ${JSON.stringify(error.failure)}`,
        );
        hasWords(error.failure, model);
      }
      isSentOnce(model, /audio/);
    });
  }

  it('leaves a video either refused or unknown, with its parameters, and is sent once', () => tried.video);
  it('leaves an image either refused or unknown, with its parameters, and is sent once', () => tried.image);
  it('ends a transcription with a message, and is sent once', () => tried.audio);
});
