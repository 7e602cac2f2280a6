import assert from 'node:assert/strict';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import { answer, rateLimited, sessionOf, untilAborted, wordsOf } from './scriptedSession.ts';

describe('A chat session whose messages are replaced or deleted', () => {
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

    it('keeps a failure without text among them if something followed it', async () => {
      let isDown = true;
      const { session } = sessionOf(async function* () {
        if (isDown) throw rateLimited;
        yield* answer('Fine');
      });
      await session.ask('One', 'm', {});
      isDown = false;
      await session.ask('Two', 'm', {});
      await session.retry('m2', 'm', {});
      const shown = () => session.conversation.messages().map(({ id }) => id);
      assert.deepEqual(shown(), ['m1', 'm5']);
      session.showVersion('m2');
      assert.deepEqual(shown(), ['m1', 'm2', 'm3', 'm4']);
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

  for (const record of [{ type: 'removed' as const, ids: ['m2'] }, { type: 'deleted' as const }])
    it(`stops its reply when another window records that it's ${record.type}`, async () => {
      const { session } = sessionOf(async function* (_request, signal) {
        yield { type: 'text', text: 'So far' };
        await untilAborted(signal);
      });
      const asked = session.ask('Hi', 'm', {});
      while (session.conversation.messages()[1]?.text !== 'So far') await Promise.resolve();
      session.applyForeign({ ...record, writer: 'w2', at: 1 });
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

    it('shows it again when another window that did not know about it shows another version', async () => {
      const { session, asked, events, records, shown } = await running();
      session.applyForeign({ type: 'versionShown', id: 'm1', turn: 9, writer: 'w2', at: 1 });
      assert.deepEqual(shown(), ['m3', 'm4']);
      assert.equal(session.runningReplyId, 'm4');
      assert.deepEqual(events.at(-1), { type: 'messagesRearranged' });
      const other = new Conversation('c1');
      for (const record of records) other.apply(record);
      assert.equal(other.messages().at(-1)?.id, 'm4');
      await session.stop();
      await asked;
    });

    it('stops it when another window keeps showing another version, which has a reply of its own', async () => {
      const { session, asked } = await running();
      for (const turn of [9, 11]) session.applyForeign({ type: 'versionShown', id: 'm1', turn, writer: 'w2', at: 1 });
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
});
