import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { goodBody, open, question, send } from './serviceClient.ts';

const limitMs = 5000;

describe('A client that leaves', () => {
  let service: InferenceService;

  beforeEach(async () => {
    service = await startInferenceService({ tokensPerSecond: 40, credits: 1 });
  });

  afterEach(() => service.close());

  async function assertNoConnections(): Promise<void> {
    const deadline = performance.now() + limitMs;
    while (service.openConnections() > 0) {
      assert.ok(performance.now() < deadline, `${service.openConnections()} connections are open`);
      await setTimeout(2);
    }
  }

  it('in mid-stream is noticed, and its reply is written no further', async () => {
    const response = await open(service, question('local/writer', 'write 4000 tokens'));
    await once(response, 'data');
    await service.waitForEntry(({ completionTokens = 0 }) => completionTokens >= 3, limitMs);
    response.destroy();
    const entry = await service.waitForEntry(({ outcome }) => outcome === 'cancelled', limitMs);
    assert.ok(entry.cancelledAfterMs !== undefined && entry.cancelledAfterMs > 0);
    assert.equal(entry.status, 200);
    await assertNoConnections();
    const last = service.log().at(-1);
    assert.ok(last?.completionTokens !== undefined && last.completionTokens < 4000);
    assert.equal(last.outcome, 'cancelled');
  });

  it('pays for what was written', async () => {
    const response = await open(service, question('local/writer', 'write 4000 tokens'));
    await service.waitForEntry(({ completionTokens = 0 }) => completionTokens >= 3, limitMs);
    response.destroy();
    const entry = await service.waitForEntry(({ cost }) => cost !== undefined, limitMs);
    const expected = (entry.promptTokens ?? 0) * 2e-7 + (entry.completionTokens ?? 0) * 8e-7;
    assert.ok(Math.abs((entry.cost ?? 0) - expected) < 1e-12);
  });

  it('before the first token is noticed', async () => {
    const response = await open(service, question('local/slow', 'Hello'));
    response.destroy();
    const entry = await service.waitForEntry(({ outcome }) => outcome === 'cancelled', limitMs);
    assert.equal(entry.completionTokens, undefined);
    await assertNoConnections();
  });

  it('while the whole reply is made is noticed', async () => {
    const leaving = new AbortController();
    const answer = fetch(`${service.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...question('local/writer', 'write 4000 tokens'), stream: false }),
      signal: leaving.signal,
    });
    await service.waitForEntry(({ completionTokens = 0 }) => completionTokens >= 1, limitMs);
    leaving.abort();
    await assert.rejects(answer);
    const entry = await service.waitForEntry(({ outcome }) => outcome === 'cancelled', limitMs);
    assert.equal(entry.status, undefined);
    await assertNoConnections();
  });

  it('while it sends its body is noticed', async () => {
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.apiKey}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"model":',
    );
    await service.waitForEntry(({ outcome }) => outcome === 'running', limitMs);
    socket.destroy();
    await service.waitForEntry(({ outcome }) => outcome === 'cancelled', limitMs);
    await assertNoConnections();
  });

  it('while a fault keeps it waiting is noticed', async () => {
    for (const model of ['local/fault-silence', 'local/fault-comments-only', 'local/fault-endless']) {
      const response = await open(service, { ...goodBody, model });
      await once(response, 'data');
      response.destroy();
      await service.waitForEntry((entry) => entry.model === model && entry.outcome === 'cancelled', limitMs);
    }
    await assertNoConnections();
  });

  it('does not disturb another one', async () => {
    const other = send(service, question('local/writer', 'write 30 tokens'));
    const response = await open(service, question('local/writer', 'write 4000 tokens'));
    response.destroy();
    await service.waitForEntry(({ outcome }) => outcome === 'cancelled', limitMs);
    assert.match((await other).text, /\[DONE\]\n\n$/);
  });

  it('is cut off when the service closes', async () => {
    const response = await open(service, question('local/writer', 'write 4000 tokens'));
    const lost = once(response, 'error');
    await service.close();
    await lost;
    assert.equal(service.openConnections(), 0);
  });
});
