import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DraftAttachments } from '../../../../src/vscode/attachments/draftAttachments.ts';
import type { PageFact } from '../../../../src/vscode/chat/pageChannel.ts';
import { PageNotes } from '../../../../src/vscode/chat/pageNotes.ts';
import { SessionNews, type SessionNewsDeps, type ToldPage } from '../../../../src/vscode/chat/sessionNews.ts';
import { ShownConversation, type ShownConversationDeps } from '../../../../src/vscode/chat/shownConversation.ts';
import { ConversationStore } from '../../../../src/vscode/conversations/conversationStore.ts';
import { OpenConversations } from '../../../../src/vscode/conversations/openConversations.ts';
import { attachmentsIn } from '../attachments/attachmentsIn.ts';
import { failOnFaults } from '../../../workbench/failOnFaults.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000000';

describe('The conversation of a page', () => {
  let folder: string;
  let errors: unknown[];
  const windows: OpenConversations[] = [];
  const pages: ShownConversation[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-shown-'));
    errors = [];
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) page.dispose();
    await Promise.all(windows.splice(0).map((window) => window.dispose()));
    await rm(folder, { recursive: true, force: true });
  });
  failOnFaults('no error was reported', () => errors);

  function windowNamed(writer: string) {
    const onError = (error: unknown) => void errors.push(error);
    const kept = attachmentsIn(folder);
    const store = new ConversationStore({
      folder: join(folder, 'conversations'),
      attachments: kept,
      writer,
      onError,
    });
    const source = () => ({ read: () => Promise.resolve(''), seesPictures: () => undefined });
    const conversations = new OpenConversations({
      clientFor: () => assert.fail('nothing is sent'),
      store,
      attachments: { store: kept, source },
      writer,
      redact: (failure) => failure,
      onUnexpected: onError,
    });
    windows.push(conversations);
    const attachments = { drafts: new DraftAttachments({ store: kept, onError }) };
    const deps = { conversations, store, attachments, writer, chatDefaults: () => ({}), isAlive: () => false };
    const page = () => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the attachments, it only has drafts
      const shown = new ShownConversation(id, deps as unknown as ShownConversationDeps);
      pages.push(shown);
      return shown;
    };
    return { conversations, store, page };
  }

  async function deleteIn({ conversations }: ReturnType<typeof windowNamed>): Promise<void> {
    const open = await conversations.open(id);
    await open.session.delete();
    open.dispose();
    await conversations.settled(id);
  }

  it('is a new one if the one that it remembers was deleted in the meantime, and the same again once restored', async () => {
    const here = windowNamed('w1');
    const first = await here.conversations.open(id);
    first.session.rename('Owls');
    first.dispose();
    await deleteIn(windowNamed('w2'));
    const next = windowNamed('w3');
    const shown = next.page();
    const session = await shown.latest();
    assert.notEqual(shown.id, id);
    assert.equal(session?.conversation.id, shown.id);
    assert.equal(session.conversation.isUntouched, true);
    const open = await next.conversations.open(id);
    open.session.undelete();
    open.dispose();
    const again = next.page();
    assert.equal((await again.latest())?.conversation.title, 'Owls');
  });

  /** What its page is told. */
  function toldOf(shown: ShownConversation, onFact: (fact: PageFact) => void = () => undefined): readonly PageFact[] {
    const facts: PageFact[] = [];
    const post = (fact: PageFact) => {
      facts.push(fact);
      onFact(fact);
    };
    const channel = { isOpen: true, post, postWhenOpen: post };
    const notes = new PageNotes();
    const show = async (next: string) => {
      shown.id = next;
      await shown.latest();
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what deletions and drafts need of them
    const page = { channel, shown, show, notes } as unknown as ToldPage;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what deletions and drafts need of them
    const news = new SessionNews({ onUnexpected: assert.ifError } as unknown as SessionNewsDeps, page);
    shown.onEvent(news.happened);
    return facts;
  }

  it('is replaced with a new one when another window deletes it, which can be undone, and there nothing is said', async () => {
    const [here, other] = [windowNamed('w1'), windowNamed('w2')];
    const first = await here.conversations.open(id);
    first.session.rename('Owls');
    first.dispose();
    await here.conversations.settled(id);
    const said = Promise.withResolvers<void>();
    const [ours, theirs] = [here.page(), other.page()];
    const posted = [toldOf(ours, ({ type }) => type === 'notesChanged' && said.resolve()), toldOf(theirs)];
    await Promise.all([ours.open(), theirs.open()]);
    await deleteIn(other);
    await said.promise;
    assert.equal(ours.session?.conversation.isUntouched, true);
    assert.deepEqual([ours.id === id, theirs.id === id], [false, true]);
    const notes = posted.map((facts) => facts.flatMap((fact) => (fact.type === 'notesChanged' ? fact.notes : [])));
    assert.deepEqual(
      notes.map((each) => each.map(({ text, buttons }) => [text, ...buttons])),
      [[['Deleted "Owls".', 'Undo']], []],
    );
  });

  it('has one draft in all pages of a window: each shows what is typed in another, and nothing once that is sent', async () => {
    const { store, page } = windowNamed('w1');
    const [typing, beside, elsewhere] = [page(), page(), page()];
    elsewhere.begin();
    await Promise.all([typing.open(), beside.open(), elsewhere.open()]);
    const told = [typing, beside, elsewhere].map((shown) => toldOf(shown));
    const type = (text: string) => {
      typing.draft = text;
      return store.saveDraft(id, text);
    };
    await type('Hello');
    const late = page();
    const opening = late.open();
    await type('Hello there');
    await opening;
    assert.deepEqual([beside.draft, late.draft, elsewhere.draft], ['Hello there', 'Hello there', '']);
    typing.draft = '';
    await store.forgetDraft(id, 'Hello there');
    assert.deepEqual([typing.draft, beside.draft, late.draft, await store.draft(id)], ['', '', '', '']);
    const replaced = (text: string) => ({ type: 'draftReplaced', conversationId: id, text });
    assert.deepEqual(told, [[], ['Hello', 'Hello there', ''].map(replaced), []]);
    await type('And then');
    await store.forgetDraft(id, 'Hello there');
    assert.equal(beside.draft, 'And then');
    assert.deepEqual(beside.draftView, { draft: 'And then' });
    typing.draftVersion = 7;
    await store.saveDraft(id, 'And then?');
    assert.deepEqual(typing.draftView, { draft: 'And then?', draftVersion: 7 });
    beside.dispose();
    await type('');
    assert.equal(beside.draft, 'And then?');
  });
});
