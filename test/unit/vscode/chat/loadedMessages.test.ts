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
});
