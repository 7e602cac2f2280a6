import assert from 'node:assert/strict';
import type { Message } from '../../../../src/core/chat/conversation.ts';
import { conversationTokens } from '../../../../src/core/chat/conversationTokens.ts';
import { lineThatFits, movedLine, sentMessages } from '../../../../src/core/chat/sentMessages.ts';

/** Three questions of 100 tokens with replies of 100; the service counted the last reply's request. */
const messages: readonly Message[] = [1, 2, 3].flatMap((number): Message[] => [
  { role: 'user', id: `u${number}`, at: number * 10, text: 'x'.repeat(400) },
  {
    role: 'assistant',
    id: `r${number}`,
    at: number * 10 + 1,
    model: 'm',
    writer: 'w',
    pid: 1,
    text: 'y'.repeat(400),
    reasoning: '',
    ...(number === 3 && {
      end: {
        outcome: 'done',
        at: 40,
        metrics: { promptTokens: { value: 1000, from: 'service' }, completionTokens: { value: 100, from: 'service' } },
      },
    }),
  },
]);

describe('The line above which nothing is sent', () => {
  it("leaves out what is before it, and nothing if it isn't among the messages", () => {
    assert.deepEqual(
      sentMessages(messages, { id: 'u2', at: 50 }).map(({ id }) => id),
      ['u2', 'r2', 'u3', 'r3'],
    );
    assert.equal(sentMessages(messages, { id: 'gone', at: 50 }), messages);
    assert.equal(sentMessages(messages, undefined), messages);
  });

  it('moves from question to question, and disappears above the first', () => {
    assert.equal(movedLine(messages, undefined, 1), 'u2');
    assert.equal(movedLine(messages, 'u2', 1), 'u3');
    assert.equal(movedLine(messages, 'u3', 1), undefined);
    assert.equal(movedLine(messages, 'u2', -1), null);
    assert.equal(movedLine(messages, undefined, -1), undefined);
  });

  it('is placed so that the rest uses half of the window, or before the last question', () => {
    assert.equal(lineThatFits(messages, 1600, ''), 'u2');
    assert.equal(lineThatFits(messages, 900, ''), 'u3');
    assert.equal(lineThatFits(messages, 100, ''), 'u3');
    assert.equal(lineThatFits(messages.slice(0, 2), 100, ''), undefined);
  });

  it("reduces the service's earlier count by the share that is left out", () => {
    assert.equal(conversationTokens(messages), 1100);
    // 300 of the 500 tokens that were sent are after the line.
    assert.equal(conversationTokens(messages, '', { id: 'u2', at: 50 }), 600 + 100);
    // The last request was sent with the line there.
    assert.equal(conversationTokens(messages, '', { id: 'u2', at: 20 }), 1100);
  });
});
