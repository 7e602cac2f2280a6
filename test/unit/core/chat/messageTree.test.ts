import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import type { ConversationRecord } from '../../../../src/core/chat/conversationRecord.ts';

const by = { writer: 'w1', at: 1 };

function asked(id: string, after: string | null = null): ConversationRecord {
  return { type: 'asked', id, text: id, after, ...by };
}

function started(id: string, after: string, version?: { of: string; turn: number }): ConversationRecord {
  return { type: 'replyStarted', id, model: 'm', pid: 1, after, ...(version !== undefined && { version }), ...by };
}

/** Two exchanges, with the first reply retried twice, a conversation after each, and switches back and forth. */
const records: readonly ConversationRecord[] = [
  asked('q1'),
  started('a', 'q1'),
  asked('q2', 'a'),
  started('r2', 'q2'),
  started('b', 'q1', { of: 'a', turn: 1 }),
  asked('q3', 'b'),
  started('x', 'q3'),
  started('y', 'q3', { of: 'x', turn: 1 }),
  { type: 'versionShown', id: 'x', turn: 2, ...by },
  asked('q4', 'x'),
  { type: 'versionShown', id: 'a', turn: 2, ...by },
  started('c', 'q1', { of: 'a', turn: 3 }),
  { type: 'versionShown', id: 'b', turn: 4, ...by },
  // Another window recorded the same switch at the same time.
  { type: 'versionShown', id: 'a', turn: 4, ...by },
];

function shown(conversation: Conversation): readonly string[] {
  return conversation.messages().map(({ id }) => id);
}

function summed(some: readonly ConversationRecord[]): Conversation {
  const conversation = new Conversation('c1');
  for (const record of some) {
    conversation.apply(record);
    // Like pages do: the visible path is read between any two records.
    shown(conversation);
  }
  return conversation;
}

describe('The versions of replies', () => {
  it('are the same in whatever order, and however often, their records arrive', () => {
    const expected = shown(summed(records));
    assert.deepEqual(expected, ['q1', 'b', 'q3', 'x', 'q4']);
    const anyOrder = fc.shuffledSubarray([...records, ...records], { minLength: 0 }).map((some) => [...some]);
    fc.assert(
      fc.property(fc.shuffledSubarray([...records], { minLength: records.length }), anyOrder, (once, more) => {
        const conversation = summed([...once, ...more]);
        assert.deepEqual(shown(conversation), expected);
        const versions = conversation.versions('b').map(({ id }) => id);
        assert.deepEqual(versions, ['a', 'b', 'c']);
        assert.deepEqual(conversation.nextVersion('c'), { of: 'a', turn: 5 });
      }),
      { numRuns: 500 },
    );
  });

  it('lose nothing else if the line of the first one is damaged', () => {
    const withoutFirst = summed(records.filter((record) => !('id' in record) || record.id !== 'a'));
    assert.deepEqual(shown(withoutFirst), ['q1', 'q2', 'r2', 'b', 'q3', 'x', 'q4']);
    assert.deepEqual(
      withoutFirst.versions('b').map(({ id }) => id),
      ['b', 'c'],
    );
  });

  it('lead to a hidden message, through every switch on the way', () => {
    const conversation = summed(records);
    assert.deepEqual(conversation.choicesTo('q4'), []);
    assert.deepEqual(conversation.choicesTo('r2'), ['a']);
    conversation.apply({ type: 'versionShown', id: 'a', turn: 5, ...by });
    assert.deepEqual(conversation.choicesTo('y'), ['b', 'y']);
    assert.deepEqual(conversation.choicesTo('nobody'), []);
  });

  it('leave messages alone that two windows sent at the same time: both are shown', () => {
    const conversation = summed([...records.slice(0, 4), asked('mine', 'r2'), asked('theirs', 'r2')]);
    assert.deepEqual(shown(conversation), ['q1', 'a', 'q2', 'r2', 'mine', 'theirs']);
  });

  it('hide what follows, even from a file without positions', () => {
    const unplaced = records.slice(0, 4).map((record) => {
      if (record.type !== 'asked' && record.type !== 'replyStarted') return record;
      const { after: _after, ...rest } = record;
      return rest;
    });
    const conversation = summed([...unplaced, started('b', 'q1', { of: 'a', turn: 1 })]);
    assert.deepEqual(shown(conversation), ['q1', 'b']);
    conversation.apply({ type: 'versionShown', id: 'a', turn: 2, ...by });
    assert.deepEqual(shown(conversation), ['q1', 'a', 'q2', 'r2']);
  });
});
