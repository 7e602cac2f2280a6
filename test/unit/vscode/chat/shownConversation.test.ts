import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DraftAttachments } from '../../../../src/vscode/attachments/draftAttachments.ts';
import type { PageFact } from '../../../../src/vscode/chat/pageChannel.ts';
import { SessionNews, type SessionNewsDeps, type ToldPage } from '../../../../src/vscode/chat/sessionNews.ts';
import { ShownConversation, type ShownConversationDeps } from '../../../../src/vscode/chat/shownConversation.ts';
import { ConversationStore } from '../../../../src/vscode/conversations/conversationStore.ts';
import { OpenConversations } from '../../../../src/vscode/conversations/openConversations.ts';
import { attachmentsIn } from '../attachments/attachmentsIn.ts';

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
    assert.deepEqual(errors, []);
  });

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

  it('is replaced with a new one when another window deletes it, which can be undone, and there nothing is said', async () => {
    const [here, other] = [windowNamed('w1'), windowNamed('w2')];
    const first = await here.conversations.open(id);
    first.session.rename('Owls');
    first.dispose();
    await here.conversations.settled(id);
    const posted: [PageFact[], PageFact[]] = [[], []];
    const said = Promise.withResolvers<void>();
    const shownIn = [here, other].map((window, place) => {
      const shown = window.page();
      const post = (fact: PageFact) => {
        posted[place]?.push(fact);
        if (fact.type === 'conversationDeleted') said.resolve();
      };
      const show = async (next: string) => {
        shown.id = next;
        await shown.latest();
      };
      const channel = { post, postWhenOpen: post };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a deletion needs of them
      const page = { channel, shown, show, changed: () => undefined } as unknown as ToldPage;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a deletion needs of them
      const news = new SessionNews({ onUnexpected: assert.ifError } as unknown as SessionNewsDeps, page);
      shown.onEvent(news.happened);
      return shown;
    });
    await Promise.all(shownIn.map((shown) => shown.open()));
    await deleteIn(other);
    await said.promise;
    assert.equal(shownIn[0]?.session?.conversation.isUntouched, true);
    assert.deepEqual(
      shownIn.map((shown) => shown.id === id),
      [false, true],
    );
    assert.deepEqual(posted, [[{ type: 'conversationDeleted', id, title: 'Owls' }], []]);
  });
});
