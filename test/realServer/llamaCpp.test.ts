import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Experiment } from '../../src/core/experiments/experiment.ts';
import { replyFigures } from '../../src/core/experiments/experimentFigures.ts';
import { quantile } from '../../src/core/models/measuredModel.ts';
import { ExperimentStore } from '../../src/vscode/experiments/experimentStore.ts';
import { recordedSender } from '../../src/vscode/experiments/recordedSender.ts';
import { systemClock } from '../../src/api/clock.ts';
import { problemOf } from '../../src/core/problems/problemOf.ts';
import type { ApiFailure } from '../../src/shared/apiFailure.ts';
import { failureOf, outcomeOf, type TestClient, testClient } from '../unit/api/testClient.ts';
import { waitUntil } from '../ui/waitUntil.ts';
import { findLlamaServer, type LlamaServer, startLlamaServer } from './llamaServer.ts';
import { contextLength } from './tinyModel.ts';
import { listModels } from '../../src/api/operations/listModels.ts';
import { chatCompletion } from '../../src/api/operations/chatCompletion.ts';
import { imageGeneration } from '../../src/api/operations/imageGeneration.ts';

const command = await findLlamaServer();
const key = 'a-key-for-llama';
const tinyPng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

// A server that isn't ours. If there's none, each test is skipped, and the suite fails.
describe("llama.cpp's own server", function () {
  this.timeout(60_000);
  let server: LlamaServer;
  let tested: TestClient;

  before('start it', async function () {
    if (command === undefined) {
      console.log('No llama-server on PATH, and LLAMA_SERVER names none: nothing to try.');
      return this.skip();
    }
    server = await startLlamaServer(command);
    tested = testClient(server.origin, { apiKey: null, clock: systemClock });
  });
  after('stop it', async () => {
    tested?.dispose();
    await server?.close();
  });

  const ask = (content: string, more: { readonly max_tokens?: number } = {}) => ({
    model: 'tiny',
    messages: [{ role: 'user' as const, content }],
    stream: true,
    ...more,
  });

  it('lists its model and its context window', async () => {
    const [model, ...others] = await tested.client.ask(listModels);
    assert.deepEqual(others, []);
    assert.equal(model?.id, 'tiny');
    assert.equal(model?.contextWindow, contextLength);
  });

  it('streams a reply, which ends at its limit, with its own speed', async () => {
    const { text, finish, complete, metrics, failure } = await outcomeOf(
      tested.client.stream(chatCompletion(ask('Hello', { max_tokens: 20 }))),
    );
    assert.equal(failure, undefined);
    assert.ok(text.length > 0);
    assert.equal(finish, 'length');
    assert.equal(complete, false);
    assert.ok((metrics?.tokensPerSecond ?? 0) > 0);
  });

  it('returns the same in one piece, with its token counts', async () => {
    const { usage, finish } = await outcomeOf(
      tested.client.stream(chatCompletion({ ...ask('Hello', { max_tokens: 20 }), stream: false })),
    );
    assert.equal(finish, 'length');
    assert.equal(usage?.completionTokens, 20);
    assert.ok((usage?.promptTokens ?? 0) > 5);
  });

  it('measures the same speed as the server, within 5%', async () => {
    const experiment: Experiment = {
      id: 'measurement-llama',
      kind: 'measurement',
      prompts: [{ id: 'p', messages: [{ role: 'user', content: 'Hello' }] }],
      models: [{ id: 'tiny' }],
      repeats: 12,
      order: 'interleaved',
      // It writes one reply at a time, so of two at once, one waits.
      concurrency: [1, 2],
      warmUp: 2,
      hasUniquePrefix: true,
      keepsReplies: false,
      limits: {},
      options: { stream: true, maxTokens: 400 },
    };
    const folder = await mkdtemp(join(tmpdir(), 'parlance-llama-measured-'));
    try {
      const store = new ExperimentStore({ folder, onError: assert.ifError, onUnsaved: assert.ifError });
      await store.create(experiment);
      const started = await store.start(experiment.id, {
        clock: systemClock,
        newId: () => crypto.randomUUID(),
        modelOf: () => undefined,
        send: recordedSender({
          experimentId: experiment.id,
          keepsReplies: false,
          callsFor: () => tested.client,
          clean: (data) => data,
          cleanBody: (data) => data,
        }),
      });
      await store.ended(started?.run.id ?? '');
      const attempts = started?.file.log.attempts() ?? [];
      for (const load of experiment.concurrency) {
        const samples = attempts.flatMap(({ request, end }) =>
          request.startsWith(`c${load}.`) && end?.sample !== undefined ? [end.sample] : [],
        );
        assert.equal(samples.length, 12);
        const middle = (values: readonly number[]) => quantile(values, 0.5);
        const here = middle(samples.flatMap((sample) => replyFigures(sample).tokensPerSecond ?? []));
        const there = middle(samples.flatMap(({ service }) => service?.tokensPerSecond ?? []));
        const shown = `${load} at once: ${here} tok/s here, ${there} at the server`;
        assert.ok(Math.abs(here - there) <= there * 0.05, shown);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('stops writing when a reply is stopped', async () => {
    const stop = new AbortController();
    const events = tested.client.stream(chatCompletion(ask('Go on and on')), { signal: stop.signal });
    await assert.rejects(async () => {
      for await (const event of events) {
        if (event.type !== 'text') continue;
        stop.abort();
      }
    });
    await waitUntil('a server with nothing to do', async () => (await server.busySlots()) === 0, 20_000);
  });

  it('reports a message that is too long as a matter of the context window, not of the URL', async () => {
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(ask('too long '.repeat(contextLength)))));
    assert.equal(failure?.kind, 'contextTooLong');
    assert.match(wordsOf(failure), /context/i);
    assert.doesNotMatch(wordsOf(failure), /base (URL|address)/i);
  });

  it("has no image input: its own message is shown, and it's asked once", async () => {
    const image = { type: 'image_url' as const, image_url: { url: `data:image/png;base64,${tinyPng}` } };
    const { failure } = await outcomeOf(
      tested.client.stream(
        chatCompletion({ model: 'tiny', messages: [{ role: 'user', content: [image] }], stream: true }),
        { api: 'compatible' },
      ),
    );
    assert.ok(failure && 'message' in failure && failure.message.length > 0);
    assert.ok(wordsOf(failure).includes(failure.message.slice(0, 60)));
    assert.equal(tested.exchanges.at(-1)?.path, '/v1/chat/completions');
  });

  it('generates no images: that is reported about the service, not blamed on the URL', async () => {
    const failure = await failureOf(tested.client.ask(imageGeneration({ model: 'tiny', positive_prompt: 'a bridge' })));
    assert.doesNotMatch(wordsOf(failure), /base (URL|address)/i);
  });

  describe('with a key', () => {
    let locked: LlamaServer;
    before('start it', async () => {
      locked = await startLlamaServer(command ?? '', ['--api-key', key]);
    });
    after('stop it', () => locked?.close());

    it('accepts the right one', async () => {
      const { client, dispose } = testClient(locked.origin, { apiKey: key, clock: systemClock });
      const { failure } = await outcomeOf(client.stream(chatCompletion(ask('Hello', { max_tokens: 3 }))));
      dispose();
      assert.equal(failure, undefined);
    });

    it('rejects a wrong one, with its own message', async () => {
      const { client, dispose } = testClient(locked.origin, { apiKey: 'wrong', clock: systemClock });
      const { failure } = await outcomeOf(client.stream(chatCompletion(ask('Hello', { max_tokens: 3 }))));
      dispose();
      assert.equal(failure?.kind, 'unauthorized');
      assert.match(wordsOf(failure), /invalid api key/i);
    });
  });
});

function wordsOf(failure: ApiFailure): string {
  const context = { during: 'chat', model: 'tiny', pages: {}, hasPartialText: false, now: Date.now() } as const;
  const { title, detail } = problemOf(failure, context);
  return `${title} ${detail}`;
}
