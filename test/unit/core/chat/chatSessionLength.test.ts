import assert from 'node:assert/strict';
import type { ApiError } from '../../../../src/api/apiError.ts';
import type { ChatEvent, Usage } from '../../../../src/api/types.ts';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import { answer, rateLimited, sessionOf, summaryOf, tooLong, wordsOf } from './scriptedSession.ts';

describe('A chat session whose conversation gets long', () => {
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
});
