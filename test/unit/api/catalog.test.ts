import assert from 'node:assert/strict';
import { decodeModels } from '../../../src/api/wire/decodeModels.ts';
import { ApiError } from '../../../src/api/apiError.ts';
import { answer, json, startRawServer, type RawServer } from './rawServer.ts';
import { failureOf, testClient, type TestClient } from './testClient.ts';
import { listModels } from '../../../src/api/operations/listModels.ts';

const rows = [{ id: 'a/one' }, { id: 'b/two' }];

describe('A model list', () => {
  const shapes: readonly (readonly [string, unknown])[] = [
    ['{object, data: […]}', { object: 'list', data: rows }],
    ['a bare list', rows],
    ['{models: […]}', { models: rows }],
    ['{data: {models: […]}}', { data: { models: rows } }],
    ['rows that are bare ids', ['a/one', 'b/two']],
    ['rows named by model or name', [{ model: 'a/one' }, { name: 'b/two' }]],
    ['rows named by key, whose name is for people', [{ key: 'a/one', name: 'One' }, { key: 'b/two' }]],
    ['rows without an id between the others', { data: [{}, rows[0], { id: '' }, { id: 7 }, null, [], rows[1]] }],
    ['rows that occur twice', { data: [rows[0], rows[1], { id: 'a/one', owned_by: 'late' }] }],
  ];
  for (const [name, body] of shapes) {
    it(`is read as ${name}`, () => {
      assert.deepEqual(
        decodeModels(body).map((model) => model.id),
        ['a/one', 'b/two'],
      );
    });
  }

  it('that is empty is an empty list', () => assert.deepEqual(decodeModels({ data: [] }), []));

  it('row keeps every field the service sent', () => {
    const row = { id: 'a/one', object: 'model', created: 17, owned_by: 'a', flavour: { sweet: true } };
    assert.deepEqual(decodeModels([row]), [{ id: 'a/one', ownedBy: 'a', raw: row }]);
  });

  it('row returns its context window under any of its names', () => {
    for (const field of ['context_length', 'context_window', 'max_model_len', 'max_input_tokens']) {
      assert.equal(decodeModels([{ id: 'a', [field]: 8192 }])[0]?.contextWindow, 8192, field);
    }
    assert.equal(decodeModels([{ id: 'a', context_length: '8192' }])[0]?.contextWindow, 8192);
    assert.equal(decodeModels([{ id: 'a', max_context_length: 8192 }])[0]?.contextWindow, 8192);
    assert.equal(decodeModels([{ id: 'a', meta: { n_ctx_train: 8192 } }])[0]?.contextWindow, undefined);
    assert.equal(decodeModels([{ id: 'a', meta: { n_ctx: 4096, n_ctx_train: 8192 } }])[0]?.contextWindow, 4096);
  });

  it('row returns its maximum output under any of its names', () => {
    for (const field of ['max_output_length', 'max_output_tokens']) {
      assert.equal(decodeModels([{ id: 'a', [field]: 512 }])[0]?.maxOutputTokens, 512, field);
    }
  });

  it("row is read as LM Studio's: its context window is that of the loaded instance, and it says whether it sees", () => {
    const row = (rest: object) => ({ type: 'llm', publisher: 'qwen', max_context_length: 131_072, ...rest });
    const [loaded, other] = decodeModels({
      models: [
        row({
          key: 'qwen/qwen3.5-9b',
          display_name: 'Qwen3.5 9B',
          architecture: 'qwen35',
          loaded_instances: [{ id: 'qwen/qwen3.5-9b', config: { context_length: 4096 } }],
          capabilities: { vision: true, trained_for_tool_use: true },
        }),
        row({ key: 'qwen/qwen3-4b', loaded_instances: [], capabilities: { vision: false } }),
      ],
    });
    assert.deepEqual([loaded?.id, loaded?.contextWindow], ['qwen/qwen3.5-9b', 4096]);
    assert.deepEqual([other?.contextWindow, other?.inputModalities], [131_072, ['text']]);
    assert.deepEqual(loaded?.inputModalities, ['text', 'image']);
  });

  it('row returns prices: texts are per token, numbers are per million', () => {
    const perToken = decodeModels([{ id: 'a', pricing: { prompt: '0.00000015', completion: '0.0000006' } }])[0];
    assert.equal(perToken?.inputPricePerMillion, 0.15);
    assert.equal(perToken.outputPricePerMillion, 0.6);
    const perMillion = decodeModels([{ id: 'a', pricing: { input: 0.15, output: 0 } }])[0];
    assert.equal(perMillion?.inputPricePerMillion, 0.15);
    assert.equal(perMillion.outputPricePerMillion, 0);
  });

  it('row returns modalities, from lists or from an arrow', () => {
    const arrow = decodeModels([{ id: 'a', architecture: { modality: 'text+image->text' } }])[0];
    assert.deepEqual(arrow?.inputModalities, ['text', 'image']);
    assert.deepEqual(arrow.outputModalities, ['text']);
    assert.equal(arrow.kind, 'chat');
    const lists = decodeModels([{ id: 'a', input_modalities: ['text'], output_modalities: ['video'] }])[0];
    assert.deepEqual(lists?.outputModalities, ['video']);
    assert.equal(lists.kind, 'video');
    assert.equal(decodeModels([{ id: 'a', type: 'image' }])[0]?.kind, 'image');
  });

  it('row with invalid fields is a row with an ID', () => {
    const raw = {
      id: 'a',
      owned_by: 7,
      context_length: -1,
      max_output_tokens: 1.5,
      type: '',
      pricing: { prompt: 'free', completion: -1 },
      architecture: { modality: '->', input_modalities: [7] },
    };
    assert.deepEqual(decodeModels([raw]), [{ id: 'a', raw }]);
  });

  it('without a list is malformed, and an envelope is an error', () => {
    assert.throws(
      () => decodeModels({ status: 'ok' }),
      new ApiError({ kind: 'malformed', where: 'body', sample: '{"status":"ok"}' }),
    );
    assert.throws(
      () => decodeModels({ error: { message: 'No.' } }),
      (error) => error instanceof ApiError && error.failure.kind === 'streamError' && error.failure.message === 'No.',
    );
  });
});

describe('Listing the models', () => {
  let server: RawServer;
  let tested: TestClient;
  afterEach(async () => {
    tested.dispose();
    await server.close();
  });

  async function list(native: Buffer, compatible: Buffer): Promise<readonly string[]> {
    server = await startRawServer((socket, request) =>
      socket.write(request.target === '/api/v1/models' ? native : compatible),
    );
    tested = testClient(server.origin);
    return (await tested.client.ask(listModels)).map((model) => model.id);
  }

  it('asks the native API first, and nothing else if that responds', async () => {
    assert.deepEqual(await list(json(200, { data: rows }), json(500, {})), ['a/one', 'b/two']);
    assert.deepEqual(
      server.requests.map((request) => `${request.method} ${request.target}`),
      ['GET /api/v1/models'],
    );
  });

  const elsewhere: readonly (readonly [string, Buffer])[] = [
    ['404', json(404, { error: { message: 'No.' } })],
    ['405', answer(405, '')],
    ['a page of HTML', answer(200, '<html>', { 'content-type': 'text/html' })],
    ['HTML with 404', answer(404, '<html>', { 'content-type': 'text/html' })],
    ['something that is no JSON', answer(200, 'hello')],
    ['an empty answer', answer(200, '')],
    ['JSON that is no catalog', json(200, { hello: 1 })],
    ['rows of which none is a model', json(200, { data: [{ slug: 'a' }, {}] })],
    ...[400, 401, 403, 410, 422, 501].map((status) => [String(status), answer(status, '')] as const),
    [
      'LM Studio: an error with status 200',
      json(200, { error: 'Unexpected endpoint or method. (GET /api/v1/models)' }),
    ],
    ['another error with status 200', json(200, { error: { message: 'Nothing here' } })],
    ['a redirect', answer(302, '', { location: 'https://elsewhere.test/login' })],
  ];
  for (const [name, native] of elsewhere) {
    it(`asks the compatible API after ${name}`, async () => {
      assert.deepEqual(await list(native, json(200, rows)), ['a/one', 'b/two']);
      assert.deepEqual(
        server.requests.map((request) => request.target),
        ['/api/v1/models', '/v1/models'],
      );
    });
  }

  it('asks only the API that was asked for, if one was', async () => {
    await list(json(200, { data: rows }), json(200, { data: [{ id: 'c/three' }] }));
    const listed = await tested.client.ask(listModels, { api: 'compatible' });
    assert.deepEqual(
      listed.map(({ id }) => id),
      ['c/three'],
    );
    assert.deepEqual(
      server.requests.map((request) => request.target),
      ['/api/v1/models', '/v1/models'],
    );
  });

  it("doesn't ask elsewhere after 429", async () => {
    assert.equal((await failureOf(list(answer(429, ''), json(200, rows)))).kind, 'rateLimited');
    assert.ok(server.requests.every(({ target }) => target === '/api/v1/models'));
  });

  it("doesn't ask elsewhere after a native URL from the settings refuses the key", async () => {
    const own = await startRawServer((socket) => socket.write(answer(401, '')));
    server = await startRawServer((socket) => socket.write(json(200, rows)));
    tested = testClient(server.origin, { nativeOrigin: own.origin });
    assert.equal((await failureOf(tested.client.ask(listModels))).kind, 'unauthorized');
    assert.equal(server.accepted(), 0);
    await own.close();
  });

  it('asks only the compatible API once a derived native URL turned out to lack a list', async () => {
    await list(answer(404, ''), json(200, rows));
    await tested.client.ask(listModels);
    assert.deepEqual(
      server.requests.map((request) => request.target),
      ['/api/v1/models', '/v1/models', '/v1/models'],
    );
  });

  for (const status of [404, 405, 501]) {
    it(`reports that there's no model list if both paths return ${status}, the second time too`, async () => {
      const lacking = json(status, { detail: 'No such path.' });
      const missing = { kind: 'noApi', what: 'models', status, message: 'No such path.' };
      assert.deepEqual(await failureOf(list(lacking, lacking)), missing);
      assert.deepEqual(await failureOf(tested.client.ask(listModels)), missing);
    });
  }

  it('blames the URL, not the list, if both paths return a web page', async () => {
    const page = answer(404, '<html>', { 'content-type': 'text/html' });
    assert.equal((await failureOf(list(page, page))).kind, 'notTheService');
  });

  it('reports the second response if neither has one', async () => {
    const failure = await failureOf(list(answer(404, ''), answer(403, '')));
    assert.equal(failure.kind, 'forbidden');
  });

  it('over 8 MiB is a size error', async () => {
    const failure = await failureOf(list(answer(200, `["${'x'.repeat(8 * 1024 * 1024)}"]`), answer(404, '')));
    assert.deepEqual(failure, { kind: 'tooLarge', what: 'body', limitBytes: 8 * 1024 * 1024 });
  });
});
