import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { MessageView, ReplyView } from '../../../../../src/shared/chat.ts';
import type { ChatSnapshot, ToPage } from '../../../../../src/shared/protocol/chatProtocol.ts';
import type { Problem, ProblemActionKind } from '../../../../../src/shared/problem.ts';
import {
  type ChatState,
  initialState,
  isBeingWritten,
  modelOf,
  runningReply,
} from '../../../../../src/webview/chat/page/chatState.ts';
import { reduce } from '../../../../../src/webview/chat/page/pageState.ts';

const question: MessageView = { role: 'user', id: 'u1', at: 1, text: 'Why?' };
const running: ReplyView = {
  role: 'assistant',
  id: 'r1',
  at: 2,
  model: 'local/echo',
  text: 'Be',
  reasoning: '',
  state: 'running',
  metrics: {},
};
const snapshot: ChatSnapshot = {
  conversationId: 'c1',
  title: 'Why?',
  messages: [question, running],
  hasOlder: true,
  options: { temperature: 1 },
  defaults: { model: 'local/echo' },
  draft: '',
  connection: { state: 'ready', host: 'localhost' },
  suggestions: [],
  attachments: { items: [], conversationTokens: 0, maxPictureEdge: 0, folder: '' },
};
const problem: Problem = { severity: 'error', title: 'No key', detail: '', actions: [], technical: '' };

function opened(): ChatState {
  return reduce(initialState, { type: 'snapshot', seq: 7, snapshot });
}

function textOf(state: ChatState, id: string): string | undefined {
  return state.messages.find((message) => message.id === id)?.text;
}

describe('reduce', () => {
  it('treats a snapshot as the whole truth, whatever its number', () => {
    const state = opened();
    assert.equal(state.stale, false);
    assert.equal(state.seq, 7);
    assert.deepEqual(state.messages, [question, running]);
    assert.equal(modelOf(state), 'local/echo');
    assert.equal(runningReply(state)?.id, 'r1');
  });

  it('ignores everything before the first snapshot', () => {
    const before = reduce(initialState, { type: 'messageAdded', seq: 1, message: question });
    assert.equal(before, initialState);
  });

  it('appends text that continues the known text', () => {
    const state = reduce(opened(), {
      type: 'replyGrew',
      seq: 8,
      replyId: 'r1',
      part: 'text',
      offset: 2,
      text: 'cause',
    });
    assert.equal(textOf(state, 'r1'), 'Because');
    assert.equal(state.seq, 8);
  });

  it('keeps reasoning separate from the reply', () => {
    const state = reduce(opened(), {
      type: 'replyGrew',
      seq: 8,
      replyId: 'r1',
      part: 'reasoning',
      offset: 0,
      text: 'Hm',
    });
    const reply = runningReply(state);
    assert.deepEqual([reply?.text, reply?.reasoning], ['Be', 'Hm']);
  });

  it("is stale after text that doesn't fit, and changes nothing until a snapshot arrives", () => {
    const stale = reduce(opened(), { type: 'replyGrew', seq: 8, replyId: 'r1', part: 'text', offset: 3, text: 'x' });
    assert.equal(stale.stale, true);
    assert.equal(textOf(stale, 'r1'), 'Be');
    assert.equal(reduce(stale, { type: 'titleChanged', seq: 9, title: 'New' }), stale);
    assert.equal(reduce(stale, { type: 'snapshot', seq: 12, snapshot }).stale, false);
  });

  it('is stale after a missed and after a repeated number', () => {
    assert.equal(reduce(opened(), { type: 'titleChanged', seq: 9, title: 'New' }).stale, true);
    assert.equal(reduce(opened(), { type: 'titleChanged', seq: 7, title: 'New' }).stale, true);
  });

  it("lets a reply that isn't loaded grow elsewhere", () => {
    const state = reduce(opened(), { type: 'replyGrew', seq: 8, replyId: 'old', part: 'text', offset: 40, text: 'x' });
    assert.equal(state.stale, false);
    assert.deepEqual(state.messages, [question, running]);
  });

  it('replaces all of a reply except its text when the reply changes', () => {
    const retried = reduce(opened(), {
      type: 'replyChanged',
      seq: 8,
      replyId: 'r1',
      change: { state: 'running', metrics: {}, retry: { attempt: 2, at: 5, reason: 'Busy' } },
    });
    const done = reduce(retried, {
      type: 'replyChanged',
      seq: 9,
      replyId: 'r1',
      change: { state: 'done', metrics: {}, finishReason: 'stop' },
    });
    assert.deepEqual(done.messages[1], { ...running, state: 'done', finishReason: 'stop' });
    assert.equal(runningReply(done), undefined);
  });

  it('replaces the text of a reply of which some turned out to be reasoning', () => {
    const done = reduce(opened(), {
      type: 'replyChanged',
      seq: 8,
      replyId: 'r1',
      change: { state: 'done', metrics: {}, text: 'Hi', reasoning: 'They greet.' },
    });
    assert.deepEqual(done.messages[1], { ...running, state: 'done', text: 'Hi', reasoning: 'They greet.' });
  });

  it('looks for replies that are being written once in each list of messages', () => {
    let looked = 0;
    const messages = Array.from({ length: 100 }, (_, index): MessageView => ({
      ...question,
      id: `u${index}`,
      get role() {
        looked += 1;
        return 'user' as const;
      },
    }));
    const state = { ...opened(), messages };
    for (let draw = 0; draw < 2; draw += 1) {
      assert.equal(runningReply(state), undefined);
      assert.equal(isBeingWritten(state), false);
    }
    assert.equal(looked, 100);
    const elsewhere: ChatState = { ...state, messages: [running, { ...running, id: 'r2', state: 'elsewhere' }] };
    assert.equal(runningReply(elsewhere)?.id, 'r1');
    assert.equal(runningReply({ ...state, messages: elsewhere.messages.slice(1) }), undefined);
    assert.equal(isBeingWritten({ ...state, messages: elsewhere.messages.slice(1) }), true);
  });

  it('puts older messages on top, each once', () => {
    const older: MessageView = { role: 'user', id: 'u0', at: 0, text: 'Hello' };
    const state = reduce(opened(), { type: 'olderMessages', seq: 8, messages: [older, question], hasOlder: false });
    assert.deepEqual(
      state.messages.map(({ id }) => id),
      ['u0', 'u1', 'r1'],
    );
    assert.equal(state.hasOlder, false);
  });

  it('leaves out what was removed', () => {
    const removed = reduce(opened(), { type: 'messagesRemoved', seq: 8, ids: ['r1'], canRestore: true });
    assert.deepEqual(removed.messages, [question]);
  });

  describe('The reason for a refusal', () => {
    const asking = (kind: ProblemActionKind): Problem => ({ ...problem, actions: [{ kind, label: 'Do it' }] });
    const needsKey = { state: 'needsApiKey', host: 'inference.example' } as const;
    const start = { ...snapshot, connection: { state: 'needsBaseUrl', host: '' } as const };
    /** What remains of it after one more message. */
    const after = (refusal: Problem, message: ToPage): Problem | undefined => {
      const open = reduce(initialState, { type: 'snapshot', seq: 7, snapshot: start });
      return reduce(reduce(open, { type: 'askRefused', seq: 8, text: 'Why?', problem: refusal }), message).refusal;
    };
    const { options, defaults } = snapshot;
    const byConnection: ToPage = { type: 'connectionChanged', seq: 9, connection: needsKey };
    const byModel: ToPage = { type: 'optionsChanged', seq: 9, options: { ...options, model: 'local/eye' }, defaults };
    const byDefault: ToPage = { type: 'optionsChanged', seq: 9, options, defaults: { model: 'local/eye' } };
    const byOption: ToPage = { type: 'optionsChanged', seq: 9, options: { temperature: 0 }, defaults };

    it('disappears when the requested change was made, even if something else is missing then', () => {
      for (const kind of ['setBaseUrl', 'setApiKey', 'useNoKey', 'useKeyForThisHost'] as const) {
        assert.equal(after(asking(kind), byConnection), undefined, kind);
      }
      for (const kind of ['selectModel', 'useModel'] as const) {
        assert.equal(after(asking(kind), byModel), undefined, kind);
        assert.equal(after(asking(kind), byDefault), undefined, kind);
      }
      assert.equal(after(asking('openParameters'), byOption), undefined);
      const missed: ToPage = { type: 'snapshot', seq: 1, snapshot: { ...start, connection: needsKey } };
      assert.equal(after(asking('setBaseUrl'), missed), undefined);
    });

    it('stays when something else changes, or nothing does', () => {
      const [noUrl, blind] = [asking('setBaseUrl'), asking('selectModel')];
      for (const message of [byModel, byDefault, byOption]) assert.equal(after(noUrl, message), noUrl);
      for (const message of [byConnection, byOption]) assert.equal(after(blind, message), blind);
      for (const message of [byConnection, byModel, byOption]) assert.equal(after(problem, message), problem);
      const same: ToPage = { type: 'connectionChanged', seq: 9, connection: { ...start.connection } };
      assert.equal(after(noUrl, same), noUrl);
      assert.equal(after(noUrl, { type: 'snapshot', seq: 1, snapshot: start }), noUrl);
    });

    it('stays when the report of what is missing arrives after it', () => {
      const noKey = asking('setApiKey');
      const refused = reduce(opened(), { type: 'askRefused', seq: 8, text: 'Why?', problem: noKey });
      const late = reduce(refused, byConnection);
      assert.equal(late.refusal, noKey);
      const { connection } = snapshot;
      assert.equal(reduce(late, { type: 'connectionChanged', seq: 10, connection }).refusal, undefined);
    });
  });

  it('keeps the reason for a refusal until a message is added', () => {
    const refused = reduce(opened(), { type: 'askRefused', seq: 8, text: 'Why?', problem });
    assert.equal(refused.refusal, problem);
    assert.equal(reduce(refused, { type: 'snapshot', seq: 9, snapshot }).refusal, problem);
    assert.equal(reduce(refused, { type: 'messageAdded', seq: 9, message: question }).refusal, undefined);
  });

  it("shows that the conversation isn't saved until it is, whatever is asked in the meantime", () => {
    const unsaved = reduce(opened(), { type: 'unsavedChanged', seq: 8, unsaved: problem });
    const later = reduce(unsaved, { type: 'messageAdded', seq: 9, message: question });
    assert.equal(later.unsaved, problem);
    assert.equal(reduce(later, { type: 'unsavedChanged', seq: 10 }).unsaved, undefined);
    assert.equal(
      reduce(later, { type: 'snapshot', seq: 10, snapshot: { ...snapshot, unsaved: problem } }).unsaved,
      problem,
    );
    assert.equal(reduce(later, { type: 'snapshot', seq: 10, snapshot }).unsaved, undefined);
  });

  it("builds the same text however it's cut", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 30 }), (pieces) => {
        let state = opened();
        let offset = 2;
        pieces.forEach((text, index) => {
          const message: ToPage = { type: 'replyGrew', seq: 8 + index, replyId: 'r1', part: 'text', offset, text };
          state = reduce(state, message);
          offset += text.length;
        });
        assert.equal(textOf(state, 'r1'), `Be${pieces.join('')}`);
        assert.equal(state.stale, false);
      }),
    );
  });
});
