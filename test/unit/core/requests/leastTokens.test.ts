import assert from 'node:assert/strict';
import { isPartlyRead, leastTokens } from '../../../../src/core/requests/leastTokens.ts';
import { samples } from './countedTexts.ts';

describe('The least number of tokens of a text', () => {
  for (const { name, text, fewest } of samples) {
    it(`is below what any tokenizer counts: ${name}`, () => {
      assert.ok(leastTokens(text) <= fewest, `${leastTokens(text)} of ${fewest}`);
    });
  }

  it('is two thirds of it for prose, and half for code, so that a request that was cut to half is noticed', () => {
    const shareOf = (name: string): number => {
      const sample = samples.find((each) => each.name === name);
      return leastTokens(sample?.text ?? '') / (sample?.fewest ?? 1);
    };
    assert.ok(shareOf('prose') > 0.67, `${shareOf('prose')}`);
    assert.ok(shareOf('TypeScript') > 0.5, `${shareOf('TypeScript')}`);
    assert.ok(shareOf('Chinese') > 0.6, `${shareOf('Chinese')}`);
  });

  it('counts words with the sign before them, numbers, and signs', () => {
    const counts: readonly (readonly [string, number])[] = [
      ['', 0],
      ['   \n', 0],
      ['Hello, world!', 4],
      ["don't can’t", 2],
      ['foo.bar(baz)', 4],
      ['a->b', 3],
      ['12345', 2],
      ['東京都に', 4 / 2.5],
      ['ภาษาไทย', 7 / 4],
    ];
    for (const [text, pieces] of counts) assert.equal(leastTokens(text), pieces / 1.25, text);
  });

  it('shows that text was dropped only if the service counted clearly fewer, and counts at all', () => {
    assert.equal(isPartlyRead(1000, 1201), true);
    assert.equal(isPartlyRead(1000, 1200), false);
    assert.equal(isPartlyRead(255, 10_000), false);
    assert.equal(isPartlyRead(0, 10_000), false);
  });
});
