import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { isFilterEnding, isLengthEnding, isWholeEnding } from '../../../src/shared/replyEnding.ts';

describe('How a reply ended', () => {
  it('is complete only for the reasons of a finished reply, and if none was sent', () => {
    for (const reason of [undefined, 'stop', 'STOP', 'eos', 'eos_token', 'end_turn', 'stop_sequence', 'tool_calls']) {
      assert.equal(isWholeEnding(reason), true, reason);
    }
    for (const reason of ['length', 'max_tokens', 'content_filter', 'error', 'abort', 'refusal', '', 'brand_new']) {
      assert.equal(isWholeEnding(reason), false, reason);
    }
  });

  it('never counts as complete if the token limit or the content filter cut it off', () => {
    assert.ok(['length', 'max_tokens', 'MAX_TOKENS'].every((reason) => isLengthEnding(reason)));
    assert.ok(['content_filter', 'SAFETY', 'refusal'].every((reason) => isFilterEnding(reason)));
  });

  it('is judged in one file: nothing else compares a finish reason', () => {
    const comparisons = globSync('src/**/*.ts', { cwd: new URL('../../../', import.meta.url) }).filter((file) => {
      const source = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
      return /\b(finishReason|finish_reason|event\.reason)\b\)?\s*[!=]==?\s*'/.test(source);
    });
    assert.deepEqual(comparisons, []);
  });
});
