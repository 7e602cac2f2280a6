import assert from 'node:assert/strict';
import { decodeChoice } from '../../../../src/api/wire/decodeChoice.ts';

describe('The choice of a reply', () => {
  it('is the one with the lowest index, however many there are', () => {
    const choices = Array.from({ length: 300_000 }, (_, at) => ({
      index: 300_000 - at,
      message: { content: String(at) },
    }));
    assert.equal(decodeChoice({ choices })?.text, '299999');
  });

  it('is missing where there are none', () => {
    assert.equal(decodeChoice({ choices: [] }), undefined);
  });
});
