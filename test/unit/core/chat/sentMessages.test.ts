import assert from 'node:assert/strict';
import { lineThatFits, movedLine, sentMessages } from '../../../../src/core/chat/sentMessages.ts';
import type { Message } from '../../../../src/core/chat/conversation.ts';
import { conversationTokens } from '../../../../src/core/chat/conversationTokens.ts';
import { countedConversation } from './countedConversation.ts';

const hundred = { question: 100, reply: 100 };

/** Three questions of 100 tokens with replies of 100; the service counted the last reply's request. */
function threeTurns() {
  const made = countedConversation();
  made.say(hundred);
  made.say(hundred);
  made.say({ ...hundred, counted: [1000, 100] });
  return made;
}

const messages = threeTurns().conversation.messages();

describe('The line above which nothing is sent', () => {
  it("leaves out what is before it, and nothing if it isn't among the messages", () => {
    assert.deepEqual(
      sentMessages(messages, { id: 'u2' }).map(({ id }) => id),
      ['u2', 'r2', 'u3', 'r3'],
    );
    assert.equal(sentMessages(messages, { id: 'gone' }), messages);
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
    const { conversation } = threeTurns();
    assert.equal(lineThatFits(conversation, 1600, ''), 'u2');
    assert.equal(lineThatFits(conversation, 900, ''), 'u3');
    assert.equal(lineThatFits(conversation, 100, ''), 'u3');
    const single = countedConversation();
    single.say(hundred);
    assert.equal(lineThatFits(single.conversation, 100, ''), undefined);
  });

  it('is placed again when the rest has grown, and only further down', () => {
    const { conversation, record, say } = countedConversation();
    say({ question: 400, reply: 100 });
    say(hundred);
    record({ type: 'sentFrom', id: 'u2' });
    say({ ...hundred, counted: [1000, 100] });
    assert.equal(lineThatFits(conversation, 1100, ''), 'u3');
    assert.equal(lineThatFits(conversation, 1_000_000, ''), 'u3');
    record({ type: 'sentFrom', id: 'u3' });
    assert.equal(lineThatFits(conversation, 100, ''), undefined);
  });

  it('is placed where the rest fits, as measured with the line there, wherever the count is', () => {
    for (const counted of [1, 4, 9]) {
      const { conversation, record, say } = countedConversation();
      for (let turn = 1; turn <= 9; turn += 1)
        say({ question: 10 * turn, reply: 100, ...(turn === counted && { counted: [900, 120] }) });
      const tokens = conversation.messages().flatMap(({ id, role }) => {
        if (role !== 'user') return [];
        record({ type: 'sentFrom', id: id === 'u1' ? null : id });
        return [[id, conversationTokens(conversation, 'a prompt')] as const];
      });
      record({ type: 'sentFrom', id: null });
      for (let window = 100; window < 4000; window += 100) {
        const fits = tokens.find(([id, count]) => id !== 'u1' && count <= window / 2)?.[0];
        assert.equal(lineThatFits(conversation, window, 'a prompt'), fits ?? 'u9', `${window}`);
      }
    }
  });

  it('is placed after reading each message only a few times, however long the conversation is', () => {
    let reads = 0;
    const long = Array.from({ length: 10_000 }, (_, index): Message => {
      const facts = { id: `m${index}`, at: index };
      const message: Message =
        index % 2 === 0
          ? { ...facts, role: 'user', text: '' }
          : { ...facts, role: 'assistant', model: 'm', writer: 'w', pid: 1, text: '', reasoning: '' };
      return Object.defineProperty(message, 'text', { get: () => ((reads += 1), 'x'.repeat(400)) });
    });
    const conversation = { messages: () => long, sentFrom: undefined, sentWith: () => [] };
    assert.equal(lineThatFits(conversation, 2000, ''), 'm9990');
    assert.ok(reads <= 2 * long.length, `${reads} reads`);
  });
});
