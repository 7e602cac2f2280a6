import assert from 'node:assert/strict';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { type Answer, errorOf, goodBody, question, send } from './serviceClient.ts';

const table = [
  { status: 400, type: 'invalid_request_error', code: 'invalid_request', param: 'messages' },
  { status: 401, type: 'authentication_error', code: 'missing_api_key', param: null },
  { status: 402, type: 'insufficient_quota', code: 'insufficient_quota', param: null },
  { status: 403, type: 'permission_error', code: 'insufficient_quota', param: null },
  { status: 404, type: 'invalid_request_error', code: 'model_not_found', param: 'model' },
  { status: 413, type: 'invalid_request_error', code: 'context_length_exceeded', param: 'messages' },
  { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded', param: null },
  { status: 500, type: 'server_error', code: 'internal_error', param: null },
  { status: 502, type: 'server_error', code: 'backend_unavailable', param: null },
  { status: 504, type: 'server_error', code: 'backend_error', param: null },
] as const;

describe('The error responses of the service', () => {
  let service: InferenceService;

  beforeEach(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity });
  });

  afterEach(() => service.close());

  function assertRow(answer: Answer, status: (typeof table)[number]['status']): void {
    const { message, request_id, ...rest } = errorOf(answer);
    assert.deepEqual(
      { status: answer.status, ...rest },
      table.find((row) => row.status === status),
    );
    assert.notEqual(message, '');
    assert.equal(answer.headers['x-request-id'], request_id);
    assert.equal(answer.headers['content-type'], 'application/json');
    const entry = service.log().at(-1);
    assert.equal(entry?.id, request_id);
    assert.equal(entry?.status, status);
    assert.equal(entry?.outcome, 'failed');
    assert.equal(entry?.error?.code, rest.code);
  }

  for (const { status } of table) {
    it(`match the specification for ${status}, when requested by name`, async () => {
      assertRow(await send(service, { ...goodBody, model: `local/error-${status}` }), status);
    });
  }

  for (const status of [408, 418, 503]) {
    it(`have an envelope for ${status}, which the specification doesn't list`, async () => {
      const answer = await send(service, { ...goodBody, model: `local/error-${status}` });
      assert.equal(answer.status, status);
      assert.equal(errorOf(answer).request_id, answer.headers['x-request-id']);
    });
  }

  it('are 401 without a key and with a wrong one', async () => {
    assertRow(await send(service, goodBody, { key: null }), 401);
    assertRow(await send(service, goodBody, { key: 'wrong' }), 401);
    assertRow(await send(service, goodBody, { key: null, headers: { authorization: 'Basic bG9jYWwta2V5' } }), 401);
  });

  it('are 403 for the locked model', async () => {
    assertRow(await send(service, { ...goodBody, model: 'local/locked' }), 403);
  });

  it("are 404 for a model that doesn't exist, and for one that can't chat", async () => {
    assertRow(await send(service, { ...goodBody, model: 'local/none' }), 404);
    assertRow(await send(service, { ...goodBody, model: 'local/video' }), 404);
  });

  it('are 413 for one token beyond the context window, but not for a prompt that just fits', async () => {
    assert.equal((await send(service, question('local/small', '.'.repeat(256)))).status, 200);
    assertRow(await send(service, question('local/small', '.'.repeat(257))), 413);
  });

  it('are 413 for a context that several messages fill together', async () => {
    const messages = Array.from({ length: 3 }, () => ({ role: 'user', content: '.'.repeat(100) }));
    assertRow(await send(service, { model: 'local/small', messages }), 413);
  });

  it('are 502 for the flaky model, once per conversation', async () => {
    assertRow(await send(service, question('local/flaky', 'one')), 502);
    assert.equal((await send(service, question('local/flaky', 'one'))).status, 200);
    assertRow(await send(service, question('local/flaky', 'two')), 502);
    assert.equal((await send(service, question('local/flaky', 'one'))).status, 200);
  });

  it('are an envelope for an unknown path and for a wrong method', async () => {
    const unknown = await send(service, goodBody, { url: `${service.baseUrl}/completions` });
    assert.equal(unknown.status, 404);
    assert.equal(errorOf(unknown).code, 'not_found');
    assert.equal(errorOf(unknown).param, null);
    const wrongMethod = await send(service, undefined, { method: 'GET' });
    assert.equal(wrongMethod.status, 405);
    assert.equal(wrongMethod.headers['allow'], 'POST');
    assert.equal(errorOf(wrongMethod).code, 'method_not_allowed');
  });
});
