import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { paceTokens } from '../../service/pacer.ts';
import { writeOut } from '../../service/writeOut.ts';
import { chunksOf, question, send } from './serviceClient.ts';

const never = new AbortController().signal;

describe('The speed of a reply', () => {
  let service: InferenceService;

  afterEach(() => service?.close());

  it('never exceeds its rate, and skips no token', async () => {
    const tokensPerSecond = 500;
    const tokens = Array.from({ length: tokensPerSecond / 4 }, (_, index) => index);
    const seen: number[] = [];
    const startedAt = performance.now();
    await paceTokens(tokens, { tokensPerSecond, signal: never }, (batch) => {
      seen.push(...batch);
      const allowed = ((performance.now() - startedAt) / 1000) * tokensPerSecond + 1;
      assert.ok(seen.length <= allowed, `${seen.length} tokens, ${allowed} allowed`);
    });
    assert.deepEqual(seen, tokens);
  });

  it("sends several tokens per tick if the rate exceeds the timers' own", async () => {
    let largest = 0;
    await paceTokens(Array.from({ length: 400 }), { tokensPerSecond: 20_000, signal: never }, (batch) => {
      largest = Math.max(largest, batch.length);
    });
    assert.ok(largest > 1);
  });

  it('makes up for a reader that was slow for a while', async () => {
    const pace = { tokensPerSecond: 1000, signal: never };
    const sizes: number[] = [];
    await paceTokens(Array.from({ length: 1000 }), pace, async (batch) => {
      sizes.push(batch.length);
      if (sizes.length === 1) await setTimeout(30);
      else pace.tokensPerSecond = Infinity;
    });
    assert.ok((sizes[1] ?? 0) >= 20, `the second batch had ${sizes[1]} tokens`);
  });

  it('ends with the signal, in the middle of a wait', async () => {
    const leaving = new AbortController();
    const paced = paceTokens([1, 2], { tokensPerSecond: 0.001, signal: leaving.signal }, () => leaving.abort());
    await assert.rejects(paced, { name: 'AbortError' });
  });

  it('can change while the reply is running, and counts from then on', async () => {
    const pace = { tokensPerSecond: 2, signal: never };
    const sizes: number[] = [];
    await paceTokens(Array.from({ length: 40 }), pace, (batch) => {
      sizes.push(batch.length);
      pace.tokensPerSecond = Infinity;
    });
    assert.deepEqual(sizes, [1, 39]);
  });

  it('is the one in the metrics and in the log', async () => {
    service = await startInferenceService({ tokensPerSecond: 400, firstTokenDelayMs: 60 });
    const { usage, x_metrics: metrics } =
      chunksOf((await send(service, question('local/writer', 'write 80 tokens'))).text).at(-1) ?? {};
    assert.ok(usage && metrics);
    assert.equal(usage.completion_tokens, 80);
    assert.ok(metrics.ttft_seconds >= 0.059, 'the first token waits');
    // A first token that's late doesn't delay the last one, so the speed alone may be above the rate.
    const lastTokenSeconds = metrics.ttft_seconds + (usage.completion_tokens - 1) / metrics.tps;
    assert.ok(lastTokenSeconds >= 0.059 + 79 / 400, `the last token came after ${lastTokenSeconds} s, above the rate`);
    assert.ok(lastTokenSeconds <= metrics.total_time_seconds + 1e-5, 'the parts fit in the whole');
    const entry = service.log().at(-1);
    assert.deepEqual(
      [entry?.ttftSeconds, entry?.tps, entry?.totalSeconds, entry?.completionTokens, entry?.promptTokens],
      [metrics.ttft_seconds, metrics.tps, metrics.total_time_seconds, 80, usage.prompt_tokens],
    );
  });

  it('is separate for the slow model', async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity });
    const answer = await send(service, question('local/slow', 'write 2 tokens'));
    assert.ok((chunksOf(answer.text).at(-1)?.x_metrics?.ttft_seconds ?? 0) >= 1.999);
  });

  it("waits for a reader that doesn't read", async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    const server = createServer((_request, serverResponse) => asked.resolve(serverResponse));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address && typeof address === 'object');
    try {
      const outgoing = get({ port: address.port, agent: false });
      const response = await asked.promise;

      let isWritten = false;
      const written = (async () => {
        // More than the buffers at both ends of a connection can hold.
        for (let count = 0; count < 64; count += 1) await writeOut(response, Buffer.alloc(1024 * 1024), never);
        isWritten = true;
      })();
      const [incoming] = await once(outgoing, 'response');
      assert.equal(response.writableNeedDrain, true);
      assert.equal(isWritten, false);
      assert.ok(response.writableLength < 8 * 1024 * 1024, `${response.writableLength} bytes wait in memory`);
      incoming.resume();
      await written;
      response.end();
      await once(incoming, 'end');
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
