import assert from 'node:assert/strict';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { errorOf, goodBody, send } from './serviceClient.ts';

const badChanges: readonly (readonly [change: Readonly<Record<string, unknown>>, param: string])[] = [
  [{ model: undefined }, 'model'],
  [{ model: '' }, 'model'],
  [{ messages: undefined }, 'messages'],
  [{ messages: 'hello' }, 'messages'],
  [{ messages: [] }, 'messages'],
  [{ messages: [null] }, 'messages[0]'],
  [{ messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
  [{ messages: [{ role: 'user' }] }, 'messages[0].content'],
  [{ messages: [{ role: 'user', content: 3 }] }, 'messages[0].content'],
  [{ messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] }, 'messages[0].content'],
  [{ messages: [...goodBody.messages, { role: 'user', content: null }] }, 'messages[1].content'],
  [{ max_tokens: 1.5 }, 'max_tokens'],
  [{ max_tokens: 200_001 }, 'max_tokens'],
  [{ temperature: -0.1 }, 'temperature'],
  [{ temperature: 2.1 }, 'temperature'],
  [{ temperature: null }, 'temperature'],
  [{ top_p: 0 }, 'top_p'],
  [{ top_p: 1.1 }, 'top_p'],
  [{ stream: 'true' }, 'stream'],
];

describe('The validation of a chat request', () => {
  let service: InferenceService;

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity });
  });

  after(() => service.close());

  for (const [change, param] of badChanges) {
    it(`returns 400 with the param ${param} for ${describeChange(change)}`, async () => {
      const answer = await send(service, { ...goodBody, ...change });
      assert.equal(answer.status, 400);
      const error = errorOf(answer);
      assert.equal(error.param, param);
      assert.equal(error.type, 'invalid_request_error');
      assert.equal(error.code, 'invalid_request');
    });
  }

  it("returns 400 without a param for a body that isn't JSON, an object, or UTF-8", async () => {
    for (const body of ['{"model":', '', '[]', '"text"', 'null', Buffer.from('{"model":"\xff"}', 'latin1')]) {
      const answer = await send(service, body);
      assert.equal(answer.status, 400, String(body));
      assert.equal(errorOf(answer).param, null, String(body));
    }
  });

  it("returns 400 for a body that isn't sent as JSON", async () => {
    const answer = await send(service, goodBody, { headers: { 'content-type': 'text/plain' } });
    assert.equal(answer.status, 400);
  });

  it('accepts the limits themselves, and unknown fields', async () => {
    for (const change of [
      { temperature: 0 },
      { temperature: 2 },
      { top_p: 1 },
      { top_p: 0.001 },
      { max_tokens: 1 },
      { max_tokens: 200_000 },
      { user: 'someone' },
    ]) {
      assert.equal((await send(service, { ...goodBody, ...change })).status, 200, JSON.stringify(change));
    }
  });

  it("logs the body as it was received, even if it's rejected", async () => {
    const body = { ...goodBody, top_p: 'much', extra: [1] };
    await send(service, body);
    assert.deepEqual(service.log().at(-1)?.requestBody, body);
  });
});

function describeChange(change: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(change, (_key, value: unknown) => (value === undefined ? 'nothing' : value));
}
