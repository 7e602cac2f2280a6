import assert from 'node:assert/strict';
import type { ChatRequest } from '../../../../src/api/operations/chatCompletion.ts';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import { answer, rateLimited, sessionOf, untilAborted } from './scriptedSession.ts';

describe('A chat session', () => {
  it('records the question before the reply, and the reply as it arrives', async () => {
    const { session, records } = sessionOf(() => answer('Hello there'));
    await session.ask('Hi', 'local/echo', {});
    assert.deepEqual(
      records.map((record) => record.type),
      ['asked', 'replyStarted', 'replyGrew', 'replyGrew', 'replyEnded'],
    );
    const reply = session.conversation.messages()[1];
    assert.equal(reply?.text, 'Hello there');
    assert.ok(reply.role === 'assistant');
    assert.equal(reply.end?.outcome, 'done');
    assert.equal(reply.end.finishReason, 'stop');
    assert.equal(reply.end.requestId, 'req_1');
  });

  it('reports where the text of a reply has grown, even in another window, and even after a line that is lost', async () => {
    const { session, events } = sessionOf(() => answer('Hello there'));
    await session.ask('Hi', 'local/echo', {});
    const theirs = { writer: 'w2', at: 1 };
    session.applyForeign({ type: 'asked', id: 'u', text: 'Again', after: 'm2', ...theirs });
    session.applyForeign({ type: 'replyStarted', id: 'r', model: 'm', pid: 2, after: 'u', ...theirs });
    for (const [offset, text] of [
      [0, 'One '],
      [4, 'two '],
      [4, 'two '],
      [20, 'six'],
    ] as const) {
      session.applyForeign({ type: 'replyGrew', id: 'r', part: 'text', offset, text, ...theirs });
    }
    assert.equal(session.conversation.reply('r')?.text, 'One two six');
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'replyGrew' ? [[event.id, event.offset, event.text]] : [])),
      [
        ['m2', 0, 'Hello '],
        ['m2', 6, 'there'],
        ['r', 0, 'One '],
        ['r', 4, 'two '],
        ['r', 4, 'two '],
        ['r', 8, 'six'],
      ],
    );
  });

  it('sends the conversation so far, with the question last', async () => {
    const sent: ChatRequest[] = [];
    const { session } = sessionOf((request) => {
      sent.push(request);
      return answer('Fine');
    });
    await session.ask('One', 'm', {});
    await session.ask('Two', 'm', { temperature: 0.5 });
    assert.deepEqual(sent[1], {
      model: 'm',
      messages: [
        { role: 'user', content: 'One' },
        { role: 'assistant', content: 'Fine' },
        { role: 'user', content: 'Two' },
      ],
      temperature: 0.5,
      stream: true,
    });
  });

  it('keeps the text that arrived before a stop, marked as stopped and not as failed', async () => {
    const { session } = sessionOf(async function* (_request, signal) {
      yield { type: 'text', text: 'So far' };
      await untilAborted(signal);
    });
    const asked = session.ask('Hi', 'm', {});
    while (session.conversation.messages()[1]?.text !== 'So far') await Promise.resolve();
    await session.stop();
    await asked;
    const reply = session.conversation.messages()[1];
    assert.ok(reply?.role === 'assistant');
    assert.equal(reply.text, 'So far');
    assert.equal(reply.end?.outcome, 'stopped');
    assert.equal(reply.end.failure, undefined);
    assert.equal(session.runningReplyId, undefined);
  });

  it('keeps the text that arrived before a failure, with the failure and its request ID', async () => {
    const { session } = sessionOf(async function* () {
      yield { type: 'text', text: 'So far' };
      throw rateLimited;
    });
    await session.ask('Hi', 'm', {});
    const reply = session.conversation.messages()[1];
    assert.ok(reply?.role === 'assistant');
    assert.equal(reply.text, 'So far');
    assert.equal(reply.end?.outcome, 'failed');
    assert.equal(reply.end.failure?.kind, 'rateLimited');
    assert.equal(reply.end.requestId, 'req_429');
  });

  it('keeps which model replied, according to the service', async () => {
    const { session } = sessionOf(async function* () {
      yield { type: 'text', text: 'Hi' };
      yield { type: 'response', model: 'm-2026-01-01', fields: {} };
      yield { type: 'end', complete: true };
    });
    await session.ask('Hi', 'm', {});
    const reply = session.conversation.messages()[1];
    assert.equal(reply?.role === 'assistant' && reply.end?.answeredBy, 'm-2026-01-01');
  });

  it('marks a stream that ended without a finish reason', async () => {
    const { session } = sessionOf(async function* () {
      yield { type: 'text', text: 'Half' };
      yield { type: 'end', complete: false };
    });
    await session.ask('Hi', 'm', {});
    const reply = session.conversation.messages()[1];
    assert.equal(reply?.role === 'assistant' && reply.end?.outcome, 'incomplete');
  });

  it('shows the wait before a retry, and forgets it when the next attempt starts', async () => {
    const seen: (number | undefined)[] = [];
    const { session } = sessionOf(async function* () {
      yield { type: 'attempt', attempt: 1 };
      yield { type: 'retrying', attempt: 2, delayMs: 500, failure: rateLimited.failure };
      yield { type: 'attempt', attempt: 2 };
      yield* answer('Fine');
    });
    session.onEvent(() => seen.push(session.pendingRetry?.attempt));
    await session.ask('Hi', 'm', {});
    assert.ok(seen.includes(2));
    assert.equal(seen.at(-1), undefined);
  });

  it('shows a bug in Parlance as unexpected and logs it', async () => {
    const { session, bugs } = sessionOf(async function* () {
      yield { type: 'text', text: '' };
      throw new TypeError('x is not a function');
    });
    await session.ask('Hi', 'm', {});
    const reply = session.conversation.messages()[1];
    assert.equal(reply?.role === 'assistant' && reply.end?.failure?.kind, 'unexpected');
    assert.ok(bugs[0] instanceof TypeError);
  });

  it('runs one reply at a time', async () => {
    let started = 0;
    const { session } = sessionOf(async function* (_request, signal) {
      started += 1;
      await untilAborted(signal);
      yield { type: 'end', complete: true };
    });
    const first = session.ask('One', 'm', {});
    await session.ask('Two', 'm', {});
    await session.stop();
    await first;
    assert.equal(started, 1);
    assert.deepEqual(
      session.conversation.messages().map(({ role }) => role),
      ['user', 'assistant'],
    );
  });

  it('records no end when its window closes, so that the reply is found interrupted', async () => {
    const { session, records } = sessionOf(async function* (_request, signal) {
      yield { type: 'text', text: 'So far' };
      await untilAborted(signal);
    });
    const asked = session.ask('Hi', 'm', {});
    while (session.conversation.messages()[1]?.text !== 'So far') await Promise.resolve();
    session.abandon();
    await asked;
    assert.equal(records.at(-1)?.type, 'replyGrew');
  });

  it('gives a page the same conversation that it would find after a restart', async () => {
    const { session, records } = sessionOf(() => answer('Hello there'));
    await session.ask('Hi', 'm', { maxTokens: 5 });
    session.rename('Greetings');
    session.setOptions({ model: 'm', temperature: 0 });
    const restarted = new Conversation('c1');
    for (const record of records) restarted.apply(record);
    assert.deepEqual(restarted.messages(), session.conversation.messages());
    assert.equal(restarted.title, 'Greetings');
    assert.deepEqual(restarted.options, { model: 'm', temperature: 0 });
  });

  describe('with attachments', () => {
    const context = { kind: 'file', id: 'a1', name: 'a.ts', detail: 'src/a.ts', tokens: 3, at: 1 } as const;
    const picture = {
      ...context,
      kind: 'picture',
      id: 'p1',
      mediaType: 'image/png',
      width: 2,
      height: 1,
      bytes: 9,
    } as const;

    it('sends the context before the text, and again with later messages', async () => {
      const sent: ChatRequest[] = [];
      const { session, records } = sessionOf((request) => {
        sent.push(request);
        return answer('Fine');
      });
      await session.ask('Why?', 'm', {}, [context]);
      await session.ask('And now?', 'm', {});
      assert.deepEqual(
        sent.map(({ messages }) => messages.map(({ content }) => content)),
        [['<a1>\n\nWhy?'], ['<a1>\n\nWhy?', 'Fine', 'And now?']],
      );
      const [asked] = records;
      assert.ok(asked?.type === 'asked');
      assert.deepEqual(asked.attachments, [context]);
    });

    it('sends it again with a retry and with the text of an edit', async () => {
      const sent: ChatRequest[] = [];
      const { session } = sessionOf((request) => {
        sent.push(request);
        return answer('Fine');
      });
      await session.ask('Why?', 'm', {}, [context]);
      const [question, reply] = session.conversation.messages();
      await session.retry(reply?.id ?? '', 'm', {});
      await session.resend(question?.id ?? '', 'How?', 'm', {});
      assert.deepEqual(
        sent.map(({ messages }) => messages.map(({ content }) => content)),
        [['<a1>\n\nWhy?'], ['<a1>\n\nWhy?'], ['<a1>\n\nHow?']],
      );
    });

    it('sends images as parts, to the chat that accepts them', async () => {
      const { session, seen } = sessionOf(() => assert.fail('a picture went to the chat of texts'));
      await session.ask('What is this?', 'm', {}, [context, picture]);
      assert.deepEqual(seen, [
        {
          model: 'm',
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: '<a1>\n\nWhat is this?' },
                { type: 'image_url', image_url: { url: '<p1>' } },
              ],
            },
          ],
          stream: true,
        },
      ]);
    });

    it('names the images of older messages for a model without image input', async () => {
      const sent: ChatRequest[] = [];
      const { session } = sessionOf((request) => {
        sent.push(request);
        return answer('Fine');
      }, false);
      await session.ask('What is this?', 'm', {}, [picture]);
      assert.equal(sent[0]?.messages[0]?.content, '[Picture: a.ts]\n\nWhat is this?');
    });

    it('sends nothing if the content of one is lost, and names it', async () => {
      const { session } = sessionOf(() => assert.fail('something was sent'));
      await session.ask('Why?', 'm', {}, [{ ...context, name: 'lost' }]);
      const reply = session.conversation.messages()[1];
      assert.ok(reply?.role === 'assistant');
      assert.deepEqual(reply.end?.failure, { kind: 'attachmentLost', name: 'lost' });
    });

    it('is named after an attachment if it has no text', async () => {
      const { session } = sessionOf(() => answer('Fine'));
      await session.ask('', 'm', {}, [context, { ...context, id: 'a2', name: 'b.ts' }]);
      assert.equal(session.conversation.title, 'a.ts, b.ts');
    });
  });
});
