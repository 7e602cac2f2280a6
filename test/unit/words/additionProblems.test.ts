import assert from 'node:assert/strict';
import { problemOfBlindModel } from '../../../src/words/additionProblems.ts';

describe('The problem of a model that accepts no images', () => {
  it('names the model on one line, however long it is, with nothing hidden in it', () => {
    const { detail } = problemOfBlindModel(`maker/one\n\u202e${'x'.repeat(200)}`);
    assert.match(detail, /^maker\/one \\u\{202e\}x+… accepts text only\. Nothing was sent\.$/);
    assert.ok(detail.length < 130, detail);
  });
});
