import assert from 'node:assert/strict';
import type { ChatSnapshot, ToPage } from '../../../../src/shared/protocol/chatProtocol.ts';
import { PageChannel } from '../../../../src/vscode/chat/pageChannel.ts';

const snapshot: ChatSnapshot = {
  conversationId: 'c1',
  title: '',
  messages: [],
  hasOlder: false,
  options: {},
  defaults: {},
  draft: '',
  connection: { state: 'ready', host: 'localhost' },
  suggestions: [],
  attachments: { items: [], conversationTokens: 0, maxPictureEdge: 0, folder: '' },
};

/** A channel whose other end is a list, and that can wait for messages. @param hasPage whether one has arrived */
function channelToList(hasPage = true) {
  const sent: ToPage[] = [];
  const skipped: string[] = [];
  const channel = new PageChannel({
    post: (message) => void sent.push(message),
    skipped: ({ type }) => void skipped.push(type),
  });
  if (hasPage) channel.arrived();
  const arrived = async (count: number) => {
    while (sent.length < count) await new Promise((resolve) => setImmediate(resolve));
    return sent;
  };
  return { channel, sent, skipped, arrived };
}

describe('The channel to a page', () => {
  it('is silent until the page is ready', () => {
    const { channel, sent } = channelToList(false);
    channel.post({ type: 'titleChanged', title: 'x' });
    channel.grow('r1', 'text', 0, 'Hello');
    assert.deepEqual(sent, []);
  });

  it("isn't opened without a page, and keeps the focus for the next one", () => {
    const { channel, sent } = channelToList(false);
    assert.equal(channel.start({ type: 'snapshot', snapshot }), false);
    channel.postWhenOpen({ type: 'composerFocused' });
    assert.deepEqual(sent, []);
    channel.arrived();
    // It was hidden before everything was read for it.
    channel.pause();
    assert.equal(channel.start({ type: 'snapshot', snapshot }), false);
    channel.arrived();
    assert.equal(channel.start({ type: 'snapshot', snapshot }), true);
    assert.deepEqual(
      sent.map(({ type }) => type),
      ['snapshot', 'composerFocused'],
    );
  });

  it('keeps everything that no snapshot includes for the next page, in order and once', () => {
    const { channel, sent, skipped } = channelToList(false);
    const problem = { severity: 'warning', title: 'No', detail: '', actions: [], technical: '' } as const;
    channel.postWhenOpen({ type: 'composerFocused' });
    const picture = { name: 'a', mediaType: 'image/png', bytes: new Uint8Array() } as const;
    channel.postWhenOpen({ type: 'pictureRead', conversationId: 'c1', id: 'p1', ...picture });
    channel.postWhenOpen({ type: 'notAdded', id: 'p2', problem });
    for (let pages = 0; pages < 2; pages += 1) {
      channel.arrived();
      channel.start({ type: 'snapshot', snapshot });
      channel.pause();
    }
    assert.deepEqual(
      sent.map(({ type }) => type),
      ['snapshot', 'composerFocused', 'pictureRead', 'notAdded', 'snapshot'],
    );
    assert.deepEqual(skipped, []);
  });

  it('numbers every message without a gap', () => {
    const { channel, sent } = channelToList();
    channel.start({ type: 'snapshot', snapshot });
    channel.post({ type: 'titleChanged', title: 'a' });
    channel.post({ type: 'composerFocused' });
    assert.deepEqual(
      sent.map(({ seq }) => seq),
      [1, 2, 3],
    );
    channel.pause();
  });

  it('sends the first growth at once and collects what follows within a frame', async () => {
    const { channel, sent, arrived } = channelToList();
    channel.start({ type: 'snapshot', snapshot });
    channel.grow('r1', 'text', 0, 'a');
    assert.equal(sent.length, 2);
    channel.grow('r1', 'text', 1, 'b');
    channel.grow('r1', 'text', 2, 'c');
    assert.equal(sent.length, 2);
    const all = await arrived(3);
    const growth = { type: 'replyGrew', replyId: 'r1', part: 'text', offset: 1, text: 'bc', pieces: 2 };
    assert.deepEqual(all[2], { ...growth, seq: 3 });
    channel.pause();
  });

  it('keeps the order of reasoning, text, and later messages', () => {
    const { channel, sent } = channelToList();
    channel.start({ type: 'snapshot', snapshot });
    channel.grow('r1', 'reasoning', 0, 'a');
    channel.grow('r1', 'reasoning', 1, 'b');
    channel.grow('r1', 'text', 0, 'c');
    channel.grow('r1', 'text', 1, 'd');
    channel.post({ type: 'replyChanged', replyId: 'r1', change: { state: 'done', metrics: {} } });
    assert.deepEqual(
      sent.slice(1).map((message) => (message.type === 'replyGrew' ? message.text : message.type)),
      ['a', 'b', 'cd', 'replyChanged'],
    );
    channel.pause();
  });

  it('sends no growth twice if a page starts again', () => {
    const { channel, sent } = channelToList();
    channel.start({ type: 'snapshot', snapshot });
    channel.grow('r1', 'text', 0, 'a');
    channel.grow('r1', 'text', 1, 'b');
    channel.start({ type: 'snapshot', snapshot });
    channel.post({ type: 'composerFocused' });
    assert.deepEqual(
      sent.map(({ type }) => type),
      ['snapshot', 'replyGrew', 'snapshot', 'composerFocused'],
    );
    channel.pause();
  });

  it('sends nothing to a hidden page, and has it logged', async () => {
    const { channel, sent, skipped } = channelToList();
    channel.start({ type: 'snapshot', snapshot });
    channel.grow('r1', 'text', 0, 'a');
    channel.grow('r1', 'text', 1, 'b');
    channel.pause();
    channel.post({ type: 'titleChanged', title: 'x' });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(sent.length, 2);
    assert.deepEqual(skipped, ['titleChanged']);
  });
});
