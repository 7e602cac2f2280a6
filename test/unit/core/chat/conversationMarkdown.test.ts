import assert from 'node:assert/strict';
import { Conversation } from '../../../../src/core/chat/conversation.ts';
import { conversationMarkdown } from '../../../../src/core/chat/conversationMarkdown.ts';
import { modelRef } from '../../../../src/shared/modelRef.ts';
import { useServiceNames } from '../../../../src/words/modelLabel.ts';

describe('A conversation as Markdown', () => {
  it('names the attachments of a message, with any characters in their names', () => {
    const conversation = new Conversation('c1');
    const facts = { id: crypto.randomUUID(), tokens: 12, at: 1 };
    conversation.apply({
      type: 'asked',
      id: 'u1',
      text: 'Why?',
      attachments: [
        { kind: 'selection', name: 'a.ts:1-3', detail: 'src/`a`.ts:1-3', ...facts },
        {
          kind: 'picture',
          name: 'shot.png',
          detail: 'shot.png',
          mediaType: 'image/png',
          width: 4,
          height: 3,
          bytes: 9,
          ...facts,
        },
      ],
      writer: 'w1',
      at: 1,
    });
    assert.equal(
      conversationMarkdown(conversation),
      '# Why?\n\n## You\n\n- Context: `` src/`a`.ts:1-3 `` (≈ 12 tokens)\n- Image: `shot.png` (4 × 3)\n\nWhy?\n',
    );
  });

  it("names the service of each reply if there are several, or if it was removed, and none if there's one", () => {
    const conversation = new Conversation('c1');
    conversation.apply({ type: 'asked', id: 'u1', text: 'Why?', writer: 'w1', at: 1 });
    const models = ['maker/model', modelRef('two', 'maker/model'), modelRef('gone', 'maker/model')];
    for (const [at, model] of models.entries()) {
      const id = `a${at}`;
      conversation.apply({ type: 'asked', id: `q${at}`, text: 'And?', writer: 'w1', at: 1 });
      conversation.apply({ type: 'replyStarted', id, model, pid: 1, writer: 'w1', at: 1 });
    }
    const headings = () =>
      [...conversationMarkdown(conversation).matchAll(/^## (maker.*)$/gm)].map(([, heading]) => heading);
    try {
      useServiceNames({ service: 'Hosted', two: 'My machine' }, { gone: 'Old one' });
      assert.deepEqual(headings(), ['maker/model (Hosted)', 'maker/model (My machine)', 'maker/model (Old one)']);
      useServiceNames({ service: 'Hosted' }, { two: 'My machine' });
      assert.deepEqual(headings(), ['maker/model', 'maker/model (My machine)', 'maker/model (gone)']);
    } finally {
      useServiceNames({});
    }
  });

  it('marks the figures of a reply that were measured or estimated', () => {
    const conversation = new Conversation('c1');
    conversation.apply({ type: 'asked', id: 'u1', text: 'Why?', writer: 'w1', at: 1 });
    conversation.apply({ type: 'replyStarted', id: 'a1', model: 'local/plain', pid: 1, writer: 'w1', at: 1 });
    conversation.apply({ type: 'replyGrew', id: 'a1', part: 'text', offset: 0, text: 'Because.', writer: 'w1', at: 2 });
    conversation.apply({
      type: 'replyEnded',
      writer: 'w1',
      id: 'a1',
      outcome: 'done',
      finishReason: 'stop',
      metrics: {
        timeToFirstTokenSeconds: { value: 0.31, from: 'here' },
        tokensPerSecond: { value: 84.2, from: 'estimate' },
        promptTokens: { value: 412, from: 'service' },
        completionTokens: { value: 261, from: 'estimate' },
      },
      at: 3,
    });
    const figures = '≈ 84 tok/s · 0.31 s° first token · 412 → ≈ 261 tokens';
    assert.equal(conversationMarkdown(conversation).split('\n').at(-2), `*${figures}*`);
  });
});
