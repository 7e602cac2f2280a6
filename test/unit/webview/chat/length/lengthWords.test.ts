import assert from 'node:assert/strict';
import { isFullAlone, isNearlyFull, overflowWords } from '../../../../../src/webview/chat/length/lengthWords.ts';

describe('The length of the next message', () => {
  const view = { contextWindow: 16_000, conversationTokens: 1000 };

  it('is nearly full from nine tenths of what the longest reply leaves', () => {
    const nearly = (tokens: number, maxTokens?: number) =>
      isNearlyFull(tokens, { ...view, ...(maxTokens !== undefined && { maxTokens }) });
    assert.deepEqual([nearly(14_399), nearly(14_400)], [false, true]);
    assert.deepEqual([nearly(7199, 8000), nearly(7200, 8000), nearly(10_000, 8000)], [false, true, true]);
    assert.equal(isNearlyFull(16_000, { ...view, conversationTokens: 0 }), false);
    assert.equal(isNearlyFull(16_000, { conversationTokens: 1000, maxTokens: 8000 }), false);
    assert.deepEqual([isFullAlone(10_000, view), isFullAlone(14_400, view)], [false, true]);
  });

  it('is only about the message if no reply of that length could fit', () => {
    assert.equal(isNearlyFull(1000, { ...view, maxTokens: 16_000 }), false);
    assert.equal(isNearlyFull(14_400, { ...view, maxTokens: 16_000 }), true);
  });

  it('is mentioned if the message or its longest reply might not fit', () => {
    assert.equal(overflowWords(10_000, { contextWindow: 16_000 }), undefined);
    assert.equal(overflowWords(8000, { contextWindow: 16_000, maxTokens: 8000 }), undefined);
    assert.equal(overflowWords(0, { contextWindow: 16_000, maxTokens: 20_000 }), undefined);
    assert.equal(overflowWords(10_000, { maxTokens: 8000 }), undefined);
    assert.equal(
      overflowWords(10_000, { contextWindow: 16_000, maxTokens: 8000 }),
      "≈ 10,000 tokens and a reply of up to 8,000 tokens, more than this model's context window of 16,000 tokens",
    );
    assert.equal(
      overflowWords(17_000, { contextWindow: 16_000, maxTokens: 8000 }),
      "≈ 17,000 tokens, more than this model's context window of 16,000 tokens",
    );
  });
});
