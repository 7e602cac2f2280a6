import assert from 'node:assert/strict';
import { PageNotes } from '../../../../src/vscode/chat/pageNotes.ts';
import { SessionNews, type SessionNewsDeps, type ToldPage } from '../../../../src/vscode/chat/sessionNews.ts';

describe('Deletions in a page that is gone', () => {
  let undone: unknown[];
  let notes: PageNotes;

  beforeEach(() => {
    undone = [];
    notes = new PageNotes();
    notes.showing('c1');
  });

  /** @returns what closes it */
  function open(name: string) {
    let session: unknown = {
      conversation: { id: 'c1' },
      restoreMessages: (ids: readonly string[]) => undone.push([name, ...ids]),
    };
    const page = {
      channel: { isOpen: true, post: () => undefined },
      shown: {
        get session() {
          return session;
        },
        isShown: (id: string) => session !== undefined && id === 'c1',
      },
      attachments: { changed: () => undefined },
      notes,
      restore: (id: string) => undone.push([name, id]),
      changed: () => undefined,
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what deletions need of them
    const news = new SessionNews(
      { onUnexpected: assert.ifError } as unknown as SessionNewsDeps,
      page as unknown as ToldPage,
    );
    return { news, close: () => (session = undefined) };
  }

  it('are undone in the page that replaced it', () => {
    const { news, close } = open('first');
    news.happened({ type: 'messagesRemoved', ids: ['m1', 'm2'], canRestore: true });
    news.offerToRestore('c2', 'Owls');
    close();
    open('next');
    for (const { id } of notes.view) notes.ended(id, 'Undo');
    assert.deepEqual(undone, [
      ['next', 'm1', 'm2'],
      ['next', 'c2'],
    ]);
  });
});
