import assert from 'node:assert/strict';
import { isOtherModel } from '../../../../src/core/models/isOtherModel.ts';
import { keptReply, chatCompletion } from '../../../../src/api/operations/chatCompletion.ts';
import { done, event, answer, startRawServer } from '../rawServer.ts';
import { hello, testClient } from '../testClient.ts';

describe('The document of a response', () => {
  it('contains what the service sent, including unknown fields, with the text of the stream joined', async () => {
    const chunk = { id: 'c1', object: 'chat.completion.chunk', created: 17, model: 'm-2026', system_fingerprint: 'fp' };
    const usage = { prompt_tokens: 1, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } };
    const body =
      event({ ...chunk, choices: [{ index: 0, delta: { content: 'H' } }] }) +
      event({ ...chunk, choices: [{ index: 0, delta: { content: 'i' }, finish_reason: 'stop' }] }) +
      event({ ...chunk, choices: [], usage }) +
      done;
    const server = await startRawServer((socket) => socket.write(answer(200, body)));
    const { client, dispose } = testClient(server.origin);
    let text = '';
    let fields: Readonly<Record<string, unknown>> | undefined;
    for await (const each of client.stream(chatCompletion(hello))) {
      if (each.type === 'text') text += each.text;
      if (each.type === 'response') ({ fields } = each);
    }
    dispose();
    await server.close();
    const facts = { reasoning: '', finishReason: 'stop', usage: { promptTokens: 1 }, metrics: undefined };
    assert.deepEqual(keptReply({ text, ...facts, fields }), {
      ...chunk,
      usage,
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    });
    assert.equal(server.requests.length, 1);
  });

  it("leaves out what isn't a fact about the reply", async () => {
    const reply = { id: 'c1', huge: 'x'.repeat(100_000), choices: [{ message: { content: 'Hi' } }] };
    const server = await startRawServer((socket) => socket.write(answer(200, JSON.stringify(reply))));
    const { client, dispose } = testClient(server.origin);
    for await (const each of client.stream(chatCompletion(hello))) {
      if (each.type === 'response') assert.deepEqual(each.fields, { id: 'c1' });
    }
    dispose();
    await server.close();
  });

  it("counts as another model's only if that isn't the same model under a shorter name", () => {
    assert.equal(isOtherModel('gpt-4o-2026', 'openai/gpt-4o'), true);
    assert.equal(isOtherModel('fallback/model', 'openai/gpt-4o'), true);
    for (const same of [undefined, '', 'openai/gpt-4o', 'gpt-4o', 'OpenAI/GPT-4o']) {
      assert.equal(isOtherModel(same, 'openai/gpt-4o'), false, same);
    }
  });
});
