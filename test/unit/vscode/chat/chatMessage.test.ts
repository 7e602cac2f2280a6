import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as v from 'valibot';
import type { ToHost } from '../../../../src/shared/protocol/chatProtocol.ts';
import { chatMessageSchema } from '../../../../src/vscode/chat/chatMessage.ts';

const uuid = '9b2f3a60-4a0e-4d8e-9d3a-0f6f2f2b7c11';

// One of each kind: a missing kind is a compile error.
const examples: { readonly [T in ToHost['type']]: Extract<ToHost, { type: T }> } = {
  ready: { type: 'ready' },
  ask: { type: 'ask', conversationId: uuid, text: 'Hello', attachments: [uuid], version: 1 },
  stop: { type: 'stop' },
  retry: { type: 'retry', replyId: 'r1', model: 'kestrel/sparrow' },
  compareReply: { type: 'compareReply', replyId: 'r1' },
  retryWithOther: { type: 'retryWithOther', replyId: 'r1' },
  offerRetry: { type: 'offerRetry', replyId: 'r1' },
  showVersion: { type: 'showVersion', messageId: 'r1' },
  resend: { type: 'resend', messageId: 'u1', text: 'Hello' },
  deleteMessage: { type: 'deleteMessage', messageId: 'u1' },
  loadOlder: { type: 'loadOlder', beforeId: 'u1' },
  find: { type: 'find', request: 1, query: 'x', beforeId: 'm1' },
  sendFrom: { type: 'sendFrom', messageId: 'u1' },
  moveSentFrom: { type: 'moveSentFrom', step: -1 },
  leaveOutEarliest: { type: 'leaveOutEarliest' },
  summarize: { type: 'summarize' },
  stopSummary: { type: 'stopSummary' },
  summaryEdited: { type: 'summaryEdited', text: 'So fa' },
  useSummary: { type: 'useSummary', text: 'So far' },
  openContinued: { type: 'openContinued' },
  composing: { type: 'composing' },
  focusMoved: { type: 'focusMoved', isHere: true },
  draftChanged: { type: 'draftChanged', conversationId: '9b2f3a60-4a0e-4d8e-9d3a-0f6f2f2b7c11', text: '', version: 1 },
  optionsChanged: {
    type: 'optionsChanged',
    conversationId: '9b2f3a60-4a0e-4d8e-9d3a-0f6f2f2b7c11',
    options: { temperature: 0, stream: false },
  },
  addContext: { type: 'addContext' },
  removeAttachment: { type: 'removeAttachment', conversationId: uuid, id: uuid },
  openAttachment: { type: 'openAttachment', id: uuid },
  addPicture: {
    type: 'addPicture',
    conversationId: uuid,
    id: uuid,
    name: 'a.png',
    width: 1,
    height: 1,
    bytes: new Uint8Array([1]),
  },
  addText: { type: 'addText', conversationId: uuid, id: uuid, name: 'a.txt', text: 'x' },
  addDropped: { type: 'addDropped', conversationId: uuid, id: uuid, uri: 'file:///a' },
  complete: { type: 'complete', request: 1, typed: 'ta' },
  addCompletion: { type: 'addCompletion', conversationId: uuid, id: uuid, row: '1.0' },
  addSuggested: { type: 'addSuggested', conversationId: uuid, id: uuid, detail: 'src/a.ts' },
  completePrompt: { type: 'completePrompt', request: 1, typed: 'ex' },
  runPrompt: { type: 'runPrompt', row: '1.0' },
  selectModel: { type: 'selectModel' },
  findModels: {
    type: 'findModels',
    request: 1,
    question: { typed: 'fastest', sort: 'price', allKinds: false },
    again: true,
    service: 'two',
  },
  takeModel: { type: 'takeModel', row: '3', replyId: 'r1' },
  toggleFavorite: { type: 'toggleFavorite', row: '3' },
  closeModels: { type: 'closeModels' },
  showModels: { type: 'showModels' },
  addService: { type: 'addService' },
  copyText: { type: 'copyText', text: 'x' },
  copyMessage: { type: 'copyMessage', messageId: 'r1' },
  insertCode: { type: 'insertCode', text: 'x' },
  compareCode: { type: 'compareCode', text: 'x' },
  openCode: { type: 'openCode', text: 'x', language: 'ts' },
  openLink: { type: 'openLink', href: 'https://example.com' },
  runSuggestion: { type: 'runSuggestion', id: 'explainFile' },
  endNote: { type: 'endNote', id: 'c4', button: 'Test Connection' },
  runAction: { type: 'runAction', action: 'retry', replyId: 'r1', service: 'two' },
};

describe('A message from a page', () => {
  for (const message of Object.values(examples)) {
    it(`is accepted: ${message.type}`, () => assert.deepEqual(v.parse(chatMessageSchema, message), message));
  }

  it("is refused with an action that isn't in the protocol, for example a command", () => {
    assert.equal(v.is(chatMessageSchema, { type: 'runAction', action: 'workbench.action.terminal.new' }), false);
  });

  it('is refused with parameters outside the limits', () => {
    for (const options of [{ topP: 2 }, { maxTokens: 0 }, { temperature: -1 }, { stream: 'yes' }, { model: '' }]) {
      assert.equal(v.is(chatMessageSchema, { type: 'optionsChanged', conversationId: uuid, options }), false);
    }
  });

  it('is accepted without unknown fields', () => {
    const message = { type: 'stop', command: 'x', url: 'https://example.com' };
    assert.deepEqual(v.parse(chatMessageSchema, message), { type: 'stop' });
  });

  it('never throws for any input', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        v.safeParse(chatMessageSchema, value);
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(examples)), fc.object(), (type, rest) => {
        v.safeParse(chatMessageSchema, { ...rest, type });
      }),
      { numRuns: 1000 },
    );
  });
});
