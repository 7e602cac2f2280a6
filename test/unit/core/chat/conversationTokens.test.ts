import assert from 'node:assert/strict';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import {
  conversationTokens,
  tokensFrom,
  tokensSentFor,
  tokensThatDidNotFit,
} from '../../../../src/core/chat/conversationTokens.ts';
import { countedConversation } from './countedConversation.ts';

const hundred = { question: 100, reply: 100 };

describe('The tokens of a conversation', () => {
  it('are estimated from the texts, the attachments, and the system prompt', () => {
    const conversation = new Conversation('c1');
    const file = { kind: 'file', id: 'a1', name: 'a', detail: 'a', tokens: 100, at: 1 } as const;
    const text = 'x'.repeat(40);
    conversation.apply({ type: 'asked', id: 'u1', text, attachments: [file], writer: 'w', at: 1 });
    assert.equal(conversationTokens(conversation, 'x'.repeat(8)), 10 + 100 + 2);
  });

  it("come from the service's count if there's one, with estimates for later messages", () => {
    const { conversation, record, say } = countedConversation();
    say({ ...hundred, counted: [500, 30] });
    assert.equal(conversationTokens(conversation, 'a system prompt that was counted'), 530);
    record({ type: 'asked', id: 'u2', text: 'x'.repeat(400) });
    assert.equal(conversationTokens(conversation), 530 + 100);
    // Nothing that was counted is sent.
    record({ type: 'sentFrom', id: 'u2' });
    assert.equal(conversationTokens(conversation, 'x'.repeat(8)), 100 + 2);
  });

  it('are estimated again where the service dropped some of a request, and counted the rest', () => {
    const { conversation, say } = countedConversation();
    say({ question: 1000, reply: 100, counted: [900, 90] });
    say({ question: 4000, reply: 100, counted: [2050, 100], sentAtLeast: 4500 });
    assert.equal(conversationTokens(conversation), 900 + 90 + 4000 + 100);
  });

  it('that were sent for a reply, or of them did not fit, are known', () => {
    const { conversation, record, say } = countedConversation();
    say({ question: 1000, reply: 100, counted: [900, 90] });
    say({ question: 4000, reply: 100, counted: [2050, 100], sentAtLeast: 4500 });
    record({ type: 'asked', id: 'u3', text: 'x'.repeat(400) });
    record({ type: 'replyStarted', id: 'r3', model: 'm', pid: 1 });
    const [, , , cut, , refused] = conversation.messages();
    assert.ok(cut?.role === 'assistant' && refused?.role === 'assistant');
    assert.equal(tokensSentFor(cut, conversation), 990 + 4000);
    assert.equal(tokensThatDidNotFit(cut, conversation), 4100);
    assert.equal(tokensThatDidNotFit(refused, conversation), 990 + 4100 + 100);
  });

  it("come from the service's count, reduced by the share that a line now leaves out", () => {
    const { conversation, record, say } = countedConversation();
    say(hundred);
    say(hundred);
    say({ ...hundred, counted: [1000, 100] });
    assert.equal(conversationTokens(conversation), 1100);
    // 300 of the 500 tokens that were sent are after the line.
    record({ type: 'sentFrom', id: 'u2' });
    assert.equal(conversationTokens(conversation), 600 + 100);
    assert.equal(tokensFrom(conversation, '')(4), 200 + 100);
  });

  it('are in proportion to what was sent when the service counted, with or without a line', () => {
    const { conversation, record, say } = countedConversation();
    say({ question: 400, reply: 100 });
    say(hundred);
    record({ type: 'sentFrom', id: 'u2' });
    say({ ...hundred, counted: [600, 100] });
    assert.equal(conversationTokens(conversation), 700);
    assert.equal(tokensFrom(conversation, '')(4), 200 + 100);
    record({ type: 'sentFrom', id: null });
    // 800 estimated tokens instead of 300.
    assert.equal(conversationTokens(conversation), 1600 + 100);
    record({ type: 'sentFrom', id: 'u3' });
    say({ ...hundred, counted: [300, 100] });
    assert.equal(conversationTokens(conversation), 400);
  });

  it('leave out what was deleted since the count, and only that', () => {
    const { conversation, record, say } = countedConversation();
    say(hundred);
    record({ type: 'removed', ids: ['r1'] });
    say(hundred);
    say({ ...hundred, counted: [800, 100] });
    assert.equal(conversationTokens(conversation), 900);
    record({ type: 'removed', ids: ['u2'] });
    assert.equal(conversationTokens(conversation), 600 + 100);
    record({ type: 'restored', ids: ['u2'] });
    assert.equal(conversationTokens(conversation), 900);
  });

  it('leave out the reasoning, which is never sent again', () => {
    const { conversation, say } = countedConversation();
    say({ ...hundred, reasoning: 300, counted: [100, 800] });
    assert.equal(conversationTokens(conversation), 100 + 200);
  });

  it('leave out reasoning that the service counts but keeps to itself', () => {
    const { conversation, say } = countedConversation();
    // A token has at least one character, and the reply has 400.
    say({ ...hundred, counted: [100, 9000] });
    assert.equal(conversationTokens(conversation), 100 + 400);
  });

  it('are the same after the line question was edited', () => {
    const { conversation, record, say } = countedConversation();
    say(hundred);
    record({ type: 'sentFrom', id: 'u2' });
    say({ ...hundred, counted: [100, 100] });
    const version = conversation.nextVersion('u2');
    record({ type: 'asked', id: 'e2', text: 'x'.repeat(400), after: 'r1', version });
    record({ type: 'replyStarted', id: 's2', model: 'm', pid: 1 });
    assert.deepEqual(
      conversation.sentWith({ id: 's2', at: Infinity }).map(({ id }) => id),
      ['e2'],
    );
    assert.equal(conversationTokens(conversation), 100);
  });
});
