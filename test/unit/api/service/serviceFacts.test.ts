import assert from 'node:assert/strict';
import { FactsInMemory } from '../../../../src/api/service/serviceFacts.ts';
import { emptyEntry, type ServiceEntry } from '../../../../src/core/services/serviceEntry.ts';
import { supportOf } from '../../../../src/core/services/supportOf.ts';
import { usageOf, withUsage } from '../../../../src/api/service/usageFacts.ts';
import { startInferenceService } from '../../../service/inferenceService.ts';
import {
  answer,
  chunk,
  delta,
  done,
  json,
  lastChunk,
  type RawServer,
  type Responder,
  startRawServer,
  streamHead,
} from '../rawServer.ts';
import { failureOf, hello, instantClock, outcomeOf, testClient, type TestClient } from '../testClient.ts';
import { imageGeneration } from '../../../../src/api/operations/imageGeneration.ts';
import { audioTranscription } from '../../../../src/api/operations/audioTranscription.ts';
import { chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';
import { videoGeneration } from '../../../../src/api/operations/videoGeneration.ts';
import { listModels } from '../../../../src/api/operations/listModels.ts';

const reply = Buffer.concat([streamHead(), chunk(delta('Hi') + done), lastChunk]);
const image = { model: 'maker/painter', positive_prompt: 'a kite' };
const picture = json(200, { data: [{ url: 'https://files.test/kite.png' }] });
const seen = {
  model: 'maker/seer',
  messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'What is it?' }] }],
  stream: true,
};
const audio = { model: 'maker/ear', file: { name: 'a.wav', mediaType: 'audio/wav', bytes: new Uint8Array(4) } };

describe('What a service supports', () => {
  let server: RawServer;
  let tested: TestClient;
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });
  const targets = () => server.requests.map(({ target }) => target);

  async function serve(native: Buffer, compatible: Buffer): Promise<void> {
    server = await startRawServer((socket, { target }) =>
      socket.write(target.startsWith('/api/') ? native : compatible),
    );
    tested = testClient(server.origin);
  }

  for (const [name, missing] of [
    ['404', json(404, { error: { message: 'File Not Found', code: 404 } })],
    ['405', answer(405, '')],
    ['501', answer(501, '')],
    ['a redirect', answer(307, '', { location: '/login' })],
    ['a page of HTML with 404', answer(404, '<html>', { 'content-type': 'text/html' })],
  ] as const) {
    it(`is learned from a native image path that returns ${name}: one more request, and only the first time`, async () => {
      await serve(missing, picture);
      for (let round = 0; round < 2; round += 1) await tested.client.ask(imageGeneration(image));
      assert.deepEqual(targets(), [
        '/api/v1/svcai/image/generation',
        '/v1/images/generations',
        '/v1/images/generations',
      ]);
    });
  }

  it('is learned for transcripts and for chats with images too', async () => {
    await serve(answer(404, ''), json(200, { text: 'Hello' }));
    for (let round = 0; round < 2; round += 1) await tested.client.ask(audioTranscription(audio));
    assert.deepEqual(targets(), [
      '/api/v1/svcai/audio/transcribe',
      '/v1/audio/transcriptions',
      '/v1/audio/transcriptions',
    ]);
    tested.dispose();
    await server.close();
    await serve(answer(404, ''), reply);
    for (let round = 0; round < 2; round += 1) {
      assert.equal((await outcomeOf(tested.client.stream(chatCompletion(seen)))).text, 'Hi');
    }
    assert.deepEqual(targets(), ['/api/v1/svcai/multimodal/chat', '/v1/chat/completions', '/v1/chat/completions']);
  });

  it('includes the models that accepted an image, each for itself, until they refuse one', async () => {
    let answerOf: Buffer = reply;
    server = await startRawServer((socket) => socket.write(answerOf));
    const facts = new FactsInMemory();
    tested = testClient(server.origin, { facts });
    const known = () => Object.keys(facts.of(`${server.origin}/v1`).imagesByModel ?? {});
    const ask = async (model: string, url: string | undefined) => {
      const shown = url === undefined ? [] : [{ type: 'image_url' as const, image_url: { url } }];
      const content = [{ type: 'text' as const, text: 'What is it?' }, ...shown];
      const request = { ...hello, model, messages: [{ role: 'user' as const, content }] };
      return (await outcomeOf(tested.client.stream(chatCompletion(request)))).failure?.kind;
    };
    await ask('maker/blind', undefined);
    assert.deepEqual(known(), []);
    await ask('maker/seer', 'data:image/png;base64,AAAA');
    assert.deepEqual(known(), ['maker/seer']);
    answerOf = json(400, { error: { message: 'This model does not support images' } });
    assert.equal(await ask('maker/other', 'data:image/png;base64,AAAA'), 'noImageInput');
    assert.deepEqual(known(), ['maker/seer']);
    assert.equal(await ask('maker/seer', 'data:image/png;base64,AAAA'), 'noImageInput');
    assert.deepEqual(known(), []);
  });

  it('is looked up in the other API if the first reports with status 200 that it lacks the path', async () => {
    await serve(json(200, { error: 'Unexpected endpoint or method. (POST /api/v1/svcai/image/generation)' }), picture);
    await tested.client.ask(imageGeneration(image));
    assert.deepEqual(targets(), ['/api/v1/svcai/image/generation', '/v1/images/generations']);
    tested.dispose();
    await server.close();
    await serve(json(200, { error: 'Unexpected endpoint or method. (POST /api/v1/svcai/multimodal/chat)' }), reply);
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(seen)))).text, 'Hi');
    assert.equal(targets().length, 2);
  });

  it('is checked again after a week if it was missing, using the other API until then', async () => {
    let hasNative = false;
    server = await startRawServer((socket, { target }) =>
      socket.write(target.startsWith('/api/') && !hasNative ? answer(404, '') : picture),
    );
    const clock = instantClock();
    tested = testClient(server.origin, { clock });
    await tested.client.ask(imageGeneration(image));
    hasNative = true;
    await tested.client.ask(imageGeneration(image));
    await clock.sleep(8 * 24 * 60 * 60 * 1000, undefined);
    await tested.client.ask(imageGeneration(image));
    assert.deepEqual(targets(), [
      '/api/v1/svcai/image/generation',
      '/v1/images/generations',
      '/v1/images/generations',
      '/api/v1/svcai/image/generation',
    ]);
  });

  it('is looked up in the other API at once if a known path is gone', async () => {
    let isGone = false;
    server = await startRawServer((socket, { target }) =>
      socket.write(target.startsWith('/api/') && isGone ? answer(404, '') : picture),
    );
    tested = testClient(server.origin);
    await tested.client.ask(imageGeneration(image));
    isGone = true;
    await tested.client.ask(imageGeneration(image));
    assert.equal(targets().length, 3);
  });

  it('is named if neither API has the path', async () => {
    const missing = json(404, { error: { message: 'File Not Found', code: 404 } });
    await serve(missing, missing);
    const { client } = tested;
    assert.deepEqual(
      [
        await failureOf(client.ask(imageGeneration(image))),
        await failureOf(client.ask(audioTranscription(audio))),
        await failureOf(client.ask(videoGeneration({ model: 'maker/film', prompt: 'a kite' }))),
        (await outcomeOf(client.stream(chatCompletion(seen)))).failure,
      ],
      (['imageGeneration', 'audio', 'video', 'imageInput'] as const).map((what) => ({
        kind: 'noApi',
        what,
        status: 404,
        message: 'File Not Found',
      })),
    );
    // The user's own choice of an API is in the settings.
    assert.equal((await failureOf(client.ask(imageGeneration(image), { api: 'native' }))).kind, 'modelNotFound');
  });

  it("isn't reported missing if the way there is the problem: a redirect keeps its own message", async () => {
    const moved = answer(301, '', { location: 'https://files.test/' });
    await serve(moved, moved);
    assert.equal((await failureOf(tested.client.ask(imageGeneration(image)))).kind, 'redirected');
  });

  for (const [name, refusal] of [
    ['a model that is missing', json(404, { error: { message: 'No such model.', code: 'model_not_found' } })],
    [
      'a model that is missing, said in words',
      json(404, { error: { message: 'The model maker/painter does not exist' } }),
    ],
    [
      "Gemini's word for a missing model",
      json(404, [
        {
          error: {
            code: 404,
            message: 'models/painter is not found for API version v1main, or is not supported for generateContent.',
            status: 'NOT_FOUND',
          },
        },
      ]),
    ],
    ["OpenRouter's", json(404, { error: { message: 'No endpoints found for maker/painter.', code: 404 } })],
    [
      "Azure's",
      json(404, {
        error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' },
      }),
    ],
    ["Anthropic's", json(404, { error: { message: 'model: painter', type: 'not_found_error' } })],
    ['a page of its own with status 200', answer(200, '<html>', { 'content-type': 'text/html' })],
    ['a redirect to what was made', answer(303, '', { location: '/results/7' })],
    ['a refusal of the key', json(401, { error: { message: 'No.' } })],
    ['a failure that may have been charged', json(500, { error: { message: 'boom' } })],
  ] as const) {
    it(`isn't learned from ${name}: nothing is sent a second time`, async () => {
      await serve(refusal, picture);
      await failureOf(tested.client.ask(imageGeneration(image)));
      assert.deepEqual(targets(), ['/api/v1/svcai/image/generation']);
    });
  }

  it("isn't learned from a model that can't chat: the images aren't uploaded again", async () => {
    const message = 'This model is only supported in v1/responses and not in v1/chat/completions.';
    server = await startRawServer((socket) =>
      socket.write(json(404, { error: { message, type: 'invalid_request_error', param: 'model', code: null } })),
    );
    const facts = new FactsInMemory();
    tested = testClient(server.origin, { facts });
    facts.learnedPath(`${server.origin}/v1`, 'imageInput', 'native', {
      isThere: false,
      why: 'noSuchPath',
      at: Date.now(),
    });
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion(seen)));
    assert.equal(failure?.kind, 'modelNotFound');
    assert.equal(targets().length, 1);
  });

  it("isn't unlearned from a 404 that the service words itself, because that's about a model", async () => {
    const unknown = json(404, { error: { message: 'Nothing here by that name.' } });
    server = await startRawServer((socket, { target, body }) => {
      if (target.startsWith('/api/')) return socket.write(answer(404, ''));
      return socket.write(body.includes('gone') ? unknown : target.endsWith('generations') ? picture : reply);
    });
    const facts = new FactsInMemory();
    tested = testClient(server.origin, { facts });
    await tested.client.ask(imageGeneration(image));
    assert.equal(
      (await failureOf(tested.client.ask(imageGeneration({ ...image, model: 'gone' })))).kind,
      'modelNotFound',
    );
    // Chats with images have the same path as those without, of which one got a reply.
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(hello)))).text, 'Hi');
    const { failure } = await outcomeOf(tested.client.stream(chatCompletion({ ...seen, model: 'gone' })));
    assert.equal(failure?.kind, 'modelNotFound');
    const { paths } = facts.of(`${server.origin}/v1`);
    assert.equal(paths.imageGeneration?.compatible?.isThere, true);
    assert.equal(paths.imageInput?.compatible, undefined);
  });

  it("isn't a model list at a path that the service says it lacks", async () => {
    const missing = (target: string) => json(404, { message: `Route GET:${target} not found`, error: 'Not Found' });
    server = await startRawServer((socket, { target }) => socket.write(missing(target)));
    tested = testClient(server.origin);
    const failure = await failureOf(tested.client.ask(listModels));
    assert.deepEqual([failure.kind, 'what' in failure && failure.what], ['noApi', 'models']);
    const { paths } = await tested.client.discover();
    assert.deepEqual([paths.models?.native?.isThere, paths.models?.compatible?.isThere], [false, false]);
  });

  it('is the compatible API first if a derived native URL has no model list', async () => {
    await serve(answer(404, ''), json(200, { data: [{ id: 'maker/painter', url: 'https://files.test/kite.png' }] }));
    await tested.client.ask(listModels);
    await tested.client.ask(imageGeneration(image));
    assert.deepEqual(targets(), ['/api/v1/models', '/v1/models', '/v1/images/generations']);
  });

  it('is found out for free: every probe of a real service is refused before any work is done', async () => {
    const service = await startInferenceService({ tokensPerSecond: Number.POSITIVE_INFINITY });
    server = await startRawServer(() => {});
    tested = testClient(service.origin, { apiKey: service.apiKey });
    const facts = await tested.client.discover();
    assert.deepEqual(
      (['chat', 'models', 'imageInput', 'imageGeneration', 'audio', 'video'] as const).map(
        (capability) => `${capability} ${supportOf(facts, emptyEntry, capability, Date.now()).through}`,
      ),
      [
        'chat compatible',
        'models native',
        'imageInput native',
        'imageGeneration native',
        'audio native',
        'video compatible',
      ],
    );
    assert.equal(facts.paths.chat?.compatible?.isThere, true);
    assert.ok(
      service
        .log()
        .every(({ method, path, status }) =>
          method === 'GET' ? status === 200 : status === (path.endsWith('/no/such/path') ? 404 : 400),
        ),
      JSON.stringify(service.log().map(({ path, status }) => [path, status])),
    );
    await service.close();
  });

  it('of a service without a native API is its chat and its list, and the rest is missing', async () => {
    // Like llama.cpp's server.
    const llama: Responder = (socket, { method, target }) => {
      if (target === '/v1/models' && method === 'GET') return socket.write(json(200, { data: [{ id: 'tiny.gguf' }] }));
      if (target === '/v1/chat/completions') return socket.write(json(500, { error: { message: 'parse error' } }));
      return socket.write(json(404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } }));
    };
    server = await startRawServer(llama);
    tested = testClient(server.origin);
    const facts = await tested.client.discover();
    assert.deepEqual(
      (['chat', 'models', 'imageInput', 'imageGeneration', 'audio', 'video'] as const).map(
        (capability) => supportOf(facts, emptyEntry, capability, Date.now()).through,
      ),
      // Only a reply could show whether its chats can have images.
      ['compatible', 'compatible', undefined, 'not', 'not', 'not'],
    );
    // Each path is requested once, except the one for chats with and without images.
    assert.equal(new Set(targets()).size, targets().length - 1);
  });

  it('is no longer missing in the native API once its URL or the name in its paths has changed', async () => {
    const native = await startRawServer((socket, { target }) =>
      socket.write(target.startsWith('/api/v1/maker/') ? reply : answer(404, '')),
    );
    server = await startRawServer((socket) => socket.write(answer(404, '')));
    const facts = new FactsInMemory();
    const entry: ServiceEntry = { ...emptyEntry, baseUrl: `${server.origin}/v1`, imageApi: 'native' };
    const through = (now: ServiceEntry) =>
      supportOf(facts.of(entry.baseUrl), now, 'imageInput', Date.now()).through ?? 'not known';
    tested = testClient(server.origin, { facts });
    await tested.client.discover();
    const moved = { ...entry, nativeUrl: `${native.origin}/api` };
    assert.deepEqual([through(entry), through(moved)], ['not', 'not known']);
    tested.dispose();
    tested = testClient(server.origin, { facts, nativeOrigin: native.origin });
    await tested.client.discover();
    const corrected = { ...moved, nativeSegment: 'maker' };
    assert.deepEqual([through(moved), through(corrected)], ['not', 'not known']);
    tested.dispose();
    tested = testClient(server.origin, { facts, nativeOrigin: native.origin, nativeSegment: 'maker' });
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(seen)))).text, 'Hi');
    assert.equal(native.requests.at(-1)?.target, '/api/v1/maker/multimodal/chat');
    assert.deepEqual([through(corrected), through(moved)], ['native', 'not known']);
    await native.close();
  });

  it('is learned from a chat that got a reply, and no probe overrides that', async () => {
    const service = await startInferenceService({ tokensPerSecond: Number.POSITIVE_INFINITY });
    server = await startRawServer(() => {});
    const facts = new FactsInMemory();
    tested = testClient(service.origin, { apiKey: service.apiKey, facts });
    const [{ id: model } = assert.fail()] = (await tested.client.ask(listModels)).filter(({ kind }) => kind === 'chat');
    const chat = chatCompletion({ model, messages: [{ role: 'user', content: 'Hello' }], stream: true });
    for await (const event of tested.client.stream(chat)) void event;
    const known = () => facts.of(`${service.origin}/v1`).paths.chat?.compatible;
    const learned = known();
    assert.deepEqual([learned?.isThere, learned?.why, learned?.by], [true, 'answered', undefined]);
    await tested.client.discover();
    assert.deepEqual(known(), learned);
    assert.equal(facts.of(`${service.origin}/v1`).paths.video?.compatible?.by, 'probe');
    await service.close();
  });

  it("is unlearned by a probe whose path is gone, in the service's own words too", async () => {
    let isGone = false;
    const gone = json(404, { error: { message: 'Not Found' } });
    server = await startRawServer((socket, { target, method, body }) => {
      if (method === 'GET') return socket.write(json(200, { data: [{ id: 'tiny' }] }));
      const isThere = target.endsWith('chat/completions') || (target.endsWith('generations') && !isGone);
      if (!isThere || target.startsWith('/api/')) return socket.write(gone);
      return socket.write(body === '{' ? json(400, { error: 'not JSON' }) : picture);
    });
    const facts = new FactsInMemory();
    tested = testClient(server.origin, { facts });
    await tested.client.ask(imageGeneration(image));
    const known = () => facts.of(`${server.origin}/v1`).paths.imageGeneration?.compatible;
    assert.equal(known()?.why, 'answered');
    isGone = true;
    await tested.client.discover();
    assert.deepEqual([known()?.isThere, known()?.why, known()?.by], [false, 'noSuchPath', 'probe']);
  });

  it('stays unknown if a server rejects the body before it looks at the path', async () => {
    server = await startRawServer((socket, { method }) =>
      socket.write(method === 'GET' ? json(200, { data: [{ id: 'tiny' }] }) : json(400, { error: 'not JSON' })),
    );
    tested = testClient(server.origin);
    assert.deepEqual(Object.keys((await tested.client.discover()).paths), ['models']);
  });

  it('stays unknown if a server responds to everything with its own page', async () => {
    server = await startRawServer((socket) =>
      socket.write(answer(200, '<html><title>App</title>', { 'content-type': 'text/html' })),
    );
    tested = testClient(server.origin);
    assert.deepEqual((await tested.client.discover()).paths, {});
  });

  for (const [name, refusal] of [
    ['the key is refused', json(401, { error: { message: 'No.' } })],
    [
      'the key is refused as xAI does',
      json(400, { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***yz.' }),
    ],
    ['it is forbidden', json(403, { error: { message: 'No.' } })],
    ['a pause is asked for', json(429, { error: { message: 'Slow down.' } }, { 'retry-after': '1' })],
    ['the credits are used up', json(429, { error: { message: 'Insufficient balance', code: '1113' } })],
  ] as const) {
    it(`is no longer probed once ${name}: one request, not a dozen`, async () => {
      server = await startRawServer((socket) => socket.write(refusal));
      tested = testClient(server.origin);
      assert.deepEqual((await tested.client.discover()).paths, {});
      assert.equal(server.requests.length, 1);
      tested.dispose();
      await server.close();
      server = await startRawServer((socket, { method }) =>
        socket.write(method === 'GET' ? json(200, { data: [{ id: 'tiny' }] }) : refusal),
      );
      tested = testClient(server.origin);
      await tested.client.discover();
      assert.equal(server.requests.length, 2);
    });
  }

  it('stays unknown if nobody responds', async () => {
    server = await startRawServer(() => {});
    await server.close();
    tested = testClient(server.origin);
    assert.deepEqual((await tested.client.discover()).paths, {});
    server = await startRawServer(() => {});
  });
});

describe('A service that sends usage only on request', () => {
  let server: RawServer;
  let tested: TestClient;
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });
  const asked = () => server.requests.map(({ body }) => JSON.parse(body).stream_options);
  const usage = `data: {"choices":[],"usage":{"prompt_tokens":4,"completion_tokens":2,"total_tokens":6}}\n\n`;
  const say = (text: string) => Buffer.concat([streamHead(), chunk(text + done), lastChunk]);
  const chat = (model = hello.model) => outcomeOf(tested.client.stream(chatCompletion({ ...hello, model })));

  it('is asked for it from the second request on', async () => {
    server = await startRawServer((socket, { body }) =>
      socket.write(say(delta('Hi') + (JSON.parse(body).stream_options === undefined ? '' : usage))),
    );
    tested = testClient(server.origin);
    assert.equal((await chat()).usage, undefined);
    assert.equal((await chat()).usage?.completionTokens, 2);
    assert.deepEqual(asked(), [undefined, { include_usage: true }]);
  });

  it("but refuses isn't asked again, and the reply still arrives", async () => {
    server = await startRawServer((socket, { body }) => {
      const refused = JSON.parse(body).stream_options !== undefined;
      socket.write(
        refused ? json(400, { error: { message: 'Unknown field', param: 'stream_options' } }) : say(delta('Hi')),
      );
    });
    const facts = new FactsInMemory();
    const clock = instantClock();
    tested = testClient(server.origin, { facts, clock });
    for (let round = 0; round < 3; round += 1) assert.equal((await chat()).text, 'Hi');
    assert.deepEqual(asked(), [undefined, { include_usage: true }, undefined, undefined]);
    // Newer versions of a server might accept the field.
    await clock.sleep(8 * 24 * 60 * 60 * 1000, undefined);
    for (let round = 0; round < 2; round += 1) assert.equal((await chat()).text, 'Hi');
    assert.deepEqual(asked().slice(4), [{ include_usage: true }, undefined, undefined]);
  });

  it("but refuses for one model isn't asked for another either", async () => {
    server = await startRawServer((socket, { body }) => {
      const refused = JSON.parse(body).stream_options !== undefined;
      socket.write(refused ? json(400, { error: { message: 'stream_options: unknown field' } }) : say(delta('Hi')));
    });
    tested = testClient(server.origin);
    for (const model of ['a', 'a', 'b', 'b', 'a', 'b']) await chat(model);
    assert.deepEqual(asked().map(Boolean), [false, true, false, false, false, false, false]);
  });

  it('behind a gateway whose models differ is asked per model as needed', async () => {
    server = await startRawServer((socket, { body }) => {
      const { model, stream_options: options } = JSON.parse(body);
      if (model === 'refuses' && options !== undefined) {
        return socket.write(json(400, { error: { message: 'Unknown field', param: 'stream_options' } }));
      }
      const hasUsage = model === 'sends' || (model === 'gives' && options !== undefined);
      return socket.write(say(delta('Hi') + (hasUsage ? usage : '')));
    });
    tested = testClient(server.origin);
    // One that sends it unasked says nothing about the others.
    const models = ['sends', 'gives', 'refuses'];
    const usages: (number | undefined)[][] = [];
    for (let round = 0; round < 3; round += 1) {
      const ofRound: (number | undefined)[] = [];
      for (const model of models) ofRound.push((await chat(model)).usage?.completionTokens);
      usages.push(ofRound);
    }
    assert.deepEqual(usages, [
      [2, undefined, undefined],
      [2, 2, undefined],
      [2, 2, undefined],
    ]);
    const asking = server.requests.map(({ body }) => JSON.parse(body)).filter((body) => body.stream_options);
    assert.deepEqual(
      asking.map(({ model }) => model),
      ['gives', 'refuses', 'gives'],
    );
    assert.equal(server.requests.length, 10);
  });

  it('is remembered for the latest hundred models', () => {
    let known = {};
    for (let at = 0; at < 300; at += 1) known = withUsage(known, `m${at}`, { is: 'onRequest', at });
    assert.equal(Object.keys(known).length, 100);
    assert.equal(usageOf(known, 'm299'), 'onRequest');
    for (const name of ['m199', 'constructor', '__proto__']) assert.equal(usageOf(known, name), undefined);
  });

  it("isn't asked if the first reply had usage, or for a reply in one piece", async () => {
    server = await startRawServer((socket, _request, index) =>
      socket.write(say(delta('Hi') + (index === 0 ? usage : ''))),
    );
    tested = testClient(server.origin);
    for (let round = 0; round < 3; round += 1) await chat();
    assert.deepEqual(asked(), [undefined, undefined, undefined]);
  });

  it("isn't sent anything again after any other 400", async () => {
    server = await startRawServer((socket, _request, index) =>
      socket.write(index === 0 ? say(delta('Hi')) : json(400, { error: { message: 'messages is empty' } })),
    );
    tested = testClient(server.origin);
    await chat();
    assert.equal((await chat()).failure?.kind, 'badRequest');
    assert.equal(server.requests.length, 2);
  });

  it("has llama.cpp's own counts and speed if it sends timings", async () => {
    const timings = { cache_n: 20, prompt_n: 5, predicted_n: 7, predicted_ms: 70, predicted_per_second: 100.5 };
    const last = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], timings })}\n\n`;
    server = await startRawServer((socket) => socket.write(say(delta('Hi') + last)));
    tested = testClient(server.origin);
    const outcome = await chat();
    assert.deepEqual(outcome.usage, { promptTokens: 25, completionTokens: 7 });
    assert.deepEqual(outcome.metrics, { tokensPerSecond: 100.5 });
  });

  it('has its pieces counted if it counts nothing', async () => {
    server = await startRawServer((socket) => socket.write(say(['a', 'b', 'c'].map((text) => delta(text)).join(''))));
    tested = testClient(server.origin);
    const ends: unknown[] = [];
    for await (const event of tested.client.stream(chatCompletion(hello))) if (event.type === 'end') ends.push(event);
    assert.deepEqual(ends, [{ type: 'end', complete: true, deltas: 3 }]);
  });
});
