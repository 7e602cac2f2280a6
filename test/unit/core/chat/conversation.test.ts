import assert from 'node:assert/strict';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import { conversationMarkdown } from '../../../../src/core/chat/conversationMarkdown.ts';
import {
  type ConversationFact,
  type ConversationRecord,
  decodeRecord,
  encodeRecord,
} from '../../../../src/core/chat/conversationRecord.ts';

let at = 0;
function record(fact: ConversationFact): ConversationRecord {
  at += 1;
  return { ...fact, writer: 'w1', at };
}

function conversationOf(...facts: ConversationFact[]): Conversation {
  const conversation = new Conversation('c1');
  for (const fact of facts) conversation.apply(record(fact));
  return conversation;
}

const exchange: ConversationFact[] = [
  { type: 'asked', id: 'u1', text: 'Why does this\n  loop skip items?' },
  { type: 'replyStarted', id: 'r1', model: 'local/echo', pid: 7 },
  { type: 'replyGrew', id: 'r1', part: 'text', offset: 0, text: 'Removing ' },
  { type: 'replyGrew', id: 'r1', part: 'reasoning', offset: 0, text: 'hm' },
  { type: 'replyGrew', id: 'r1', part: 'text', offset: 9, text: 'shifts.' },
];

describe('A conversation', () => {
  it('is the sum of its records, in order', () => {
    const conversation = conversationOf(...exchange);
    assert.deepEqual(
      conversation.messages().map((message) => message.text),
      ['Why does this\n  loop skip items?', 'Removing shifts.'],
    );
    assert.equal(conversation.reply('r1')?.reasoning, 'hm');
    assert.equal(conversation.reply('r1')?.end, undefined);
  });

  it('takes its title from the first message until the user names it', () => {
    const conversation = conversationOf(...exchange);
    assert.equal(conversation.title, 'Why does this loop skip items?');
    conversation.apply(record({ type: 'titled', title: 'Loops' }));
    assert.equal(conversation.title, 'Loops');
    conversation.apply(record({ type: 'titled', title: '' }));
    assert.equal(conversation.title, 'Why does this loop skip items?');
  });

  it('uses the question as its title, without markup and without its code', () => {
    for (const [text, title] of [
      ['# Why does **this** `loop` [skip](https://a.example)?', 'Why does this loop skip?'],
      ['```ts\nconst a = 1;\n```\nWhat does it do?', 'What does it do?'],
      ['Explain:\n```\nnever closed', 'Explain:'],
      ['```sql\nselect 1\n```', 'select 1'],
    ] as const) {
      const conversation = new Conversation('c1');
      conversation.apply(record({ type: 'asked', id: 'm1', text }));
      assert.equal(conversation.title, title);
    }
  });

  it('finds a message by its text, preferring visible ones', () => {
    const conversation = new Conversation('c1');
    conversation.apply(record({ type: 'asked', id: 'a', text: 'Alpha and beta', after: null }));
    const version = { of: 'a', turn: 1 };
    conversation.apply(record({ type: 'asked', id: 'b', text: 'BETA and gamma', after: null, version }));
    assert.equal(conversation.messageWith('beta')?.id, 'b');
    assert.equal(conversation.messageWith('alpha')?.id, 'a');
    assert.equal(conversation.messageWith('delta'), undefined);
  });

  it('finds the message with the most of several words, wherever they are in it', () => {
    const texts = ['A parser, again', 'The bug\nin the parser', 'Which parser bug?', 'No bug'];
    const conversation = conversationOf(
      ...texts.map((text, index) => ({ type: 'asked', id: `u${index}`, text }) as const),
    );
    assert.equal(conversation.messageWith('Parser bug')?.id, 'u2');
    assert.equal(conversation.messageWith('bug parser')?.id, 'u1');
    assert.equal(conversation.messageWith('no parser')?.id, 'u0');
    assert.equal(conversation.messageWith('  '), undefined);
  });

  it('finds a message that is hidden or less than the title only if it has every word', () => {
    const conversation = conversationOf({ type: 'asked', id: 'a', text: 'An old report, dropped', after: null });
    const version = { of: 'a', turn: 1 };
    conversation.apply(record({ type: 'asked', id: 'b', text: 'About a letter', after: null, version }));
    assert.equal(conversation.messageWith('tax report'), undefined);
    assert.equal(conversation.messageWith('old report')?.id, 'a');
    assert.equal(conversation.messageWith('tax letter')?.id, 'b');
    conversation.apply(record({ type: 'titled', title: 'Tax letter' }));
    assert.equal(conversation.messageWith('tax letter'), undefined);
    assert.equal(conversation.messageWith('letter')?.id, 'b');
  });

  it('reads each message once in a search, visible or not', () => {
    const conversation = conversationOf({ type: 'asked', id: 'a', text: 'Alpha', after: null });
    conversation.apply(record({ type: 'asked', id: 'b', text: 'Beta', after: null, version: { of: 'a', turn: 1 } }));
    const read: string[] = [];
    for (const message of conversation.everyMessage()) {
      const { id, text } = message;
      Object.defineProperty(message, 'text', { get: () => (read.push(id), text) });
    }
    assert.equal(conversation.messageWith('alpha')?.id, 'a');
    assert.deepEqual(read, ['b', 'a']);
  });

  it('shortens a long title', () => {
    const conversation = conversationOf({ type: 'asked', id: 'u1', text: 'word '.repeat(40) });
    assert.ok(conversation.title.length <= 60);
    assert.ok(conversation.title.endsWith('…'));
  });

  it('hides removed messages and restores them in their place', () => {
    const conversation = conversationOf(...exchange, { type: 'asked', id: 'u2', text: 'And?' });
    conversation.apply(record({ type: 'removed', ids: ['r1'] }));
    assert.deepEqual(
      conversation.messages().map(({ id }) => id),
      ['u1', 'u2'],
    );
    assert.equal(conversation.find('r1'), undefined);
    conversation.apply(record({ type: 'restored', ids: ['r1'] }));
    assert.deepEqual(
      conversation.messages().map(({ id }) => id),
      ['u1', 'r1', 'u2'],
    );
  });

  it('names a message and everything after it', () => {
    const conversation = conversationOf(...exchange, { type: 'asked', id: 'u2', text: 'And?' });
    assert.deepEqual(conversation.idsFrom('r1'), ['r1', 'u2']);
    assert.deepEqual(conversation.idsFrom('nobody'), []);
  });

  it('finds the reply to a request, even in hidden versions', () => {
    const end = { type: 'replyEnded', outcome: 'done', metrics: {} } as const;
    const conversation = conversationOf(
      ...exchange,
      { ...end, id: 'r1', requestId: 'req_1' },
      { type: 'replyStarted', id: 'r2', model: 'm', pid: 7, after: 'u1', version: { of: 'r1', turn: 1 } },
      { ...end, id: 'r2', requestId: 'req_2' },
    );
    assert.equal(conversation.find('r1'), conversation.replyTo('req_1'));
    assert.equal(conversation.messages().at(-1), conversation.replyTo('req_2'));
    assert.equal(conversation.replyTo('req_3'), undefined);
    assert.match(conversationMarkdown(conversation), /^## m \(version 2 of 2\)$/m);
    assert.doesNotMatch(conversationMarkdown(conversation), /local\/echo/);
  });

  it('applies records twice without harm, including growth', () => {
    const conversation = conversationOf(...exchange, ...exchange);
    assert.equal(conversation.messages().length, 2);
    assert.equal(conversation.reply('r1')?.text, 'Removing shifts.');
  });

  it('separates reasoning whose beginning the model left out when the reply ends, once', () => {
    const growth: ConversationFact = {
      type: 'replyGrew',
      id: 'r1',
      part: 'text',
      offset: 0,
      text: 'They greet.\n</think>\n\nHi',
    };
    const reply: ConversationFact[] = [
      { type: 'asked', id: 'u1', text: 'Hello' },
      { type: 'replyStarted', id: 'r1', model: 'm', pid: 7 },
      growth,
    ];
    assert.match(conversationOf(...reply).reply('r1')?.text ?? '', /^They greet/);
    const ended: ConversationFact[] = [...reply, { type: 'replyEnded', id: 'r1', outcome: 'done', metrics: {} }];
    const { text, reasoning } = conversationOf(...ended, ...ended).reply('r1') ?? assert.fail();
    assert.deepEqual([text, reasoning], ['Hi', 'They greet.']);
  });

  it('is deleted until someone restores or continues it', () => {
    const conversation = conversationOf(...exchange, { type: 'deleted' });
    assert.notEqual(conversation.deletedAt, undefined);
    conversation.apply(record({ type: 'undeleted' }));
    assert.equal(conversation.deletedAt, undefined);
    conversation.apply(record({ type: 'deleted' }));
    conversation.apply(record({ type: 'asked', id: 'u2', text: 'From another window' }));
    assert.equal(conversation.deletedAt, undefined);
  });

  it('stays deleted when a message from before that is saved late', () => {
    const conversation = new Conversation('c1');
    const by = { writer: 'w2' };
    conversation.apply({ type: 'deleted', at: 20, ...by });
    conversation.apply({ type: 'asked', id: 'u1', text: 'Saved too late', at: 19, ...by });
    assert.equal(conversation.deletedAt, 20);
    conversation.apply({ type: 'asked', id: 'u2', text: 'Asked since', at: 21, ...by });
    assert.equal(conversation.deletedAt, undefined);
  });

  it('is exported as Markdown with the speed of each reply', () => {
    const conversation = conversationOf(...exchange, {
      type: 'replyEnded',
      id: 'r1',
      outcome: 'done',
      finishReason: 'stop',
      metrics: {
        timeToFirstTokenSeconds: { value: 0.312, from: 'service' },
        tokensPerSecond: { value: 84.2, from: 'service' },
        totalSeconds: { value: 3.44, from: 'here' },
        promptTokens: { value: 12, from: 'service' },
        completionTokens: { value: 4, from: 'service' },
      },
    });
    assert.equal(
      conversationMarkdown(conversation),
      [
        '# Why does this loop skip items?',
        '## You',
        'Why does this\n  loop skip items?',
        '## local/echo',
        'Removing shifts.',
        '*84 tok/s · 0.31 s first token · 3.4 s° total · 12 → 4 tokens*\n',
      ].join('\n\n'),
    );
  });
});

describe('The export of a conversation', () => {
  for (const [what, text, end] of [
    ['closes a code block that a reply ended in', 'Look:\n```ts\nconst a = 1;', 'const a = 1;\n```'],
    ['closes it with as many marks as opened it', '~~~~md\n```\ninner\n```', '```\n~~~~'],
    ['leaves a closed block alone', '```ts\nconst a = 1;\n```', 'const a = 1;\n```'],
    ['leaves marks within a line alone', 'Use ```x``` here', 'Use ```x``` here'],
  ] as const) {
    it(what, () => {
      const document = conversationMarkdown(conversationOf({ type: 'asked', id: 'u1', text }));
      assert.ok(document.endsWith(`${end}\n`), document);
    });
  }
});

describe('A line of a conversation file', () => {
  it('returns what was written', () => {
    for (const fact of exchange) {
      const written = record(fact);
      assert.deepEqual(decodeRecord(encodeRecord(written)), written);
    }
  });

  it('stays one line for any text', () => {
    const line = encodeRecord(record({ type: 'asked', id: 'u1', text: 'a\nb\r\nc\u2028d' }));
    assert.ok(!line.includes('\n'));
  });

  it('with a failure of a later version is read, and the failure is unexpected', () => {
    const ended = { type: 'replyEnded', id: 'r1', outcome: 'failed', metrics: {}, writer: 'w', at: 1 };
    const read = decodeRecord(JSON.stringify({ ...ended, failure: { kind: 'fromTheFuture' } }));
    assert.equal(read?.type === 'replyEnded' && read.failure?.kind, 'unexpected');
  });

  for (const [what, line] of [
    ['growth without its place', '{"type":"replyGrew","id":"r","part":"text","text":"x","writer":"w","at":1}'],
    ['torn', '{"type":"asked","id":"u1","te'],
    ['of an unknown type', '{"type":"later","writer":"w","at":1}'],
    ['lacking a field', '{"type":"asked","id":"u1","writer":"w","at":1}'],
    ['not an object', '7'],
  ] as const) {
    it(`is refused when it is ${what}`, () => assert.equal(decodeRecord(line), undefined));
  }
});
