import assert from 'node:assert/strict';
import { startInferenceService, type InferenceService } from '../../service/inferenceService.ts';
import { failureOf, hello, outcomeOf, testClient, type TestClient } from './testClient.ts';
import { chatCompletion } from '../../../src/api/operations/chatCompletion.ts';
import { listModels } from '../../../src/api/operations/listModels.ts';

describe('With the local service', () => {
  let service: InferenceService;
  let tested: TestClient;
  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity });
    tested = testClient(service.origin, { apiKey: service.apiKey });
  });
  after(async () => {
    tested.dispose();
    await service.close();
  });

  for (const stream of [true, false]) {
    it(`a chat ${stream ? 'in a stream' : 'in one piece'} returns text, usage, and metrics`, async () => {
      const outcome = await outcomeOf(tested.client.stream(chatCompletion({ ...hello, stream })));
      assert.equal(outcome.text, 'Hello');
      assert.equal(outcome.finish, 'stop');
      assert.equal(outcome.complete, true);
      assert.ok((outcome.usage?.totalTokens ?? 0) > 0);
      assert.ok((outcome.metrics?.totalTimeSeconds ?? -1) >= 0);
    });
  }

  it('a thinker returns its reasoning separately', async () => {
    const outcome = await outcomeOf(
      tested.client.stream(chatCompletion({ ...hello, model: 'local/thinker', max_tokens: 400 })),
    );
    assert.notEqual(outcome.reasoning, '');
    assert.equal(outcome.failure, undefined);
  });

  it('a long reply arrives character by character', async () => {
    const content = 'One line of many, with 世界 in it.\n'.repeat(300);
    const request = { ...hello, messages: [{ role: 'user', content } as const], max_tokens: 100_000 };
    assert.equal((await outcomeOf(tested.client.stream(chatCompletion(request)))).text, content);
  });

  it('the catalog is listed', async () => {
    const ids = (await tested.client.ask(listModels)).map((model) => model.id);
    assert.ok(ids.includes('local/echo') && ids.includes('local/video'));
  });

  const refusals = [
    [400, 'badRequest'],
    [401, 'unauthorized'],
    [402, 'outOfCredits'],
    [403, 'forbidden'],
    [404, 'modelNotFound'],
    [413, 'contextTooLong'],
    [429, 'rateLimited'],
    [500, 'serverError'],
    [502, 'backendUnavailable'],
    [504, 'backendTimeout'],
  ] as const;
  for (const [status, kind] of refusals) {
    it(`${status} is ${kind}`, async () => {
      const own = testClient(service.origin, { apiKey: service.apiKey });
      const { failure } = await outcomeOf(
        own.client.stream(chatCompletion({ ...hello, model: `local/error-${status}` })),
      );
      own.dispose();
      assert.equal(failure?.kind, kind);
      assert.match('requestId' in failure ? (failure.requestId ?? '') : '', /^req_/);
    });
  }

  it('a wrong key is refused, for the catalog too', async () => {
    const wrong = testClient(service.origin, { apiKey: 'not-the-key' });
    assert.equal((await outcomeOf(wrong.client.stream(chatCompletion(hello)))).failure?.kind, 'unauthorized');
    assert.equal((await failureOf(wrong.client.ask(listModels))).kind, 'unauthorized');
    wrong.dispose();
  });

  it('a cancellation is noticed by the service', async () => {
    const abort = new AbortController();
    const request = { ...hello, model: 'local/slow' };
    await assert.rejects(async () => {
      for await (const each of tested.client.stream(chatCompletion(request), { signal: abort.signal })) {
        if (each.type === 'opened') abort.abort(new Error('enough'));
      }
    }, /^Error: enough$/);
    const entry = await service.waitForEntry((each) => each.model === 'local/slow' && each.outcome !== 'running');
    assert.equal(entry.outcome, 'canceled');
  });
});
