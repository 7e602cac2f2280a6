/**
 * What the request log adds to each token of a stream: `node test/bench/recordedStream.ts`.
 * The same events plain and recorded, in turns of one run; the medians are compared.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatEvent } from '../../src/api/types.ts';
import type { InferenceCalls } from '../../src/vscode/requests/recordedCalls.ts';
import { requestLogOf } from '../../src/vscode/requests/requestLogOf.ts';

const tokens = 100_000;
const rounds = 9;
const other = () => Promise.reject(new Error('asked of nobody'));
const service: InferenceCalls = {
  async *streamChat(_request, options): AsyncGenerator<ChatEvent> {
    const url = new URL('https://service.test/v1/chat/completions');
    options?.observer?.sending?.({ method: 'POST', url, text: '{}' });
    for (let count = 0; count < tokens; count += 1) {
      // As events come in turns of the socket, a few at a time.
      if (count % 4 === 0) await Promise.resolve();
      yield { type: 'text', text: 'token ' };
    }
    yield { type: 'end', complete: true };
  },
  async *streamMultimodalChat() {},
  listModels: other,
  generateVideo: other,
  generateImage: other,
  transcribeAudio: other,
};

const folder = await mkdtemp(join(tmpdir(), 'parlance-bench-'));
const { calls, history } = requestLogOf({
  service,
  folder,
  limits: () => ({ maxCount: 1000, maxBytes: 1e9 }),
  keepsBodies: () => true,
  clean: (data) => data,
  onError: (error) => {
    throw error;
  },
});

async function timed(client: Pick<InferenceCalls, 'streamChat'>): Promise<number> {
  const from = performance.now();
  let length = 0;
  for await (const event of client.streamChat({ model: 'm', messages: [], stream: true })) {
    if (event.type === 'text') length += event.text.length;
  }
  if (length !== tokens * 6) throw new Error('tokens were lost');
  return performance.now() - from;
}

const plain: number[] = [];
const recorded: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  plain.push(await timed(service));
  recorded.push(await timed(calls));
  await history.flush();
}
history.dispose();
await rm(folder, { recursive: true, force: true });
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const perToken = (ms: number) => ((ms * 1000) / tokens).toFixed(2);
console.log(`plain ${perToken(median(plain))} µs a token, recorded ${perToken(median(recorded))} µs a token`);
