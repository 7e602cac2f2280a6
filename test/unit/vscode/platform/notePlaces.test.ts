import assert from 'node:assert/strict';
import { type NotePlace, type NotePlaceInView, NotePlaces } from '../../../../src/vscode/platform/notePlaces.ts';

describe('The page that shows a message', () => {
  const place = (): NotePlace => ({
    tell: () => Promise.resolve(undefined),
    begin: () => ({ say: () => undefined, end: () => undefined }),
  });
  const chat = place();
  const comparison = place();

  /** @param chats closeness of the chats in view @param comparisons closeness of the comparisons */
  function shownIn(
    chats: readonly NotePlaceInView['closeness'][],
    comparisons: readonly NotePlaceInView['closeness'][],
  ): NotePlace | undefined {
    const places = new NotePlaces();
    places.use(() => chats.map((closeness) => ({ place: chat, closeness })));
    places.use(() => comparisons.map((closeness) => ({ place: comparison, closeness })));
    return places.inView;
  }

  it('is none if no page is in view', () => assert.equal(shownIn([], []), undefined));

  it('is the chat with the focus, even beside an active tab', () =>
    assert.equal(shownIn(['focused'], ['active']), chat));

  it('is the active tab before any page beside it', () => {
    assert.equal(shownIn(['beside'], ['active']), comparison);
    assert.equal(shownIn(['active'], ['beside']), chat);
  });

  it('is a page beside other editors', () => assert.equal(shownIn([], ['beside']), comparison));

  it('is no page of a kind that has been removed', () => {
    const places = new NotePlaces();
    const use = places.use(() => [{ place: chat, closeness: 'active' }]);
    assert.equal(places.inView, chat);
    use.dispose();
    assert.equal(places.inView, undefined);
  });
});
