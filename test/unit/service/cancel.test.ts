import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { goodBody, open, question } from './serviceClient.ts';

const limitMs = 60_000;

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

  it('in mid-stream is noticed, and no more of its reply is written', async () => {
    const response = await open(service, question('local/writer', 'write 4000 tokens'));
    await once(response, 'data');
    await service.waitForEntry(({ completionTokens = 0 }) => completionTokens >= 3);
    response.destroy();
    const entry = await service.waitForEntry(({ outcome, cost }) => outcome === 'canceled' && cost !== undefined);
    assert.ok(entry.canceledAfterMs !== undefined && entry.canceledAfterMs > 0);
    assert.equal(entry.status, 200);
    const expected = (entry.promptTokens ?? 0) * 2e-7 + (entry.completionTokens ?? 0) * 8e-7;
    assert.ok(Math.abs((entry.cost ?? 0) - expected) < 1e-12, 'it pays for what was written');
    await assertNoConnections();
    const last = service.log().at(-1);
    assert.ok(last?.completionTokens !== undefined && last.completionTokens < 4000);
    assert.equal(last.outcome, 'canceled');
  });

  it('while it sends its body is noticed', async () => {
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.apiKey}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"model":',
    );
    await service.waitForEntry(({ outcome }) => outcome === 'running');
    socket.destroy();
    await service.waitForEntry(({ outcome }) => outcome === 'canceled');
    await assertNoConnections();
  });

  it('while a fault keeps it waiting is noticed', async () => {
    for (const model of ['local/fault-silence', 'local/fault-comments-only', 'local/fault-endless']) {
      const response = await open(service, { ...goodBody, model });
      await once(response, 'data');
      response.destroy();
      await service.waitForEntry((entry) => entry.model === model && entry.outcome === 'canceled');
    }
    await assertNoConnections();
  });

  it('is cut off when the service closes', async () => {
    const response = await open(service, question('local/writer', 'write 4000 tokens'));
    const lost = once(response, 'error');
    await service.close();
    await lost;
    assert.equal(service.openConnections(), 0);
  });
});
