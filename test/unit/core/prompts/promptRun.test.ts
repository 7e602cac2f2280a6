import assert from 'node:assert/strict';
import { InferenceClient } from '../../../../src/api/inferenceClient.ts';
import { createTransport } from '../../../../src/api/transport/createTransport.ts';
import type { Transport } from '../../../../src/api/transport/transport.ts';
import { speedText } from '../../../../src/words/replySpeed.ts';
import { type PromptRunEnd, runPrompt } from '../../../../src/core/prompts/promptRun.ts';
import { type InferenceService, startInferenceService } from '../../../service/inferenceService.ts';

describe('A prompt that runs outside of a chat', () => {
  let service: InferenceService;
  let transport: Transport;

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: 2000 });
    transport = createTransport({
      settings: () => ({ proxySupport: 'off', proxy: '', noProxy: [], systemCertificates: false, env: {} }),
    });
  });
  after(async () => {
    transport.dispose();
    await service.close();
  });

  async function run(
    model: string,
    content: string,
    options: { readonly maxTokens?: number; readonly stopAt?: number; readonly key?: string } = {},
  ): Promise<{ readonly end: PromptRunEnd; readonly steps: readonly string[]; readonly retries: readonly number[] }> {
    const endpoint = {
      baseUrl: new URL(service.baseUrl),
      nativeUrl: new URL(service.nativeUrl),
      apiKey: options.key ?? service.apiKey,
    };
    const client = new InferenceClient({ endpoint: () => Promise.resolve(endpoint), transport });
    const abort = new AbortController();
    const steps: string[] = [];
    const retries: number[] = [];
    const request = {
      model,
      messages: [{ role: 'user' as const, content }],
      stream: true,
      ...(options.maxTokens !== undefined && { max_tokens: options.maxTokens }),
    };
    const end = await runPrompt(request, abort.signal, {
      client,
      ticks: () => performance.now(),
      onText: (text) => {
        steps.push(text);
        if (text.length >= (options.stopAt ?? Infinity)) abort.abort();
      },
      onRetry: (delayMs) => retries.push(delayMs),
    });
    return { end, steps, retries };
  }

  it('grows step by step to the whole reply, with the figures of the service', async () => {
    const { end, steps } = await run('local/writer', 'Write 300 tokens about trees');
    assert.equal(end.outcome, 'done');
    assert.equal(end.finishReason, 'stop');
    assert.match(end.requestId ?? '', /^req_/);
    assert.ok(steps.length > 1);
    for (const [index, step] of steps.entries()) assert.ok(step.startsWith(steps[index - 1] ?? ''));
    assert.equal(steps.at(-1), end.text);
    const line = speedText(end.metrics);
    assert.match(line, /^[\d.,]+ tok\/s · (?:[\d.]+ s|<10 ms) first token · [\d.]+ s total · [\d,]+ → 300 tokens$/);
  });

  it('ends without the reasoning whose beginning a model leaves out', async () => {
    const { end, steps } = await run('local/echo', 'Okay, a letter.\n</think>\n\nlet a;');
    assert.equal(end.text, 'let a;');
    assert.equal(steps.at(-1), 'Okay, a letter.\n</think>\n\nlet a;');
  });

  it('marks figures that were measured or estimated here', async () => {
    const { end } = await run('local/plain', 'Write 50 tokens about trees');
    assert.match(speedText(end.metrics), /m?s° first token · .*≈ [\d,]+ tokens$/);
  });

  it("keeps what had arrived when it's stopped, and stops at the service", async () => {
    const { end } = await run('local/writer', 'Write 4000 tokens about trees', { stopAt: 40 });
    assert.equal(end.outcome, 'stopped');
    assert.ok(end.text.length >= 40);
    await service.waitForEntry(({ outcome }) => outcome === 'canceled');
  });

  it('keeps what had arrived when it fails, with the failure', async () => {
    const { end } = await run('local/fault-error-later', 'Write 90 tokens about trees');
    assert.equal(end.outcome, 'failed');
    assert.ok(end.text.length > 0);
    assert.equal(end.failure?.kind, 'streamError');
    assert.equal(end.error, undefined);
  });

  it('is incomplete at the token limit, and if the stream ends without a finish reason', async () => {
    const cut = await run('local/writer', 'Write 90 tokens about trees', { maxTokens: 10 });
    assert.deepEqual([cut.end.outcome, cut.end.finishReason], ['incomplete', 'length']);
    const ended = await run('local/fault-unfinished', 'Write 90 tokens about trees');
    assert.equal(ended.end.outcome, 'incomplete');
  });

  it('fails with the reason if nothing arrives', async () => {
    const { end, steps } = await run('local/echo', 'Hello', { key: 'wrong' });
    assert.deepEqual([end.outcome, end.text, end.failure?.kind, steps], ['failed', '', 'unauthorized', []]);
  });
});
