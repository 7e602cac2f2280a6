import assert from 'node:assert/strict';
import { Conversation } from '../../../src/core/conversation.ts';
import { conversationMarkdown } from '../../../src/core/conversationMarkdown.ts';

describe('A conversation as Markdown', () => {
  it('names what went with a message, whatever its name holds', () => {
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
      '# Why?\n\n## You\n\n- Context: `` src/`a`.ts:1-3 `` (≈ 12 tokens)\n- Picture: `shot.png` (4 × 3)\n\nWhy?\n',
    );
  });
});
