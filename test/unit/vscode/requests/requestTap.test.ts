import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/apiError.ts';
import type { ChatEvent } from '../../../../src/api/types.ts';
import { type ChatRequest, chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';
import type { LoggedRequest } from '../../../../src/core/requests/requestLog.ts';
import { uniquePrefix } from '../../../../src/core/experiments/uniquePrefix.ts';
import { requestTitle } from '../../../../src/core/requests/requestWords.ts';
import type { OpenRequestLog } from '../../../../src/vscode/requests/openRequestLog.ts';
import { RequestsHere } from './requestsHere.ts';
import { listModels } from '../../../../src/api/operations/listModels.ts';
import { imageGeneration } from '../../../../src/api/operations/imageGeneration.ts';
import { videoGeneration } from '../../../../src/api/operations/videoGeneration.ts';
import { audioTranscription } from '../../../../src/api/operations/audioTranscription.ts';
import { failOnFaults } from '../../../workbench/failOnFaults.ts';

function asking(content: string, model = 'local/echo'): ChatRequest {
  return { model, messages: [{ role: 'user', content }], stream: true };
}

async function eventsOf(stream: AsyncIterable<ChatEvent>): Promise<readonly ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const sorted = (items: readonly string[]) => [...items].toSorted();

async function onlyRequest({ history }: OpenRequestLog): Promise<LoggedRequest> {
  const requests = await history.requests();
  assert.equal(requests.length, 1);
  return requests[0] ?? assert.fail();
}

describe('The request history', () => {
  let here: RequestsHere;
  before(async () => {
    here = await RequestsHere.start();
  });
  after(() => here.stop());
  afterEach(async () => {
    await here.clear();
  });
  failOnFaults('no error was reported', () => here.errors.splice(0));

  it('has a chat with model, outcome, speed, tokens, and request ID, even after a restart', async () => {
    const window = here.window();
    const origin = { kind: 'chat', conversationId: 'c1' } as const;
    await eventsOf(
      window.calls
        .from(origin)
        .to('service')
        .stream(chatCompletion(asking('Say this back'))),
    );
    const request = await onlyRequest(window);
    assert.equal(request.model, 'local/echo');
    assert.deepEqual(request.origin, origin);
    assert.equal(request.end?.outcome, 'done');
    assert.equal(request.end.status, 200);
    assert.match(request.end.requestId ?? '', /^req_/);
    assert.deepEqual(Object.keys(request.end.metrics).toSorted(), [
      'completionTokens',
      'promptTokens',
      'timeToFirstTokenSeconds',
      'tokensPerSecond',
      'totalSeconds',
    ]);
    await window.history.flush();
    assert.deepEqual(await onlyRequest(here.window()), request);
  });

  it('stops a running request in the way of its sender, and no other one', async () => {
    const { calls, history } = here.window();
    const aborts = [new AbortController(), new AbortController()];
    const ends = aborts.map((abort) =>
      assert.rejects(
        eventsOf(
          calls
            .from({ kind: 'prompt', prompt: 'Fix' }, () => abort.abort())
            .to('service')
            .stream(chatCompletion(asking('Write 900 tokens about trees', 'local/slow')), { signal: abort.signal }),
        ),
      ),
    );
    const [first, second] = history.own().map(({ id }) => id);
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual([history.canStop(first), history.canStop(second)], [true, true]);
    history.stop(first);
    await ends[0];
    assert.deepEqual([history.canStop(first), history.canStop(second)], [false, true]);
    assert.equal(aborts[1]?.signal.aborted, false);
    history.stop(second);
    await ends[1];
  });

  it('tells each sender which request is its own, even if two send the same', async () => {
    const { calls, history } = here.window();
    const ids: string[] = [];
    const again = { kind: 'again', repeats: 'r1' } as const;
    const send = (model: string, started: (id: string) => void) =>
      eventsOf(
        calls
          .from(again, undefined, started)
          .to('service')
          .stream(chatCompletion(asking('Hi', model))),
      );
    await Promise.all([send('local/echo', (id) => (ids[0] = id)), send('local/fast', (id) => (ids[1] = id))]);
    assert.deepEqual(
      ids.map((id) => history.find(id)?.model),
      ['local/echo', 'local/fast'],
    );
  });

  it("can't stop a request whose sender offers no way to", async () => {
    const { calls, history } = here.window();
    const reply = eventsOf(
      calls
        .from({ kind: 'other' })
        .to('service')
        .stream(chatCompletion(asking('Say this back'))),
    );
    assert.deepEqual(
      history.own().map(({ id }) => history.canStop(id)),
      [false],
    );
    await reply;
  });

  it('remembers that a request had no key, for copying it as code', async () => {
    const { baseUrl, nativeUrl } = here.service;
    const keyless = here.client(() =>
      Promise.resolve({ baseUrl: new URL(baseUrl), nativeUrl: new URL(nativeUrl), apiKey: undefined }),
    );
    const window = here.window({ callsOf: () => keyless });
    await assert.rejects(
      eventsOf(
        window.calls
          .from({ kind: 'other' })
          .to('service')
          .stream(chatCompletion(asking('Hi'))),
      ),
    );
    const { id } = await onlyRequest(window);
    await window.history.flush();
    const later = here.window();
    await later.history.requests();
    assert.equal((await later.history.bodies(id)).request?.isKeyless, true);
  });

  it('names a request of an experiment by its question, without the unique prefix', async () => {
    const window = here.window();
    const prefix = uniquePrefix('a1');
    for (const attempt of ['a1', 'a2']) {
      const origin = { kind: 'experiment', experiment: { id: 'measurement-1', attempt } } as const;
      await eventsOf(
        window.calls
          .from(origin)
          .to('service')
          .stream(chatCompletion(asking(`${prefix}Name a bird`))),
      );
    }
    const requests = await window.history.requests();
    // Only its own prefix: brackets that someone wrote stay.
    assert.deepEqual(requests.map(requestTitle), ['[a1] Name a bird', 'Name a bird']);
  });

  it('stores which tools a model called', async () => {
    const window = here.window();
    const tools = [{ type: 'function', function: { name: 'get_time' } }] as const;
    await eventsOf(
      window.calls
        .to('service')
        .stream(chatCompletion({ ...asking('Call get_time {"zone":"UTC"}', 'local/caller'), tools })),
    );
    const { id, end } = await onlyRequest(window);
    assert.equal(end?.finishReason, 'tool_calls');
    const { response } = await window.history.bodies(id);
    const called = { name: 'get_time', arguments: '{"zone":"UTC"}' };
    assert.ok(JSON.stringify(response).includes(JSON.stringify(called)));
  });

  it('stores the request that was replied to, if the service has only one of its two APIs', async () => {
    const { baseUrl, origin, apiKey } = here.service;
    const endpoint = { baseUrl: new URL(baseUrl), nativeUrl: new URL(`${origin}/nowhere`), apiKey };
    const either = here.client(() => Promise.resolve(endpoint), { imageApi: () => 'auto' });
    const window = here.window({ callsOf: () => either });
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }] }] as const;
    const asked = { ...asking('', 'local/vision'), messages };
    await eventsOf(window.calls.to('service').stream(chatCompletion(asked)));
    const { id, end } = await onlyRequest(window);
    assert.equal(end?.status, 200);
    const { request } = await window.history.bodies(id);
    assert.deepEqual(request, { method: 'POST', url: `${baseUrl}/chat/completions`, body: asked });
    await window.history.flush();
    const later = here.window();
    await later.history.requests();
    assert.deepEqual((await later.history.bodies(id)).request, request);
  });

  it('stores the request as it was sent and the assembled reply', async () => {
    const window = here.window();
    // A header's name in the text isn't a header.
    const asked = asking('Grüße, “Welt” 🌍\ncurl -H "Authorization: Bearer $SERVICE_API_KEY" https://me:you@x.test\n');
    await eventsOf(window.calls.to('service').stream(chatCompletion(asked)));
    const { id } = await onlyRequest(window);
    const { request, response } = await window.history.bodies(id);
    assert.deepEqual(request, { method: 'POST', url: `${here.service.baseUrl}/chat/completions`, body: asked });
    const message = { role: 'assistant', content: asked.messages[0]?.content };
    assert.deepEqual(response?.['choices'], [{ index: 0, message, finish_reason: 'stop' }]);
    assert.deepEqual(Object.keys(response).toSorted(), [
      'choices',
      'created',
      'id',
      'model',
      'object',
      'usage',
      'x_metrics',
    ]);
  });

  it("passes on the service's events unchanged", async () => {
    const seen = (events: readonly ChatEvent[]) =>
      events.map((event) => (['opened', 'metrics', 'response'].includes(event.type) ? event.type : event));
    const plain = await eventsOf(here.client().stream(chatCompletion(asking('One two three'))));
    const recorded = await eventsOf(
      here
        .window()
        .calls.to('service')
        .stream(chatCompletion(asking('One two three'))),
    );
    assert.deepEqual(seen(plain), seen(recorded));
    assert.ok(plain.some((event) => event.type === 'end' && event.complete));
  });

  it('distinguishes failed, stopped, and left', async () => {
    const window = here.window();
    await assert.rejects(eventsOf(window.calls.to('service').stream(chatCompletion(asking('x', 'local/error-402')))));
    const abort = new AbortController();
    const stopped = window.calls
      .to('service')
      .stream(chatCompletion(asking('word '.repeat(500))), { signal: abort.signal });
    await assert.rejects(async () => {
      for await (const event of stopped) if (event.type === 'text') abort.abort();
    });
    for await (const event of window.calls.to('service').stream(chatCompletion(asking('word '.repeat(500)))))
      if (event.type === 'text') break;
    const outcomes = (await window.history.requests()).map(({ end }) => String(end?.outcome));
    assert.deepEqual(sorted(outcomes), ['failed', 'stopped', 'stopped']);
    const failed = (await window.history.requests()).find(({ end }) => end?.outcome === 'failed');
    assert.equal(failed?.end?.failure?.kind, 'outOfCredits');
    assert.equal(failed.end.status, 402);
    const { response } = await window.history.bodies(failed.id);
    assert.deepEqual(response?.['error'], failed.end.failure);
  });

  it('is finished if the caller continues at the end of the stream', async () => {
    const window = here.window();
    for await (const event of window.calls.to('service').stream(chatCompletion(asking('One two'))))
      if (event.type === 'end') break;
    assert.equal((await onlyRequest(window)).end?.outcome, 'done');
  });

  it('has the progress of a running request', async () => {
    const window = here.window();
    const events = window.calls.to('service').stream(chatCompletion(asking('word '.repeat(500))));
    const stream = events[Symbol.asyncIterator]();
    let step = await stream.next();
    while (step.done !== true && step.value.type !== 'text') step = await stream.next();
    const running = await onlyRequest(window);
    assert.equal(running.end, undefined);
    const { timeToFirstTokenSeconds, completionTokens, totalSeconds } = window.history.progress(running);
    assert.ok(timeToFirstTokenSeconds !== undefined && completionTokens !== undefined && totalSeconds !== undefined);
    // Another window knows only when it started.
    assert.deepEqual(Object.keys(here.window().history.progress(running)), ['totalSeconds']);
    await stream.return?.();
    assert.equal((await onlyRequest(window)).end?.outcome, 'stopped');
  });

  it('has nothing about requests that were never sent', async () => {
    const setup = new ApiError({ kind: 'setup', missing: 'apiKey' });
    const client = here.client(() => Promise.reject(setup));
    const window = here.window({ callsOf: () => client });
    await assert.rejects(eventsOf(window.calls.to('service').stream(chatCompletion(asking('x')))), setup);
    await assert.rejects(window.calls.to('service').ask(listModels), setup);
    await assert.rejects(
      eventsOf(
        here
          .window()
          .calls.to('service')
          .stream(chatCompletion(asking('x')), { signal: AbortSignal.abort() }),
      ),
      {
        name: 'AbortError',
      },
    );
    await window.history.flush();
    assert.deepEqual(await window.history.requests(), []);
  });

  it('has every other kind of request too', async () => {
    const window = here.window();
    await window.calls.to('service').ask(listModels);
    await window.calls.to('service').ask(imageGeneration({ model: 'local/image', positive_prompt: 'A house' }));
    await window.calls
      .to('service')
      .ask(videoGeneration({ model: 'local/video', prompt: 'A house', duration: 1, resolution: '120p' }));
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }] }] as const;
    await eventsOf(window.calls.to('service').stream(chatCompletion({ ...asking('', 'local/vision'), messages })));
    const file = { name: 'tone.wav', mediaType: 'audio/wav', bytes: silence() };
    await window.calls.to('service').ask(audioTranscription({ model: 'local/transcriber', file }));
    const requests = await window.history.requests();
    assert.deepEqual(sorted(requests.map(({ operation, end }) => `${operation} ${end?.outcome}`)), [
      'audio done',
      'catalog done',
      'image done',
      'multimodalChat done',
      'video done',
    ]);
    const video = requests.find(({ operation }) => operation === 'video');
    const { response } = await window.history.bodies(video?.id ?? '');
    assert.match(JSON.stringify(response), /"url":"http/);
  });

  it('leaves files out of what it stores', async () => {
    const window = here.window();
    const url = `data:image/png;base64,${'A'.repeat(100_000)}`;
    const content = [
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url } },
    ] as const;
    const asked = { model: 'local/vision', messages: [{ role: 'user', content }], stream: true } as const;
    await eventsOf(window.calls.to('service').stream(chatCompletion(asked))).catch(() => undefined);
    await window.history.flush();
    const text = await here.onDisk();
    assert.ok(text.includes('[100000 characters, not kept]'));
    assert.ok(text.length < 10_000);
  });

  it('stores no bodies if the user wants none, and says what a request cost', async () => {
    const window = here.window({
      keepsBodies: () => false,
      priceOf: () => ({ inputPricePerMillion: 1_000_000, outputPricePerMillion: 2_000_000 }),
    });
    await eventsOf(window.calls.to('service').stream(chatCompletion(asking('My secret plan'))));
    const { id, end } = await onlyRequest(window);
    const { request, response } = await window.history.bodies(id);
    assert.deepEqual(request, { method: 'POST', url: `${here.service.baseUrl}/chat/completions` });
    assert.equal(response, undefined);
    assert.ok(!(await here.onDisk()).includes('secret plan'));
    const { promptTokens, completionTokens } = end?.metrics ?? {};
    assert.equal(end?.cost, (promptTokens?.value ?? 0) + 2 * (completionTokens?.value ?? 0));
  });

  it('has the prices of the service that was used, not those of another with the same names', async () => {
    const answered: string[] = [];
    const window = here.window({
      priceOf: () => ({ inputPricePerMillion: 1, outputPricePerMillion: 1 }),
      onAnswered: (model) => answered.push(model),
    });
    const added = window.calls.through(here.client(), 'vscode.other.test');
    await eventsOf(added.stream(chatCompletion(asking('x'))));
    assert.equal((await onlyRequest(window)).end?.cost, undefined);
    assert.deepEqual(answered, []);
    await added.ask(listModels);
    await eventsOf(added.stream(chatCompletion(asking('y'))));
    const [latest] = (await window.history.requests()).filter(({ operation }) => operation === 'chat');
    assert.ok(latest?.end?.cost !== undefined && latest.end.cost > 0);
    await eventsOf(window.calls.to('service').stream(chatCompletion(asking('z'))));
    assert.deepEqual(answered, ['local/echo']);
  });

  it('says how each chat ended and what it sent, unless it was stopped', async () => {
    const ends: string[] = [];
    const window = here.window({
      onChatEnded: ({ failure, metrics, hasBegun, sentTokens }, model, { kind }) =>
        ends.push(`${kind} ${model} ${failure?.kind} ${metrics.promptTokens?.from} ${hasBegun} ${sentTokens()}`),
    });
    const calls = window.calls.from({ kind: 'prompt' }).to('service');
    await eventsOf(calls.stream(chatCompletion(asking('x'.repeat(40)))));
    await assert.rejects(eventsOf(calls.stream(chatCompletion(asking('.'.repeat(400), 'local/small')))));
    for await (const { type } of calls.stream(chatCompletion(asking('Stop at the first word'))))
      if (type === 'text') break;
    await calls.ask(listModels);
    assert.deepEqual(ends, [
      'prompt local/echo undefined service true 10',
      'prompt local/small contextTooLong undefined false 100',
    ]);
  });

  it('says that the service dropped some of what was sent, unless the chat says so', async () => {
    const dropped: (number | undefined)[] = [];
    const window = here.window({ onChatEnded: ({ sentAtLeast }) => dropped.push(sentAtLeast) });
    const ask = async (kind: 'prompt' | 'chat', words: number): Promise<void> => {
      const calls = window.calls.from({ kind }).to('service');
      await eventsOf(calls.stream(chatCompletion(asking('word '.repeat(words), 'local/forgetful'))));
    };
    await ask('prompt', 2000);
    await ask('prompt', 900);
    await ask('chat', 2000);
    assert.deepEqual(dropped, [1600, undefined, undefined]);
  });

  it("says what images and videos cost, although they aren't priced per token", async () => {
    const window = here.window();
    await window.calls.to('service').ask(listModels);
    await window.calls
      .to('service')
      .ask(imageGeneration({ model: 'local/image', positive_prompt: 'A house', width: 64, height: 64 }));
    await window.calls
      .to('service')
      .ask(videoGeneration({ model: 'local/video', prompt: 'A boat', duration: 2, resolution: '120p' }));
    const costs = new Map((await window.history.requests()).map(({ operation, end }) => [operation, end?.cost]));
    assert.equal(costs.get('image'), 0.02);
    assert.equal(costs.get('video'), 0.05 + 2 * 0.01);
  });

  it('never has the key on disk, wherever it was typed or quoted', async () => {
    const window = here.window();
    const { apiKey } = here.service;
    await eventsOf(window.calls.to('service').stream(chatCompletion(asking(`My key is ${apiKey}, is that safe?`))));
    await eventsOf(window.calls.to('service').stream(chatCompletion(asking('x', `made/up-${apiKey}`)))).catch(
      () => undefined,
    );
    await window.history.flush();
    const text = await here.onDisk();
    assert.ok(text.includes('is that safe?'));
    assert.ok(!text.includes(apiKey));
  });

  it('measures models from their requests', async () => {
    const window = here.window();
    assert.equal(window.history.figures('local/echo'), undefined);
    for (const text of ['One', 'Two two', 'Three three three'])
      await eventsOf(window.calls.to('service').stream(chatCompletion(asking(text))));
    await eventsOf(window.calls.to('service').stream(chatCompletion(asking('x', 'local/error-500')))).catch(
      () => undefined,
    );
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (window.history.figures('local/error-500')?.failureCount !== 1) return;
        subscription.dispose();
        resolve();
      };
      const subscription = window.history.onDidChange(look);
      // It might have changed already.
      look();
    });
    const echo = window.history.figures('local/echo');
    assert.equal(echo?.requestCount, 3);
    assert.equal(echo.failureCount, 0);
    assert.equal(echo.latest.length, 3);
    assert.ok(echo.timeToFirstTokenSeconds !== undefined && echo.tokensPerSecond !== undefined);
    assert.ok(echo.tokensPerSecond.p95 <= echo.tokensPerSecond.p50);
    // An echo is as long as what it repeats: six words in three replies.
    assert.equal(echo.replyTokens, 2);
    assert.equal(window.history.figures('local/error-500')?.replyTokens, undefined);
    assert.equal(window.history.figures('local/error-500')?.failureCount, 1);
  });
});

/** A tenth of a second of it, as WAV. */
function silence(): Uint8Array {
  const bytes = Buffer.alloc(1644);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(1636, 4);
  bytes.write('WAVEfmt ', 8);
  for (const [at, value] of [
    [16, 16],
    [24, 8000],
    [28, 16_000],
    [40, 1600],
  ] as const) {
    bytes.writeUInt32LE(value, at);
  }
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const) {
    bytes.writeUInt16LE(value, at);
  }
  bytes.write('data', 36);
  return bytes;
}
