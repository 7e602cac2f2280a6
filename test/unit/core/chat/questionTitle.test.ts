import assert from 'node:assert/strict';
import { questionTitle } from '../../../../src/core/chat/questionTitle.ts';

describe('The title of a question', () => {
  it('is its beginning, and cuts no emoji in half', () => {
    assert.equal(questionTitle(`${'a'.repeat(58)}😀 and more`), `${'a'.repeat(58)}😀…`);
    assert.equal(questionTitle('😀'.repeat(60)), '😀'.repeat(60));
    assert.equal(questionTitle('😀'.repeat(61)), `${'😀'.repeat(59)}…`);
  });

  it('asks what was asked', () => {
    assert.equal(questionTitle('What is 2**10 in Python?\n```py\n2**10\n```'), 'What is 2**10 in Python?');
  });
});
