import assert from 'node:assert/strict';
import { startOfRequest } from '../../../../src/core/compare/startOfRequest.ts';

const system = { role: 'system', content: 'Be brief' };
const before = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: 'Hello' },
];
const question = { role: 'user', content: 'Name a bird' };

describe('A comparison that starts with a request', () => {
  it('asks the same question, after the same messages, with the same parameters', () => {
    const messages = [system, ...before, question];
    // One model wanted another name for the limit.
    for (const limit of ['max_tokens', 'max_completion_tokens'])
      assert.deepEqual(startOfRequest({ body: { model: 'm', messages, temperature: 0.2, [limit]: 20 } }, 'm'), {
        models: ['m'],
        text: 'Name a bird',
        content: 'Name a bird',
        before,
        options: { systemPrompt: 'Be brief', temperature: 0.2, maxTokens: 20 },
      });
  });

  it('asks the model of the service that the request went to, whatever that service calls it', () => {
    const start = startOfRequest({ body: { model: 'm', messages: [question] } }, 'home::m');
    assert.deepEqual(typeof start === 'string' ? start : start.models, ['home::m']);
  });

  it("needs a question in text, and says what's missing otherwise", () => {
    const image = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] };
    for (const messages of [[], before, [system], [image]])
      assert.equal(startOfRequest({ body: { model: 'm', messages } }, 'm'), 'noQuestion');
    assert.equal(startOfRequest({ body: { prompt: 'a film' } }, 'm'), 'noQuestion');
    assert.equal(startOfRequest({ body: { model: 'm', messages: [image] }, isPartial: true }, 'm'), 'noImages');
    assert.equal(startOfRequest({}, 'm'), 'noContent');
    assert.equal(startOfRequest(undefined, 'm'), 'noContent');
  });
});
