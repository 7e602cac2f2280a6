import assert from 'node:assert/strict';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { errorOf, goodBody, question, send } from './serviceClient.ts';

describe('The limits of the account', () => {
  let service: InferenceService;
  let nowMs = 1_700_000_000_000;

  const start = async (options: Parameters<typeof startInferenceService>[0]): Promise<void> => {
    service = await startInferenceService({ tokensPerSecond: Infinity, now: () => nowMs, ...options });
  };

  afterEach(() => service.close());

  async function statusOf(body: object): Promise<number> {
    return (await send(service, body)).status;
  }

  it('allow as many requests as the rate permits, and refill', async () => {
    await start({ requestsPerMinute: 3 });
    for (let count = 0; count < 3; count += 1) assert.equal(await statusOf(goodBody), 200);
    const refused = await send(service, goodBody);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers['retry-after'], '20');
    assert.equal(errorOf(refused).code, 'rate_limit_exceeded');

    nowMs += 19_000;
    const stillRefused = await send(service, goodBody);
    assert.equal(stillRefused.headers['retry-after'], '1');
    nowMs += 1000;
    assert.equal(await statusOf(goodBody), 200);
    assert.equal(await statusOf(goodBody), 429);
    nowMs += 3_600_000;
    for (let count = 0; count < 3; count += 1) assert.equal(await statusOf(goodBody), 200);
    assert.equal(await statusOf(goodBody), 429, 'a long pause saves up no more than the limit');
  });

  it("don't count requests without the key", async () => {
    await start({ requestsPerMinute: 1 });
    assert.equal((await send(service, goodBody, { key: null })).status, 401);
    assert.equal(await statusOf(goodBody), 200);
  });

  it('are separate for local/limited: one request in ten seconds', async () => {
    await start({});
    const body = { ...goodBody, model: 'local/limited' };
    assert.equal(await statusOf(body), 200);
    nowMs += 2500;
    const refused = await send(service, body);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers['retry-after'], '8');
    assert.equal(await statusOf(goodBody), 200);
    nowMs += 7500;
    assert.equal(await statusOf(body), 200);
  });

  it("let credits run out at the catalog's prices, and be added", async () => {
    // A prompt of 3 tokens and a reply of 97: 3 · 2e-7 + 97 · 8e-7 = 7.82e-5.
    await start({ credits: 2 * 7.82e-5 - 1e-9 });
    const body = question('local/writer', 'write 97 tokens');
    assert.equal(await statusOf(body), 200);
    assert.equal(await statusOf(body), 200, 'what is begun is finished');
    const refused = await send(service, body);
    assert.equal(refused.status, 402);
    assert.equal(errorOf(refused).type, 'insufficient_quota');
    service.addCredits(1);
    assert.equal(await statusOf(body), 200);
  });

  it('reject the first request of an account without credits', async () => {
    await start({ credits: 0 });
    assert.equal(await statusOf(goodBody), 402);
    assert.equal(await statusOf({ ...goodBody, model: 'local/costly' }), 200, 'local/costly pays from its own');
  });

  it('last for two replies from local/costly', async () => {
    await start({});
    const body = { ...goodBody, model: 'local/costly' };
    assert.deepEqual([await statusOf(body), await statusOf(body), await statusOf(body)], [200, 200, 402]);
    assert.equal(await statusOf(goodBody), 200);
  });
});
