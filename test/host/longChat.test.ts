import assert from 'node:assert/strict';
import { ChatSession } from '../../src/core/chat/chatSession.ts';
import { LongChat, type LongChatDeps } from '../../src/vscode/chat/longChat.ts';
import { Answers } from './prompts/answers.ts';
import { countedConversation } from '../unit/core/chat/countedConversation.ts';

/** Its page, and the model's window in tokens if it's known. */
function longChat(session: ChatSession, window?: number): LongChat {
  const deps = { attachments: { models: { contextWindowOf: () => window } } } as unknown as LongChatDeps;
  return new LongChat(deps, {
    channel: { post: () => undefined, postWhenOpen: () => undefined },
    shown: { session, options: { model: 'm' } },
    show: () => assert.fail('another conversation was shown'),
  });
}

/** Its page, with these conversations in the list. */
function continuedChat(session: ChatSession, listed: readonly string[]) {
  const shown: string[] = [];
  const store = { list: () => Promise.resolve(listed.map((id) => ({ id }))) };
  const chat = new LongChat({ store } as unknown as LongChatDeps, {
    channel: { post: () => undefined, postWhenOpen: () => undefined },
    shown: { session, options: {} },
    show: (id) => Promise.resolve(void shown.push(id)),
  });
  return { chat, shown };
}

function sessionOf(conversation: ReturnType<typeof countedConversation>['conversation']): ChatSession {
  const never = (): never => assert.fail('nothing is sent');
  return new ChatSession(conversation, {
    clientFor: never,
    attachments: { read: never, seesPictures: never },
    journal: { append: () => undefined },
    now: () => 1_000_000,
    ticks: () => 0,
    newId: never,
    writer: 'w',
    pid: 1,
    redact: never,
    onUnexpected: assert.ifError,
  });
}

describe('Leaving out the earliest messages', () => {
  const turn = { question: 100, reply: 100 };

  /** Where the line is after this button was pressed so many times. */
  function lines(chat: LongChat, session: ChatSession, presses: number, replyId?: string): (string | undefined)[] {
    return Array.from({ length: presses }, () => {
      chat.leaveOut(replyId);
      return session.conversation.sentFrom?.id;
    });
  }

  it('leaves half of the conversation while the window is unknown, and then one question less each time', () => {
    const { conversation, say } = countedConversation();
    for (let turns = 0; turns < 6; turns += 1) say(turn);
    const session = sessionOf(conversation);
    assert.deepEqual(lines(longChat(session), session, 1), ['u4']);
    const card = sessionOf(conversation);
    assert.deepEqual(lines(longChat(card), card, 3, 'r6'), ['u5', 'u6', 'u6']);
  });

  it('leaves at most half of a request that was refused, even if the window of the list is larger', () => {
    const { conversation, say } = countedConversation();
    for (let turns = 0; turns < 6; turns += 1) say(turn);
    say({ question: 100, reply: 0 });
    const session = sessionOf(conversation);
    assert.deepEqual(lines(longChat(session, 100_000), session, 1, 'r7'), ['u5']);
  });

  it('leaves at most what the service counted of a request, of which it dropped the rest', () => {
    const { conversation, say } = countedConversation();
    for (let turns = 0; turns < 6; turns += 1) say(turn);
    say({ ...turn, counted: [450, 100], sentAtLeast: 1200 });
    const session = sessionOf(conversation);
    assert.deepEqual(lines(longChat(session, 100_000), session, 1, 'r7'), ['u6']);
  });
});

describe('The conversation that another one continues', () => {
  it("is shown unless it was deleted, because what is written there then wouldn't be kept", async () => {
    const { conversation } = countedConversation();
    const session = sessionOf(conversation);
    session.continueFrom({ id: 'earlier', title: 'Owls' });
    const kept = continuedChat(session, ['other', 'earlier']);
    await kept.chat.handlers.openContinued({ type: 'openContinued' });
    assert.deepEqual(kept.shown, ['earlier']);
    using answers = new Answers();
    const deleted = continuedChat(session, ['other']);
    await deleted.chat.handlers.openContinued({ type: 'openContinued' });
    await answers.notice('"Owls" no longer exists.');
    assert.deepEqual(deleted.shown, []);
  });
});
