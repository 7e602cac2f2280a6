import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/apiError.ts';
import type { ChatRequest } from '../../../../src/api/operations/chatCompletion.ts';
import type { ChatEvent, Usage } from '../../../../src/api/types.ts';
import type { ChatOptions } from '../../../../src/shared/chat.ts';
import type { SummaryView } from '../../../../src/shared/chatProtocol.ts';
import { ChatSession } from '../../../../src/core/chat/chatSession.ts';
import type { InferenceCalls } from '../../../../src/core/requests/inferenceCalls.ts';
import type { SessionEvent } from '../../../../src/core/chat/sessionEvent.ts';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import type { ConversationRecord } from '../../../../src/core/chat/conversationRecord.ts';

type Script = (request: ChatRequest, signal: AbortSignal) => AsyncIterable<ChatEvent>;

/** A session over a scripted client, because these tests are about the order of events. */
function sessionOf(script: Script, seesPictures?: boolean) {
  const records: ConversationRecord[] = [];
  const events: SessionEvent[] = [];
  const bugs: unknown[] = [];
  let time = 0;
  let ids = 0;
  const seen: ChatRequest[] = [];
  const client: Pick<InferenceCalls, 'stream'> = {
    stream: ({ name, request }, options) => {
      if (name === 'chat') return script(request, options?.signal ?? new AbortController().signal);
      seen.push(request);
      return answer('Seen');
    },
  };
  const session = new ChatSession(new Conversation('c1'), {
    clientFor: () => client,
    attachments: {
      read: ({ id, name }) =>
        name === 'lost' ? Promise.reject(new ApiError({ kind: 'attachmentLost', name })) : Promise.resolve(`<${id}>`),
      seesPictures: () => seesPictures,
    },
    journal: { append: (record) => records.push(structuredClone(record)) },
    now: () => (time += 1),
    ticks: () => time,
    newId: () => `m${(ids += 1)}`,
    writer: 'w1',
    pid: 1,
    redact: (failure) => failure,
    onUnexpected: (error) => bugs.push(error),
  });
  session.onEvent((event) => events.push(event));
  return { session, records, events, bugs, seen };
}

function wordsOf(message: ChatRequest['messages'][number] | undefined): string {
  return typeof message?.content === 'string' ? message.content : '';
}

async function* answer(text: string): AsyncIterable<ChatEvent> {
  yield { type: 'attempt', attempt: 1 };
  yield { type: 'opened', requestId: 'req_1' };
  for (const word of text.split(/(?<= )/)) yield { type: 'text', text: word };
  yield { type: 'finish', reason: 'stop' };
  yield { type: 'end', complete: true };
}

async function summaryOf(session: ChatSession, options: ChatOptions = {}): Promise<readonly SummaryView[]> {
  const views: SummaryView[] = [];
  for await (const view of session.summarize('m', options, new AbortController().signal)) views.push(view);
  return views;
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
  );
}

const tooLong = new ApiError({ kind: 'contextTooLong', status: 413, message: 'too long', requestId: 'req_413' });
const rateLimited = new ApiError({ kind: 'rateLimited', status: 429, message: 'slow down', requestId: 'req_429' });

describe('A chat session', () => {
  it('sends messages from the line on, records the line, and moves it when its question is deleted', async () => {
    const sent: string[][] = [];
    const { session, records } = sessionOf((request) => {
      sent.push(request.messages.map((message) => wordsOf(message)));
      return answer('Yes');
    });
    for (const text of ['one', 'two', 'three']) await session.ask(text, 'm', {});
    const [, second, third] = session.conversation.messages().filter(({ role }) => role === 'user');
    session.sendFrom(second?.id ?? '');
    await session.ask('four', 'm', {});
    assert.deepEqual(sent.at(-1), ['two', 'Yes', 'three', 'Yes', 'four']);
    await session.removeMessage(second?.id ?? '');
    assert.equal(session.conversation.sentFrom?.id, third?.id);
    await session.ask('five', 'm', {});
    assert.deepEqual(sent.at(-1), ['three', 'Yes', 'four', 'Yes', 'five']);
    const again = new Conversation('c1');
    for (const record of records) again.apply(record);
    assert.deepEqual(again.sentFrom, session.conversation.sentFrom);
    session.sendFrom(null);
    await session.ask('six', 'm', {});
    assert.equal(sent.at(-1)?.[0], 'one');
    session.sendFrom('no message');
    assert.equal(session.conversation.sentFrom, undefined);
  });

  it('keeps the line at its question when that is edited or another version is shown', async () => {
    const sent: string[][] = [];
    const { session, records, events } = sessionOf((request) => {
      sent.push(request.messages.map((message) => wordsOf(message)));
      return answer('Yes');
    });
    for (const text of ['one', 'two', 'three']) await session.ask(text, 'm', {});
    session.sendFrom('m3');
    await session.resend('m3', 'better', 'm', {});
    const added = events.findIndex((event) => event.type === 'messageAdded' && event.id === 'm7');
    assert.equal(events[added + 1]?.type, 'lengthChanged');
    assert.deepEqual(sent.at(-1), ['better']);
    const { conversation } = session;
    const edited = conversation.messages()[2]?.id ?? '';
    assert.equal(conversation.sentFrom?.id, edited);
    session.showVersion('m3');
    await session.ask('four', 'm', {});
    assert.deepEqual(sent.at(-1), ['two', 'Yes', 'three', 'Yes', 'four']);
    await session.removeMessage('m3');
    await session.ask('five', 'm', {});
    assert.deepEqual(sent.at(-1), ['better', 'Yes', 'five']);
    await session.resend('m1', 'uno', 'm', {});
    assert.deepEqual(sent.at(-1), ['uno']);
    session.showVersion(edited);
    assert.equal(conversation.sentFrom?.id, edited);
    assert.equal(records.filter(({ type }) => type === 'sentFrom').length, 1);
  });

  it('still leaves out what is above the line when a question or a reply above it is sent again', async () => {
    const sent: string[][] = [];
    const { session, records } = sessionOf((request) => {
      sent.push(request.messages.map((message) => wordsOf(message)));
      return answer('Yes');
    });
    const { conversation } = session;
    for (const text of ['one', 'two', 'three', 'four']) await session.ask(text, 'm', {});
    session.sendFrom('m7');
    const lines: (string | undefined)[] = [];
    session.onEvent(({ type }) => type === 'lengthChanged' && lines.push(conversation.sentFrom?.id));
    await session.resend('m3', 'two again', 'm', {});
    assert.deepEqual(sent.at(-1), ['two again']);
    const edited = conversation.messages()[2]?.id ?? '';
    // The pages draw it above the edited question at once.
    assert.deepEqual(lines, [edited]);
    await session.ask('five', 'm', {});
    assert.deepEqual(sent.at(-1), ['two again', 'Yes', 'five']);
    session.showVersion('m3');
    assert.equal(conversation.sentFrom?.id, 'm7');
    await session.retry('m4', 'm', {});
    assert.deepEqual(sent.at(-1), ['two']);
    assert.deepEqual(lines, [edited, 'm3']);
    await session.ask('six', 'm', {});
    assert.deepEqual(sent.at(-1), ['two', 'Yes', 'six']);
    assert.equal(conversation.sentFrom?.id, 'm3');
    session.showVersion('m4');
    await session.ask('seven', 'm', {});
    assert.deepEqual(sent.at(-1), ['four', 'Yes', 'seven']);
    assert.equal(records.filter(({ type }) => type === 'sentFrom').length, 1);
    // Nothing is above the first question.
    await session.resend('m1', 'uno', 'm', {});
    assert.deepEqual(sent.at(-1), ['uno']);
    assert.equal(conversation.sentFrom?.id, conversation.messages()[0]?.id);
  });

  it('moves the line to the next question when its own is deleted, and back when that is restored', async () => {
    const sent: string[][] = [];
    const { session } = sessionOf((request) => {
      sent.push(request.messages.map((message) => wordsOf(message)));
      return answer('Yes');
    });
    const { conversation } = session;
    for (const text of ['one', 'two', 'three', 'four']) await session.ask(text, 'm', {});
    session.sendFrom('m5');
    await session.removeMessage('m5');
    assert.equal(conversation.sentFrom?.id, 'm7');
    session.restoreMessages(['m5']);
    assert.equal(conversation.sentFrom?.id, 'm5');
    await session.removeMessage('m3');
    assert.equal(conversation.sentFrom?.id, 'm5');
    await session.removeMessage('m5');
    // No question follows, so what would be sent is what's shown below the line before it.
    await session.removeMessage('m7');
    assert.equal(conversation.sentFrom, undefined);
    await session.ask('five', 'm', {});
    assert.deepEqual(sent.at(-1), ['one', 'Yes', 'Yes', 'Yes', 'Yes', 'five']);
    assert.equal(conversation.sentFrom, undefined);
  });

  it('summarizes what is sent, and records only what that took', async () => {
    const sent: string[][] = [];
    const { session, records } = sessionOf((request) => {
      sent.push(request.messages.map((message) => wordsOf(message)));
      return answer('In short');
    });
    for (const text of ['one', 'two']) await session.ask(text, 'm', {});
    session.sendFrom(session.conversation.messages()[2]?.id ?? '');
    const before = records.length;
    const views = await summaryOf(session, { systemPrompt: 'Be brief' });
    assert.deepEqual(views, [
      { state: 'writing', text: 'In ' },
      { state: 'writing', text: 'In short' },
      { state: 'ready', text: 'In short' },
    ]);
    assert.deepEqual(sent.at(-1)?.slice(0, 3), ['Be brief', 'two', 'In short']);
    assert.match(sent.at(-1)?.[3] ?? '', /^Summarize this conversation/);
    const [recorded, ...others] = records.slice(before);
    assert.ok(recorded?.type === 'summarized');
    assert.deepEqual([recorded.model, recorded.outcome, others], ['m', 'done', []]);
    const ends = session.conversation.everyEnd();
    assert.deepEqual([ends.length, ends.at(-1)?.metrics], [3, recorded.metrics]);
    assert.equal(JSON.stringify(recorded).includes('In short'), false);
  });

  it('summarizes without a last message that was too long for the model, and says so', async () => {
    const sent: string[][] = [];
    let refusal: ApiError | undefined;
    const { session } = sessionOf((request) => {
      sent.push(request.messages.map((message) => wordsOf(message)));
      if (refusal !== undefined) throw refusal;
      return answer('In short');
    });
    await session.ask('one', 'm', {});
    refusal = tooLong;
    for (const text of ['far too long', 'still too long']) await session.ask(text, 'm', {});
    refusal = undefined;
    const last = (await summaryOf(session)).at(-1);
    assert.deepEqual(last, { state: 'ready', text: 'In short', lacksLast: true });
    assert.deepEqual(sent.at(-1)?.slice(0, -1), ['one', 'In short']);
    // Any other reply, or failure, can be summarized with its question.
    for (const other of [rateLimited, undefined]) {
      refusal = other;
      await session.ask('short', 'm', {});
      refusal = undefined;
      assert.equal('lacksLast' in ((await summaryOf(session)).at(-1) ?? {}), false);
      assert.equal(sent.at(-1)?.includes('still too long'), true);
    }
  });

  it('says that a summary was cut off, and never takes an empty one for a summary', async () => {
    let events: readonly ChatEvent[] = [];
    const { session } = sessionOf(async function* () {
      yield* events;
    });
    await session.ask('one', 'm', {});
    events = [
      { type: 'text', text: 'The goal' },
      { type: 'finish', reason: 'length' },
      { type: 'end', complete: false },
    ];
    const ending = 'The reply reached its token limit (finish reason "length").';
    assert.deepEqual((await summaryOf(session)).at(-1), { state: 'ready', text: 'The goal', ending });
    for (const text of ['', ' \n']) {
      events = [
        { type: 'reasoning', text: 'Hm' },
        { type: 'text', text },
        { type: 'finish', reason: 'length' },
        { type: 'end', complete: false },
      ];
      const last = (await summaryOf(session)).at(-1);
      assert.equal(last?.state, 'failed');
      assert.deepEqual([last.problem?.title, last.problem?.detail], ['The reply has no text', ending]);
    }
    events = [{ type: 'end', complete: true }];
    assert.equal((await summaryOf(session)).at(-1)?.state, 'failed');
  });

  it('says that a summary lacks the beginning if the service dropped it', async () => {
    let counted = 1000;
    const { session } = sessionOf(async function* () {
      yield { type: 'text', text: 'In short' };
      yield { type: 'usage', usage: { promptTokens: counted } };
      yield { type: 'end', complete: true };
    });
    await session.ask('word '.repeat(1000), 'm', {});
    assert.equal('ending' in ((await summaryOf(session)).at(-1) ?? {}), false);
    counted = 514;
    const ending = "The service probably dropped the beginning of the conversation, so it isn't in the summary.";
    assert.deepEqual((await summaryOf(session)).at(-1), { state: 'ready', text: 'In short', ending });
  });

  it('records how much was sent at least, and whether the service dropped some of it', async () => {
    let usage: Usage = { promptTokens: 514 };
    const { session, records } = sessionOf(async function* () {
      yield { type: 'text', text: 'Yes' };
      yield { type: 'usage', usage };
      yield { type: 'end', complete: true };
    });
    const endOf = (): readonly (number | undefined)[] => {
      const last = records.at(-1);
      return last?.type === 'replyEnded' ? [last.leastTokens, last.sentAtLeast] : [];
    };
    await session.ask('word '.repeat(1000), 'm', { systemPrompt: 'word '.repeat(100) });
    assert.deepEqual(endOf(), [880, 880]);
    // The rest is in the service's cache, which it counts separately.
    usage = { promptTokens: 514, cachedTokens: 400 };
    await session.ask('word', 'm', {});
    assert.deepEqual(endOf(), [801, undefined]);
    usage = { completionTokens: 3 };
    await session.ask('word', 'm', {});
    assert.deepEqual(endOf(), [undefined, undefined]);
  });

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

  it('shows a new version of a reply on retry, without what followed the earlier one', async () => {
    const { session } = sessionOf(({ messages }) => answer(`answer to ${messages.length}`));
    await session.ask('One', 'm', {});
    await session.ask('Two', 'm', {});
    await session.retry('m2', 'other', {});
    const texts = session.conversation.messages().map(({ text }) => text);
    assert.deepEqual(texts, ['One', 'answer to 1']);
    const reply = session.conversation.messages()[1];
    assert.equal(reply?.role === 'assistant' && reply.model, 'other');
  });

  it('shows an edited question instead of the earlier one, which stays a version with what followed it', async () => {
    const { session, events } = sessionOf(({ messages }) => answer(wordsOf(messages.at(-1)).toUpperCase()));
    const texts = () => session.conversation.messages().map(({ text }) => text);
    await session.ask('one', 'm', {});
    await session.ask('two', 'm', {});
    await session.resend('m1', 'three', 'm', {});
    assert.deepEqual(texts(), ['three', 'THREE']);
    assert.equal(session.conversation.title, 'three');
    assert.ok(events.every((event) => event.type !== 'messagesRemoved' || !event.canRestore));
    session.showVersion('m1');
    assert.deepEqual(texts(), ['one', 'ONE', 'two', 'TWO']);
    assert.deepEqual(events.slice(-2), [{ type: 'messagesRearranged' }, { type: 'titleChanged' }]);
    await session.resend('m3', 'four', 'm', {});
    assert.deepEqual(texts(), ['one', 'ONE', 'four', 'FOUR']);
    assert.equal(session.conversation.title, 'one');
    session.showVersion('m5');
    assert.deepEqual(texts(), ['three', 'THREE']);
    assert.deepEqual(
      session.conversation.versions('m5').map(({ text }) => text),
      ['one', 'three'],
    );
  });

  it('stops a running reply that is deleted, and can restore it', async () => {
    let aborted = false;
    const { session } = sessionOf(async function* (_request, signal) {
      yield { type: 'text', text: 'So far' };
      await untilAborted(signal).finally(() => (aborted = true));
    });
    const asked = session.ask('Hi', 'm', {});
    while (session.conversation.messages()[1]?.text !== 'So far') await Promise.resolve();
    await session.removeMessage('m2');
    await asked;
    assert.ok(aborted);
    assert.deepEqual(
      session.conversation.messages().map(({ id }) => id),
      ['m1'],
    );
    session.restoreMessages(['m2']);
    assert.equal(session.conversation.messages()[1]?.text, 'So far');
  });

  describe('with versions of a reply', () => {
    /** One, its reply m2, Two, its reply m4; then m2 was retried, which gave m5. */
    async function retried() {
      const sent: string[][] = [];
      const made = sessionOf((request) => {
        sent.push(request.messages.map(wordsOf));
        return answer(`to ${request.model}`);
      });
      await made.session.ask('One', 'm', {});
      await made.session.ask('Two', 'm', {});
      await made.session.retry('m2', 'other', {});
      const shown = () => made.session.conversation.messages().map(({ id }) => id);
      return { ...made, sent, shown };
    }

    it('continues from the visible one, and switches back to what followed the other', async () => {
      const { session, sent, shown } = await retried();
      assert.deepEqual(sent.at(-1), ['One']);
      await session.ask('Three', 'm', {});
      assert.deepEqual(sent.at(-1), ['One', 'to other', 'Three']);
      session.showVersion('m2');
      assert.deepEqual(shown(), ['m1', 'm2', 'm3', 'm4']);
      await session.ask('Four', 'm', {});
      assert.deepEqual(sent.at(-1), ['One', 'to m', 'Two', 'to m', 'Four']);
      session.showVersion('m5');
      assert.deepEqual(shown(), ['m1', 'm5', 'm6', 'm7']);
      assert.deepEqual(
        session.conversation.versions('m5').map(({ id }) => id),
        ['m2', 'm5'],
      );
    });

    it('is the same after a restart and in another window', async () => {
      const { session, records, shown } = await retried();
      await session.ask('Three', 'm', {});
      session.showVersion('m2');
      const again = new Conversation('c1');
      const other = sessionOf(() => answer('Fine')).session;
      for (const record of records) {
        again.apply(record);
        other.applyForeign(record);
      }
      for (const conversation of [again, other.conversation]) {
        assert.deepEqual(
          conversation.messages().map(({ id }) => id),
          shown(),
        );
      }
    });

    it("shows another one instead of a deleted one, and the deleted one when it's restored", async () => {
      const { session, events, shown } = await retried();
      await session.ask('Three', 'm', {});
      await session.removeMessage('m5');
      assert.deepEqual(shown(), ['m1', 'm2', 'm3', 'm4']);
      assert.deepEqual(events.at(-1), { type: 'messagesRearranged' });
      session.restoreMessages(['m5']);
      assert.deepEqual(shown(), ['m1', 'm5', 'm6', 'm7']);
    });

    it('keeps them with the earlier wording of an edited question', async () => {
      const { session, shown } = await retried();
      await session.resend('m1', 'Better', 'm', {});
      assert.deepEqual(shown(), ['m6', 'm7']);
      await session.retry('m7', 'm', {});
      session.showVersion('m1');
      assert.deepEqual(shown(), ['m1', 'm5']);
      session.showVersion('m2');
      assert.deepEqual(shown(), ['m1', 'm2', 'm3', 'm4']);
      session.showVersion('m8');
      assert.deepEqual(shown(), ['m6', 'm8']);
    });

    it('keeps no failure without text among them', async () => {
      let isDown = true;
      const { session } = sessionOf(async function* () {
        if (isDown) throw rateLimited;
        yield* answer('Fine');
      });
      await session.ask('One', 'm', {});
      isDown = false;
      await session.retry('m2', 'm', {});
      const [, reply] = session.conversation.messages();
      assert.deepEqual(session.conversation.versions(reply?.id ?? ''), [reply]);
    });

    it('shows a hidden one within another', async () => {
      const { session, events, shown } = await retried();
      session.showVersion('m4');
      assert.deepEqual(shown(), ['m1', 'm2', 'm3', 'm4']);
      const count = events.length;
      session.showVersion('m4');
      assert.equal(events.length, count);
    });

    it('stays with the running one until it has ended', async () => {
      const { session, shown } = await retried();
      const asked = session.ask('Three', 'm', {});
      session.showVersion('m2');
      await asked;
      assert.deepEqual(shown(), ['m1', 'm5', 'm6', 'm7']);
    });
  });

  it('leaves what was added later when a deleted message is restored', async () => {
    const { session } = sessionOf(() => answer('Fine'));
    await session.ask('One', 'm', {});
    await session.removeMessage('m1');
    await session.ask('Two', 'm', {});
    session.restoreMessages(['m1']);
    assert.deepEqual(
      session.conversation.messages().map(({ text }) => text),
      ['One', 'Fine', 'Two', 'Fine'],
    );
  });

  it('stops its reply when another window deletes it', async () => {
    const { session } = sessionOf(async function* (_request, signal) {
      yield { type: 'text', text: 'So far' };
      await untilAborted(signal);
    });
    const asked = session.ask('Hi', 'm', {});
    while (session.conversation.messages()[1]?.text !== 'So far') await Promise.resolve();
    session.applyForeign({ type: 'removed', ids: ['m2'], writer: 'w2', at: 1 });
    await asked;
    assert.equal(session.runningReplyId, undefined);
  });

  describe('whose running reply is no longer shown', () => {
    /** One, its reply m2, the edited question m3 and its reply m4, which still runs. */
    async function running() {
      let requests = 0;
      const made = sessionOf(async function* (_request, signal) {
        requests += 1;
        if (requests !== 2) return yield* answer('Fine');
        yield { type: 'text', text: 'So far' };
        await untilAborted(signal);
      });
      const { session } = made;
      await session.ask('One', 'm', {});
      const asked = session.resend('m1', 'Better', 'm', {});
      while (session.conversation.find('m4')?.text !== 'So far') await Promise.resolve();
      const shown = () => session.conversation.messages().map(({ id }) => id);
      return { ...made, asked, shown };
    }

    it('stops it when its question is deleted, and accepts the next question', async () => {
      const { session, asked, shown } = await running();
      await session.removeMessage('m3');
      assert.equal(session.runningReplyId, undefined);
      await asked;
      await session.ask('Two', 'm', {});
      assert.deepEqual(shown(), ['m1', 'm2', 'm5', 'm6']);
    });

    it("doesn't stop it if it's still visible", async () => {
      const { session, asked } = await running();
      await session.removeMessage('m1');
      assert.equal(session.runningReplyId, 'm4');
      await session.stop();
      await asked;
    });

    it('stops it when a deleted version is restored above it', async () => {
      const { session, asked } = await running();
      await session.removeMessage('m3');
      await asked;
      const next = session.ask('Two', 'm', {});
      session.restoreMessages(['m3']);
      await next;
      const reply = session.conversation.find('m6');
      assert.equal(reply?.role === 'assistant' && reply.end?.outcome, 'stopped');
    });

    it('stops it when another window shows another version', async () => {
      const { session, asked } = await running();
      session.applyForeign({ type: 'versionShown', id: 'm1', turn: 9, writer: 'w2', at: 1 });
      await asked;
      assert.equal(session.runningReplyId, undefined);
    });

    it('shows the other version when another window deletes this one', async () => {
      const { session, asked, events, shown } = await running();
      session.applyForeign({ type: 'removed', ids: ['m3'], writer: 'w2', at: 1 });
      assert.deepEqual(
        events.slice(-2).map(({ type }) => type),
        ['messagesRemoved', 'messagesRearranged'],
      );
      await asked;
      assert.deepEqual(shown(), ['m1', 'm2']);
    });
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
