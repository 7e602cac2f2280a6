import assert from 'node:assert/strict';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import type { ChatSession } from '../../../../src/core/chat/chatSession.ts';
import { LoadedMessages } from '../../../../src/vscode/chat/loadedMessages.ts';

describe('the messages that a page has loaded', () => {
  const texts = Array.from({ length: 100 }, (_, index) => (index % 40 === 5 ? `Owl ${index}, owl` : `cat ${index}`));
  const messages = texts.map((text, index) => ({ role: 'user' as const, id: `m${index}`, at: index, text }));
  const conversation = Object.assign(new Conversation('c1'), { messages: () => messages });
  const session = { conversation } as unknown as ChatSession;
  const loaded = new LoadedMessages({
    writer: 'w',
    isAlive: () => false,
    explain: () => assert.fail('no failure is here'),
  });

  it("are searched by the host if they aren't loaded", () => {
    assert.deepEqual(loaded.find(session, 'OWL', 'm70'), [
      { id: 'm5', count: 2 },
      { id: 'm45', count: 2 },
    ]);
    assert.deepEqual(loaded.find(session, 'dog', 'm70'), []);
    assert.deepEqual(loaded.find(session, 'owl', 'gone'), []);
  });

  it('are loaded one page at a time, and up to a match at once', () => {
    const ids = (through?: string): (string | undefined)[] => {
      const page = loaded.older(session, 'm70', through);
      return [page?.messages[0]?.id, page?.messages.at(-1)?.id];
    };
    assert.deepEqual(ids(), ['m40', 'm69']);
    assert.deepEqual(ids('m5'), ['m5', 'm69']);
    assert.deepEqual(ids('m60'), ['m40', 'm69']);
    assert.deepEqual(ids('gone'), ['m40', 'm69']);
  });

  it("aren't switched to another version while another window writes a reply, which would end", () => {
    const written = new Conversation('c3');
    const by = { writer: 'other', at: 1 };
    written.apply({ type: 'asked', id: 'q', text: 'Why?', after: null, ...by });
    written.apply({ type: 'replyStarted', id: 'r', model: 'm', pid: 1, after: 'q', ...by });
    let isAlive = true;
    const page = new LoadedMessages({ writer: 'w', isAlive: () => isAlive, explain: () => assert.fail() });
    const shown: string[] = [];
    const reading = { conversation: written, showVersion: (id: string) => shown.push(id) } as unknown as ChatSession;
    page.showVersion(reading, 'q');
    assert.deepEqual(shown, []);
    isAlive = false;
    page.showVersion(reading, 'q');
    assert.deepEqual(shown, ['q']);
  });

  it('say what a reply is without reasoning that looked like its text until the end', () => {
    const written = new Conversation('c4');
    const by = { writer: 'w', at: 1 };
    const text = 'They greet.\n</think>\n\nHi';
    written.apply({ type: 'asked', id: 'q', text: 'Hello', after: null, ...by });
    written.apply({ type: 'replyStarted', id: 'r', model: 'm', pid: 1, after: 'q', ...by });
    written.apply({ type: 'replyGrew', id: 'r', part: 'text', offset: 0, text, ...by });
    const running = { conversation: written, runningReplyId: 'r' } as unknown as ChatSession;
    const change = () => loaded.change(running, written.reply('r') ?? assert.fail());
    assert.equal('text' in change(), false);
    written.apply({ type: 'replyEnded', id: 'r', outcome: 'done', metrics: {}, ...by });
    assert.deepEqual(change(), { state: 'done', metrics: {}, text: 'Hi', reasoning: 'They greet.' });
  });

  it('reach back to the version that the reader switches to, and to what the page had above it', () => {
    const short = [...messages.slice(0, 10), { role: 'user' as const, id: 'other', at: 1, text: 'other' }];
    let now: readonly { id: string }[] = short;
    const switched = { conversation: Object.assign(new Conversation('c2'), { messages: () => now }) };
    const page = new LoadedMessages({ writer: 'w', isAlive: () => false, explain: () => assert.fail() });
    const first = () => page.newest(switched as unknown as ChatSession).messages[0]?.id;
    assert.equal(first(), 'm0');
    now = messages;
    page.switching('m10');
    assert.deepEqual([first(), first()], ['m0', 'm0']);

    // The first of the page is the one with versions.
    now = [...messages.slice(0, 40), { ...short[10], id: 'other' }, ...messages.slice(71)];
    const shown = new LoadedMessages({ writer: 'w', isAlive: () => false, explain: () => assert.fail() });
    const start = () => shown.newest(switched as unknown as ChatSession).messages[0]?.id;
    assert.equal(start(), 'other');
    now = messages;
    assert.equal(start(), 'm70');
    now = [...messages.slice(0, 40), { ...short[10], id: 'other' }, ...messages.slice(71)];
    start();
    now = messages;
    shown.switching('m40');
    assert.deepEqual([start(), start()], ['m40', 'm40']);
  });
});
