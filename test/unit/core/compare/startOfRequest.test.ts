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
    assert.deepEqual(startOfRequest({ model: 'm', messages, temperature: 0.2, max_tokens: 20, stream: true }), {
      models: ['m'],
      text: 'Name a bird',
      content: 'Name a bird',
      before,
      options: { systemPrompt: 'Be brief', temperature: 0.2, maxTokens: 20 },
    });
  });

  it('needs a question in text', () => {
    const image = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] };
    for (const messages of [[], before, [system], [image]])
      assert.equal(startOfRequest({ model: 'm', messages }), undefined);
    assert.equal(startOfRequest({ prompt: 'a film' }), undefined);
    assert.equal(startOfRequest(undefined), undefined);
  });
});
