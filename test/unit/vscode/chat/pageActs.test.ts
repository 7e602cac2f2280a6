import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '../../../../src/api/apiError.ts';
import type { ChatEvent } from '../../../../src/api/types.ts';
import type { ReplyEnd } from '../../../../src/core/chat/conversation.ts';
import type { ChatSession } from '../../../../src/core/chat/chatSession.ts';
import type { InferenceCalls } from '../../../../src/core/requests/inferenceCalls.ts';
import type { Attachment } from '../../../../src/shared/attachment.ts';
import type { ConnectionView } from '../../../../src/shared/protocol/chatProtocol.ts';
import type { Problem } from '../../../../src/shared/problem.ts';
import { ConversationStore } from '../../../../src/vscode/conversations/conversationStore.ts';
import { OpenConversations } from '../../../../src/vscode/conversations/openConversations.ts';
import { type ActingPage, PageActs } from '../../../../src/vscode/chat/pageActs.ts';
import type { PageFact } from '../../../../src/vscode/chat/pageChannel.ts';
import { attachmentsIn } from '../attachments/attachmentsIn.ts';
import { withFaults } from '../disk/faultyDisk.ts';
import { failOnFaults } from '../../../workbench/failOnFaults.ts';

const [first, second, third] = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`);
assert.ok(first !== undefined && second !== undefined && third !== undefined);

const problem: Problem = { severity: 'error', title: 'No', detail: '', actions: [], technical: '' };
const chip: Attachment = { kind: 'file', id: 'f1', name: 'a.ts', detail: 'src/a.ts', tokens: 1, at: 1 };
const picture: Attachment = {
  kind: 'picture',
  id: 'p1',
  name: 'a.png',
  detail: 'a.png',
  tokens: 1,
  at: 1,
  mediaType: 'image/png',
  width: 1,
  height: 1,
  bytes: 1,
};

/** Replies with one word, immediately, unless nobody has the model. The small one reads at most 300 tokens. */
const client: Pick<InferenceCalls, 'stream'> = {
  async *stream({ model }): AsyncIterable<ChatEvent> {
    if (model === 'gone') throw new ApiError({ kind: 'modelNotFound', status: 404, message: '' });
    yield { type: 'text', text: 'Fine' };
    if (model === 'small') yield { type: 'usage', usage: { promptTokens: 300, completionTokens: 1 } };
    yield { type: 'end', complete: true };
  },
};

describe('A question on a page', () => {
  let folder: string;
  let conversations: OpenConversations;
  let store: ConversationStore;
  let sessions: ReadonlyMap<string, ChatSession>;
  let errors: unknown[];
  let facts: PageFact[];
  let chips: Attachment[];
  let isSetUp: boolean;
  let waitForKey: () => Promise<void>;
  let seesPictures: boolean | undefined;
  let picked: string | undefined;
  let byDefault: string;
  let isAlive: boolean;
  let connection: ConnectionView;
  let shown: { -readonly [K in keyof ActingPage['shown']]: ActingPage['shown'][K] };
  /** The conversation to show, once something waits for it. */
  let wanted: string;
  const postWhenOpen = (fact: PageFact) => void facts.push(fact);
  const post = (fact: PageFact) => {
    if (channel.isOpen) facts.push(fact);
  };
  const channel = { isOpen: true, post, postWhenOpen };
  let acts: PageActs;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-asks-'));
    errors = [];
    facts = [];
    chips = [];
    isSetUp = true;
    waitForKey = () => Promise.resolve();
    seesPictures = undefined;
    picked = undefined;
    byDefault = 'm';
    isAlive = true;
    connection = { state: 'ready', host: 'one.test' };
    channel.isOpen = true;
    const onUnexpected = (error: unknown) => void errors.push(error);
    const kept = attachmentsIn(folder);
    store = new ConversationStore({
      folder: join(folder, 'conversations'),
      attachments: kept,
      writer: 'w1',
      onError: onUnexpected,
    });
    const read = () => Promise.resolve('');
    const source = () => ({ read, seesPictures: () => seesPictures });
    conversations = new OpenConversations({
      clientFor: () => client,
      store,
      attachments: { store: kept, source },
      writer: 'w1',
      redact: (failure) => failure,
      onUnexpected,
    });
    const opened = await Promise.all([first, second, third].map((id) => conversations.open(id)));
    sessions = new Map(opened.map(({ session }) => [session.conversation.id, session]));
    shown = {
      session: sessions.get(first),
      draft: '',
      draftVersion: undefined,
      begun: undefined,
      isShown: (id) => shown.session?.conversation.id === id,
      latest: () => {
        if (!shown.isShown(wanted)) Object.assign(shown, { session: sessions.get(wanted), draft: '' });
        return Promise.resolve(shown.session);
      },
    };
    wanted = first;
    acts = new PageActs(
      {
        connection: async () => connection,
        compareReply: () => Promise.reject(new ApiError({ kind: 'attachmentLost', name: 'a.ts' })),
        conversations,
        store,
        writer: 'w1',
        isAlive: () => isAlive,
        chatDefaults: () => ({ model: byDefault }),
        checkSetup: () => (isSetUp ? waitForKey() : Promise.reject(new Error('No key'))),
        explain: () => ({ ...problem, actions: [{ kind: 'useModel', label: '', model: 'kestrel/sparrow' }] }),
        explainer: { problemOfError: () => problem },
        attachments: { models: { seesPictures: () => seesPictures } },
        pickModel: () => Promise.resolve(picked),
        recentModels: () => Promise.resolve(['m', 'kestrel/sparrow', 'b', 'c'].map((id) => ({ id, speed: '' }))),
        onUnexpected,
      },
      {
        shown,
        channel,
        attachments: {
          chosen: (_id, ids) => chips.filter(({ id }) => ids.includes(id)),
          sent: (_id, sent) => (chips = chips.filter((item) => !sent.includes(item))),
          roomierModels: () => ['harbor/quill-70b'],
        },
      },
    );
  });
  afterEach(async () => {
    await store.settled();
    await conversations.dispose();
    await rm(folder, { recursive: true, force: true });
  });
  failOnFaults('no error was reported', () => errors);

  const asked = (id: string): readonly string[] =>
    (sessions.get(id)?.conversation.messages() ?? []).flatMap(({ role, text }) => (role === 'user' ? [text] : []));

  function refusal(): { text: string; title: string; editedId?: string } | undefined {
    const fact = facts.findLast(({ type }) => type === 'askRefused');
    if (fact?.type !== 'askRefused') return undefined;
    const { text, editedId } = fact;
    return { text, title: fact.problem.title, ...(editedId !== undefined && { editedId }) };
  }

  it('is added to the conversation that the user saw, with everything they saw, even if another one is being opened', async () => {
    chips = [chip];
    wanted = second;
    await acts.ask({ type: 'ask', conversationId: first, text: 'For the first', attachments: ['f1'] });
    assert.deepEqual([asked(first), asked(second)], [['For the first'], []]);
    assert.deepEqual(sessions.get(first)?.conversation.attachments(), [chip]);
  });

  it('is added to the new chat if it was typed before that opened', async () => {
    acts.draftChanged({ type: 'draftChanged', conversationId: first, text: 'Ahead', version: 1 });
    wanted = second;
    shown.begun = second;
    await acts.ask({ type: 'ask', conversationId: first, text: 'Ahead' });
    assert.deepEqual([asked(first), asked(second)], [[], ['Ahead']]);
    assert.equal(await store.draft(first), '');
    assert.equal(shown.draft, '');
  });

  it('is added to the empty chat that replaces a deleted one, but not to a draft in the list', async () => {
    wanted = second;
    await acts.ask({ type: 'ask', conversationId: first, text: 'Ahead' });
    assert.deepEqual([asked(first), asked(second)], [[], ['Ahead']]);
    Object.assign(shown, { session: sessions.get(third), draft: 'A draft' });
    wanted = third;
    await acts.ask({ type: 'ask', conversationId: first, text: 'For the first' });
    assert.deepEqual([asked(first), asked(third)], [['For the first'], []]);
  });

  it('stays with its conversation after New Chat if it has attachments, or if yet another one is being opened', async () => {
    sessions.get(third)?.rename('Not new');
    chips = [chip];
    shown.begun = second;
    wanted = second;
    await acts.ask({ type: 'ask', conversationId: first, text: 'With a file', attachments: ['f1'] });
    wanted = third;
    await acts.ask({ type: 'ask', conversationId: first, text: 'And then' });
    assert.deepEqual([asked(first), asked(second), asked(third)], [['With a file', 'And then'], [], []]);
  });

  it("is added to the page's conversation if it was typed before any was shown", async () => {
    wanted = second;
    await acts.ask({ type: 'ask', text: 'Early' });
    assert.deepEqual(asked(second), ['Early']);
  });

  it('is refused and returned if one of its attachments is gone', async () => {
    chips = [chip];
    await acts.ask({ type: 'ask', conversationId: first, text: 'Look at both', attachments: ['f1', 'p1'] });
    assert.deepEqual(asked(first), []);
    assert.deepEqual(refusal(), { text: 'Look at both', title: 'The attachments have changed' });
    await acts.ask({ type: 'ask', conversationId: first, text: '', attachments: ['p1'] });
    assert.deepEqual(asked(first), []);
    assert.deepEqual(chips, [chip]);
  });

  it('is nothing without text and attachments', async () => {
    await acts.ask({ type: 'ask', conversationId: first, text: ' \n' });
    assert.deepEqual([asked(first), facts], [[], []]);
  });

  it("is in the draft of its own conversation if it's refused there while another one is visible", async () => {
    isSetUp = false;
    sessions.get(second)?.rename('Not new');
    wanted = second;
    await acts.ask({ type: 'ask', conversationId: first, text: 'For the first' });
    assert.deepEqual(refusal(), { text: '', title: 'No' });
    await store.settled();
    assert.equal(await store.draft(first), 'For the first');
    assert.equal(await store.draft(second), '');
  });

  it("is in the draft, once, if it's refused while there's no page, and the next page says why", async () => {
    isSetUp = false;
    channel.isOpen = false;
    await acts.ask({ type: 'ask', conversationId: first, text: 'Anyone?' });
    assert.deepEqual(refusal(), { text: '', title: 'No' });
    assert.equal(shown.draft, 'Anyone?');
    assert.equal(await store.draft(first), 'Anyone?');
  });

  it('counts as a version of the draft that was received, like what is typed, in the visible conversation only', async () => {
    acts.draftChanged({ type: 'draftChanged', conversationId: first, text: 'Hel', version: 1 });
    assert.equal(shown.draftVersion, 1);
    channel.isOpen = false;
    await acts.ask({ type: 'ask', conversationId: first, text: 'Hello', version: 2 });
    assert.deepEqual([shown.draft, shown.draftVersion], ['', 2]);
    acts.draftChanged({ type: 'draftChanged', conversationId: second, text: 'More', version: 3 });
    assert.equal(shown.draftVersion, 2);
  });

  it('leaves what is typed after it in the draft', async () => {
    const done = acts.ask({ type: 'ask', conversationId: first, text: 'First' });
    acts.draftChanged({ type: 'draftChanged', conversationId: first, text: 'Second', version: 2 });
    await done;
    assert.equal(shown.draft, 'Second');
    await store.settled();
    assert.equal(await store.draft(first), 'Second');
  });

  it("reports a draft to the page once it's on disk, and not if it couldn't be written", async () => {
    acts.draftChanged({ type: 'draftChanged', conversationId: first, text: 'Half', version: 7 });
    assert.deepEqual(facts, []);
    await store.settled();
    await new Promise(setImmediate);
    assert.deepEqual(facts, [{ type: 'draftSaved', conversationId: first, version: 7 }]);
    await conversations.settled(first);
    await withFaults({ open: () => 'EROFS' }, async () => {
      acts.draftChanged({ type: 'draftChanged', conversationId: first, text: 'Half a thought', version: 8 });
      await store.settled();
    });
    await new Promise(setImmediate);
    assert.equal(facts.length, 1);
    assert.equal(errors.splice(0).length > 0, true);
  });

  it('is added below the draft by the page, or by the host if no page shows it', async () => {
    shown.draft = 'Typed';
    acts.addToDraft(first, 'Explain this');
    assert.deepEqual(facts, [{ type: 'draftAdded', text: 'Explain this' }]);
    assert.equal(shown.draft, 'Typed');
    channel.isOpen = false;
    acts.addToDraft(first, 'Explain this');
    assert.equal(shown.draft, 'Typed\n\nExplain this');
    acts.addToDraft(second, 'Elsewhere');
    await new Promise(setImmediate);
    await store.settled();
    assert.equal(await store.draft(second), 'Elsewhere');
  });

  it('is refused and returned if another one was sent while both waited for the key', async () => {
    const key = Promise.withResolvers<void>();
    waitForKey = () => key.promise;
    const both = ['One', 'Two'].map((text) => acts.ask({ type: 'ask', conversationId: first, text }));
    await Promise.resolve();
    key.resolve();
    await Promise.all(both);
    assert.deepEqual(asked(first), ['One']);
    assert.equal(refusal()?.text, 'Two');
  });

  it('waits while another window writes a reply of the conversation, which would be sent by half, unless that window is gone', async () => {
    await acts.ask({ type: 'ask', conversationId: first, text: 'Hello' });
    const session = sessions.get(first);
    const [, reply] = session?.conversation.messages() ?? [];
    assert.ok(session !== undefined && reply !== undefined);
    const theirs = { writer: 'w2', at: Date.now() };
    session.applyForeign({ type: 'asked', id: 'u', text: 'Of the other', after: reply.id, ...theirs });
    session.applyForeign({ type: 'replyStarted', id: 'r', model: 'm', pid: process.ppid, after: 'u', ...theirs });
    session.applyForeign({ type: 'replyGrew', id: 'r', part: 'text', offset: 0, text: 'Half of', ...theirs });
    await acts.ask({ type: 'ask', conversationId: first, text: 'Mine' });
    assert.deepEqual(refusal(), { text: 'Mine', title: 'A reply is still being written' });
    const told = facts.findLast(({ type }) => type === 'askRefused');
    // This window has no Stop for it.
    assert.match((told?.type === 'askRefused' && told.problem.detail) || '', /^Stop it in the other window/);
    await acts.retry(reply.id);
    assert.deepEqual(refusal(), { text: '', title: 'A reply is still being written' });
    assert.deepEqual(asked(first), ['Hello', 'Of the other']);
    isAlive = false;
    await acts.ask({ type: 'ask', conversationId: first, text: 'Mine' });
    assert.deepEqual(asked(first), ['Hello', 'Of the other', 'Mine']);
    isAlive = true;
    session.applyForeign({ type: 'replyEnded', id: 'r', outcome: 'done', metrics: {}, ...theirs });
    await acts.ask({ type: 'ask', conversationId: first, text: 'Mine again' });
    assert.equal(asked(first).at(-1), 'Mine again');
  });

  it("isn't sent to a model without image input: not at once, not on retry, not after an edit", async () => {
    chips = [picture];
    await acts.ask({ type: 'ask', conversationId: first, text: 'What is it?', attachments: ['p1'] });
    const session = sessions.get(first);
    const [question, reply] = session?.conversation.messages() ?? [];
    assert.ok(session !== undefined && question !== undefined && reply !== undefined);
    seesPictures = false;
    facts.length = 0;
    await acts.retry(reply.id);
    assert.deepEqual(refusal(), { text: '', title: "This model doesn't support images" });
    await acts.resend({ type: 'resend', messageId: question.id, text: 'What is it then?' });
    const title = "This model doesn't support images";
    assert.deepEqual(refusal(), { text: 'What is it then?', title, editedId: question.id });
    chips = [picture];
    await acts.ask({ type: 'ask', conversationId: first, text: 'And this?', attachments: ['p1'] });
    assert.deepEqual(refusal(), { text: 'And this?', title: "This model doesn't support images" });
    assert.deepEqual(session.conversation.messages(), [question, reply]);
    // Such a model gets only the text of older messages.
    await acts.ask({ type: 'ask', conversationId: first, text: 'Thanks' });
    assert.deepEqual(asked(first), ['What is it?', 'Thanks']);
  });

  it('is an edit again if that is refused, and no draft, even if another conversation is shown by then', async () => {
    await acts.ask({ type: 'ask', conversationId: first, text: 'Hello' });
    const [question] = sessions.get(first)?.conversation.messages() ?? [];
    assert.ok(question !== undefined);
    isSetUp = false;
    const done = acts.resend({ type: 'resend', messageId: question.id, text: 'Hello again' });
    shown.session = sessions.get(second);
    await done;
    assert.deepEqual(refusal(), { text: '', title: 'No', editedId: question.id });
    await store.settled();
    assert.equal(await store.draft(first), '');
  });

  for (const [model, why, hasFailed] of [
    ['gone', 'a failure', ({ failure }: ReplyEnd) => failure?.kind === 'modelNotFound'],
    ['small', 'a reply to a part of it', ({ sentAtLeast }: ReplyEnd) => sentAtLeast !== undefined],
  ] as const)
    it(`is asked again with another model after ${why}, which the conversation adopts`, async () => {
      const session = sessions.get(first);
      session?.setOptions({ model });
      await acts.ask({ type: 'ask', conversationId: first, text: 'word '.repeat(1000) });
      const failed = session?.conversation.messages().at(-1);
      assert.ok(failed?.role === 'assistant' && failed.end !== undefined && hasFailed(failed.end));
      await acts.retryWith(failed.id, 'harbor/quill-70b');
      const reply = session?.conversation.messages().at(-1);
      assert.equal(reply?.role === 'assistant' && reply.model, 'harbor/quill-70b');
      assert.equal(session?.conversation.options.model, 'harbor/quill-70b');
    });

  it("is retried with another model, which the conversation doesn't adopt", async () => {
    await acts.ask({ type: 'ask', conversationId: first, text: 'Hello' });
    const session = sessions.get(first);
    assert.ok(session !== undefined);
    const last = () => session.conversation.messages().at(-1);
    const modelsOf = () =>
      session.conversation
        .versions(last()?.id ?? '')
        .map((version) => (version.role === 'assistant' ? version.model : ''));
    await acts.offerRetry(last()?.id ?? '');
    const offers = facts.findLast(({ type }) => type === 'retryOffers');
    assert.deepEqual(offers?.type === 'retryOffers' && offers.models.map(({ id }) => id), ['kestrel/sparrow', 'b']);
    await acts.retry(last()?.id ?? '', 'kestrel/sparrow');
    assert.deepEqual(modelsOf(), ['m', 'kestrel/sparrow']);
    await acts.offerRetry(last()?.id ?? '');
    const again = facts.findLast(({ type }) => type === 'retryOffers');
    assert.deepEqual(again, {
      type: 'retryOffers',
      replyId: last()?.id,
      model: 'm',
      models: [
        { id: 'kestrel/sparrow', speed: '' },
        { id: 'b', speed: '' },
      ],
    });
    await acts.retry(last()?.id ?? '', 'never/offered');
    assert.deepEqual(modelsOf(), ['m', 'kestrel/sparrow']);
    await acts.retryWith(last()?.id ?? '', 'harbor/quill-70b');
    assert.deepEqual(modelsOf(), ['m', 'kestrel/sparrow', 'harbor/quill-70b']);
    await acts.ask({ type: 'ask', conversationId: first, text: 'And now?' });
    const reply = last();
    assert.equal(reply?.role === 'assistant' && reply.model, 'm');
  });

  it('goes to the model of the first one, whatever becomes the default later, and the first one to the default', async () => {
    const session = sessions.get(first);
    assert.ok(session !== undefined);
    session.setOptions({ maxTokens: 9 });
    byDefault = 'b';
    await acts.ask({ type: 'ask', conversationId: first, text: 'Hello' });
    byDefault = 'other::m';
    const [question, reply] = session.conversation.messages();
    assert.ok(question !== undefined && reply !== undefined);
    await acts.ask({ type: 'ask', conversationId: first, text: 'And now?' });
    await acts.retry(reply.id);
    await acts.resend({ type: 'resend', messageId: question.id, text: 'Hello again' });
    await acts.askOwn('Continue');
    const models = session.conversation
      .everyMessage()
      .flatMap((message) => (message.role === 'assistant' ? [message.model] : []));
    assert.deepEqual(models, ['b', 'b', 'b', 'b', 'b']);
    assert.deepEqual(session.conversation.options, { maxTokens: 9, model: 'b' });
  });

  it('keeps following the default if the only request was a retry with another model', async () => {
    const session = sessions.get(first);
    await session?.ask('Hello', 'm', {});
    await acts.retry(session?.conversation.messages().at(-1)?.id ?? '', 'kestrel/sparrow');
    assert.deepEqual(session?.conversation.options, {});
  });

  it('is asked again with a model that its problem offered, but with no other that a page names', async () => {
    const session = sessions.get(first);
    assert.ok(session !== undefined);
    session.setOptions({ model: 'gone' });
    await acts.ask({ type: 'ask', conversationId: first, text: 'Hello' });
    const last = () => {
      const message = session.conversation.messages().at(-1);
      return message?.role === 'assistant' ? message : assert.fail();
    };
    const failed = last();
    assert.equal(failed.end?.failure?.kind, 'modelNotFound');
    for (const model of [undefined, 'b', 'gone', 'harbor/quill-70b']) await acts.useOffered(model, failed.id);
    for (const model of [undefined, 'b', 'kestrel/sparrow']) await acts.useOffered(model, undefined);
    assert.deepEqual([last(), session.conversation.options.model], [failed, 'gone']);
    await acts.useOffered('kestrel/sparrow', failed.id);
    assert.deepEqual(
      [last().model, last().text, session.conversation.options.model],
      ['kestrel/sparrow', 'Fine', 'kestrel/sparrow'],
    );
    // Nothing is offered for a reply that didn't fail.
    await acts.useOffered('b', last().id);
    assert.equal(session.conversation.options.model, 'kestrel/sparrow');
  });

  it('goes to a model with more room if that was offered, and keeps its model whatever options a page sends', async () => {
    const session = sessions.get(first);
    await acts.useOffered('harbor/quill-70b', undefined);
    assert.equal(session?.conversation.options.model, 'harbor/quill-70b');
    await acts.setOptions({ type: 'optionsChanged', conversationId: first, options: { model: 'b', maxTokens: 9 } });
    assert.deepEqual(session?.conversation.options, { maxTokens: 9, model: 'harbor/quill-70b' });
  });

  it("goes to a model of another service if that was offered because this one doesn't support chat", async () => {
    const session = sessions.get(first);
    await acts.useOffered('other::m', undefined);
    assert.equal(session?.conversation.options.model, undefined);
    connection = { ...connection, lack: { ...problem, actions: [{ kind: 'useModel', label: '', model: 'other::m' }] } };
    await acts.useOffered('other::n', undefined);
    assert.equal(session?.conversation.options.model, undefined);
    await acts.useOffered('other::m', undefined);
    assert.equal(session?.conversation.options.model, 'other::m');
  });

  it("isn't compared if one of its attachments is lost, and the page says why", async () => {
    await acts.ask({ type: 'ask', conversationId: first, text: 'Hello' });
    await acts.compareReply(sessions.get(first)?.conversation.messages().at(-1)?.id ?? '');
    assert.deepEqual(refusal(), { text: '', title: 'No' });
  });

  it('returns no text that nobody typed', async () => {
    isSetUp = false;
    await acts.askOwn('Continue');
    assert.deepEqual(refusal(), { text: '', title: 'No' });
  });
});
