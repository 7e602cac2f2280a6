import assert from 'node:assert/strict';
import type { Message } from '../../../../src/core/chat/conversation.ts';
import { conversationTokens } from '../../../../src/core/chat/conversationTokens.ts';

const file = { kind: 'file', id: 'a1', name: 'a', detail: 'a', tokens: 100, at: 1 } as const;
const question: Message = { role: 'user', id: 'u1', at: 1, text: 'x'.repeat(40), attachments: [file] };
const reply: Message = {
  role: 'assistant',
  id: 'r1',
  at: 1,
  model: 'm',
  writer: 'w',
  pid: 1,
  text: 'x'.repeat(80),
  reasoning: '',
};

describe('The tokens of a conversation', () => {
  it('are estimated from the texts, the attachments, and the system prompt', () => {
    assert.equal(conversationTokens([question, reply], 'x'.repeat(8)), 10 + 100 + 20 + 2);
  });

  it("are the service's count if there is one, with estimates for later messages", () => {
    const counted: Message = {
      ...reply,
      end: {
        outcome: 'done',
        at: 2,
        metrics: {
          promptTokens: { value: 500, from: 'service' },
          completionTokens: { value: 30, from: 'service' },
        },
      },
    };
    assert.equal(conversationTokens([question, counted], 'a system prompt that was counted'), 530);
    assert.equal(conversationTokens([question, counted, question]), 530 + 110);
  });
});
