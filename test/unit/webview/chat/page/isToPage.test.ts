import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isToPage } from '../../../../../src/webview/chat/page/isToPage.ts';

const reply = {
  role: 'assistant',
  id: 'r1',
  at: 2,
  model: 'local/echo',
  text: '',
  reasoning: '',
  state: 'done',
  metrics: { totalSeconds: { value: 1, from: 'here' } },
};
const problem = {
  severity: 'error',
  title: 'No key',
  detail: '',
  actions: [{ kind: 'setApiKey', label: 'Set' }],
  technical: '',
};
const facts = { id: 'a1', name: 'A', detail: 'a', tokens: 1, at: 1 };
const picture = { kind: 'picture', mediaType: 'image/png', width: 1, height: 1, bytes: 1, ...facts };
const context = { kind: 'file', ...facts };
const snapshot = {
  conversationId: 'c1',
  title: '',
  messages: [{ role: 'user', id: 'u1', at: 1, text: '', attachments: [picture, context] }, reply],
  hasOlder: false,
  options: { topP: 0.5 },
  defaults: {},
  draft: '',
  connection: { state: 'ready', host: '' },
  suggestions: [{ id: 's', label: 'S' }],
  attachments: { items: [picture, context], conversationTokens: 0, maxPictureEdge: 0, folder: '' },
};

const wellFormed: readonly object[] = [
  { type: 'snapshot', seq: 1, snapshot },
  { type: 'olderMessages', seq: 1, messages: [reply], hasOlder: true },
  { type: 'messageAdded', seq: 1, message: { ...reply, problem, retry: { attempt: 2, at: 3, reason: 'Busy' } } },
  { type: 'replyGrew', seq: 1, replyId: 'r1', part: 'reasoning', offset: 0, text: 'x' },
  { type: 'replyChanged', seq: 1, replyId: 'r1', change: { state: 'stopped', metrics: {} } },
  { type: 'messagesRemoved', seq: 1, ids: ['a'], canRestore: true },
  { type: 'titleChanged', seq: 1, title: '' },
  { type: 'optionsChanged', seq: 1, options: {}, defaults: {} },
  { type: 'connectionChanged', seq: 1, connection: { state: 'needsModel', host: 'h' } },
  { type: 'draftAdded', seq: 1, text: '' },
  { type: 'draftSaved', seq: 1, conversationId: 'c1', version: 1 },
  {
    type: 'attachmentsChanged',
    seq: 1,
    attachments: { ...snapshot.attachments, contextWindow: 8, seesPictures: true },
  },
  { type: 'notAdded', seq: 1, id: 'a1', problem },
  { type: 'notAdded', seq: 1, id: 'a1' },
  { type: 'pictureRead', seq: 1, id: 'a1', name: 'a.png', mediaType: 'image/png', bytes: new Uint8Array(1) },
  { type: 'completions', seq: 1, request: 1, items: [{ id: '1.0', kind: 'file', label: 'a', detail: 'b' }] },
  { type: 'composerFocused', seq: 1 },
  { type: 'copied', seq: 1 },
  { type: 'parametersOpened', seq: 1 },
  { type: 'askRefused', seq: 1, text: '', problem },
  { type: 'unsavedChanged', seq: 1 },
  { type: 'unsavedChanged', seq: 1, unsaved: problem },
];

const illFormed: readonly unknown[] = [
  undefined,
  null,
  'snapshot',
  [],
  {},
  { type: 'composerFocused' },
  { type: 'composerFocused', seq: Number.NaN },
  { type: 'toString', seq: 1 },
  { type: '__proto__', seq: 1 },
  { type: 'snapshot', seq: 1 },
  { type: 'snapshot', seq: 1, snapshot: { ...snapshot, messages: [{ ...reply, state: 'asleep' }] } },
  { type: 'snapshot', seq: 1, snapshot: { ...snapshot, options: { temperature: 'hot' } } },
  { type: 'messageAdded', seq: 1, message: { ...reply, role: 'system' } },
  { type: 'messageAdded', seq: 1, message: { ...reply, metrics: { totalSeconds: 3 } } },
  { type: 'replyGrew', seq: 1, replyId: 'r1', part: 'html', offset: 0, text: 'x' },
  { type: 'replyGrew', seq: 1, replyId: 'r1', part: 'text', offset: 0, text: 5 },
  { type: 'askRefused', seq: 1, text: '', problem: { ...problem, actions: [{ kind: 'rm', label: 'Set' }] } },
];

describe('isToPage', () => {
  for (const message of wellFormed) {
    it(`accepts ${JSON.stringify(message).slice(0, 60)}`, () => assert.equal(isToPage(message), true));
  }

  for (const message of illFormed) {
    it(`refuses ${JSON.stringify({ message }).slice(11, 100)}`, () => assert.equal(isToPage(message), false));
  }

  it('answers, and never throws, for anything at all', () => {
    fc.assert(fc.property(fc.anything({ withNullPrototype: true }), (value) => typeof isToPage(value) === 'boolean'));
  });
});
