import assert from 'node:assert/strict';
import { chatRequest, effectiveOptions } from '../../../../src/core/chat/chatRequest.ts';
import type { Message } from '../../../../src/core/chat/conversation.ts';

const user: Message = { role: 'user', id: 'u1', at: 1, text: 'Hello' };
const reply = (text: string): Message => ({
  role: 'assistant',
  id: 'r1',
  at: 2,
  model: 'm',
  writer: 'w',
  pid: 1,
  text,
  reasoning: 'not sent',
});

describe('The body of a chat completion', () => {
  it("contains nothing that the user didn't set, but always says whether to stream", () => {
    assert.deepEqual(chatRequest('local/echo', {}, [user]), {
      model: 'local/echo',
      messages: [{ role: 'user', content: 'Hello' }],
      stream: true,
    });
  });

  it('contains every parameter that was set, under the names of the spec', () => {
    const options = { systemPrompt: 'Be brief.', maxTokens: 5, temperature: 0, topP: 0.5, stream: false };
    assert.deepEqual(chatRequest('m', options, [user]), {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ],
      max_tokens: 5,
      temperature: 0,
      top_p: 0.5,
      stream: false,
    });
  });

  it('leaves out a blank system prompt, replies without text, and reasoning', () => {
    const { messages } = chatRequest('m', { systemPrompt: '  \n' }, [user, reply(''), user, reply('Hi')]);
    assert.deepEqual(messages, [
      { role: 'user', content: 'Hello' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
    ]);
  });

  it("prefers the conversation's own value to the setting", () => {
    assert.deepEqual(effectiveOptions({ temperature: 0 }, { temperature: 1, maxTokens: 9 }), {
      temperature: 0,
      maxTokens: 9,
    });
  });
});
