import assert from 'node:assert/strict';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import { Comparison } from '../../../../src/core/compare/comparison.ts';
import { continuedConversation } from '../../../../src/core/compare/continuedConversation.ts';

describe('A column that goes on as a chat', () => {
  it('has what was said before, what its own model said, and its figures', () => {
    const columns = [
      { id: 'c1', model: 'local/echo' },
      { id: 'c2', model: 'local/fast' },
    ];
    const before = [{ role: 'user', content: 'Hi' } as const, { role: 'assistant', content: 'Hello' } as const];
    const comparison = new Comparison('k', columns, before);
    comparison.setTurn({
      id: 't1',
      at: 10,
      text: 'Name a bird',
      attachments: [],
      content: 'File: birds.md\n\nName a bird',
      order: 'allAtOnce',
      columns: ['c1', 'c2'],
      isBlind: false,
    });
    const reply = {
      id: 'r1',
      turnId: 't1',
      columnId: 'c1',
      model: 'local/echo',
      at: 11,
      reasoning: 'Hm',
      state: 'done',
    } as const;
    const sample = { sentAt: 11, firstMs: 5, lastMs: 25, totalMs: 30, gapsMs: [20], replyTokens: 5 };
    comparison.setReply({ ...reply, text: 'Kestrel', end: { outcome: 'done', wasSent: true, sample } });
    comparison.setReply({ ...reply, id: 'r2', columnId: 'c2', text: 'Sparrow' });
    let id = 0;
    const records = continuedConversation(comparison, 'c1', {
      writer: 'w',
      pid: 1,
      newId: () => `id${(id += 1)}`,
    });
    const conversation = new Conversation('k2');
    for (const record of records) conversation.apply(record);
    assert.deepEqual(
      conversation.messages().map(({ role, text }) => `${role}: ${text}`),
      ['user: Hi', 'assistant: Hello', 'user: File: birds.md\n\nName a bird', 'assistant: Kestrel'],
    );
    const last = conversation.messages().at(-1);
    assert.ok(last?.role === 'assistant');
    assert.deepEqual([last.model, last.reasoning, last.end?.outcome], ['local/echo', 'Hm', 'done']);
    assert.equal(last.end?.metrics.totalSeconds?.value, 0.03);
    assert.equal(conversation.options.model, 'local/echo');
  });
});
