import assert from 'node:assert/strict';
import { type InferenceService, startInferenceService } from '../../service/inferenceService.ts';
import { countTokens } from '../../service/tokenizer.ts';
import { chunksOf, dataOf, goodBody, question, send, textOf, wholeReplyOf } from './serviceClient.ts';

const hello = goodBody.messages[0].content;

describe('The replies of the service', () => {
  let service: InferenceService;

  before(async () => {
    service = await startInferenceService({ tokensPerSecond: Infinity });
  });

  after(() => service.close());

  it('stream by default, from the role to [DONE]', async () => {
    const answer = await send(service, goodBody);
    assert.equal(answer.status, 200);
    assert.match(answer.headers['content-type'] ?? '', /^text\/event-stream/);
    assert.equal(answer.isCut, false);
    assert.equal(dataOf(answer.text).at(-1), '[DONE]');

    const chunks = chunksOf(answer.text);
    assert.deepEqual(chunks[0]?.choices, [
      { index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null },
    ]);
    assert.equal(textOf(chunks), hello);
    assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
    for (const chunk of chunks) {
      assert.equal(chunk.object, 'chat.completion.chunk');
      assert.equal(chunk.model, 'local/echo');
    }
  });

  it('have their finish reason, usage, and metrics only in the last chunk', async () => {
    const chunks = chunksOf((await send(service, goodBody)).text);
    const last = chunks.at(-1);
    assert.deepEqual(last?.choices, [{ index: 0, delta: {}, finish_reason: 'stop' }]);
    const tokens = countTokens(hello);
    assert.deepEqual(last.usage, { prompt_tokens: tokens, completion_tokens: tokens, total_tokens: 2 * tokens });
    for (const chunk of chunks.slice(0, -1)) {
      assert.equal(chunk.usage, undefined);
      assert.equal(chunk.x_metrics, undefined);
    }
  });

  it('have one event per token that usage counts', async () => {
    const chunks = chunksOf((await send(service, question('local/writer', 'write 123 tokens'))).text);
    const deltas = chunks.filter(({ choices }) => choices[0]?.delta.content);
    assert.equal(deltas.length, 123);
    assert.equal(chunks.at(-1)?.usage?.completion_tokens, 123);
    assert.equal(countTokens(textOf(chunks)), 123);
  });

  it('arrive whole, with the same text, if no stream is requested', async () => {
    const asked = question('local/writer', 'How do I debounce a handler?');
    const whole = wholeReplyOf(await send(service, { ...asked, stream: false }));
    const chunks = chunksOf((await send(service, { ...asked, stream: true })).text);
    assert.equal(whole.object, 'chat.completion');
    assert.deepEqual(whole.choices, [
      { index: 0, message: { role: 'assistant', content: textOf(chunks) }, finish_reason: 'stop' },
    ]);
    assert.deepEqual(whole.usage, chunks.at(-1)?.usage);
    assert.ok(whole.x_metrics);
  });

  it('end with length at max_tokens, streamed or whole', async () => {
    const asked = { ...question('local/writer', 'write 500 tokens'), max_tokens: 20 };
    const chunks = chunksOf((await send(service, asked)).text);
    assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, 'length');
    assert.equal(chunks.at(-1)?.usage?.completion_tokens, 20);
    const whole = wholeReplyOf(await send(service, { ...asked, stream: false }));
    assert.equal(whole.choices[0]?.finish_reason, 'length');
    assert.equal(countTokens(whole.choices[0].message.content), 20);
  });

  it("end with length at 4096 tokens when max_tokens isn't given", async () => {
    const whole = wholeReplyOf(await send(service, { ...question('local/fast', 'write 5000 tokens'), stream: false }));
    assert.equal(whole.choices[0]?.finish_reason, 'length');
    assert.equal(whole.usage?.completion_tokens, 4096);
  });

  it('end with length when the context window is full', async () => {
    const whole = wholeReplyOf(await send(service, { ...question('local/small', '.'.repeat(200)), stream: false }));
    assert.equal(whole.choices[0]?.finish_reason, 'length');
    assert.deepEqual(whole.usage, { prompt_tokens: 200, completion_tokens: 56, total_tokens: 256 });
  });

  it('count every message of the prompt', async () => {
    const messages = [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'One two' },
      { role: 'assistant', content: 'Three.' },
      { role: 'user', content: 'Four' },
    ];
    const chunks = chunksOf((await send(service, { model: 'local/echo', messages })).text);
    assert.equal(textOf(chunks), 'Four');
    assert.deepEqual(chunks.at(-1)?.usage, { prompt_tokens: 3 + 2 + 2 + 1, completion_tokens: 1, total_tokens: 9 });
  });

  it('from the thinker begin with reasoning, which is counted', async () => {
    const asked = question('local/thinker', 'How do I debounce a handler?');
    const deltas = chunksOf((await send(service, asked)).text);
    const kinds = deltas.flatMap(({ choices: [choice] }) =>
      choice?.delta.reasoning_content ? ['reasoning'] : choice?.delta.content ? ['text'] : [],
    );
    assert.equal(kinds[0], 'reasoning');
    assert.equal(kinds.lastIndexOf('reasoning') + 1, kinds.indexOf('text'));
    assert.equal(deltas.at(-1)?.usage?.completion_tokens, kinds.length);
    const whole = wholeReplyOf(await send(service, { ...asked, stream: false }));
    assert.match(whole.choices[0]?.message.reasoning_content ?? '', /1 messages?/);
    assert.equal(whole.choices[0]?.message.content, textOf(deltas));
  });

  it('from the plain model have neither usage nor metrics', async () => {
    const chunks = chunksOf((await send(service, question('local/plain', 'write 5 tokens'))).text);
    assert.ok(chunks.every((chunk) => !('usage' in chunk) && !('x_metrics' in chunk)));
    const whole = wholeReplyOf(await send(service, { ...question('local/plain', 'write 5 tokens'), stream: false }));
    assert.equal('usage' in whole, false);
    assert.equal(service.log().at(-1)?.completionTokens, 5);
  });

  it('can be empty', async () => {
    const chunks = chunksOf((await send(service, question('local/echo', ''))).text);
    assert.equal(textOf(chunks), '');
    assert.equal(chunks.at(-1)?.usage?.completion_tokens, 0);
    assert.ok(Number.isFinite(chunks.at(-1)?.x_metrics?.tps));
  });
});
