import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { countTokens, tokensOf } from '../../service/tokenizer.ts';

const anyText = fc.string({ unit: 'binary' });

describe('The tokenizer', () => {
  it('returns pieces that join to the text', () => {
    fc.assert(fc.property(anyText, (text) => [...tokensOf(text)].join('') === text));
  });

  it('keeps the tokens of a text that is cut after one of them', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), (text, at) => {
        const tokens = [...tokensOf(text)];
        const kept = tokens.slice(0, tokens.length === 0 ? 0 : at % (tokens.length + 1));
        assert.deepEqual([...tokensOf(kept.join(''))], kept);
      }),
    );
  });

  it('includes the space before a word, and takes other characters one by one', () => {
    assert.deepEqual(
      [...tokensOf('Say: "hello world" — 42 🏁\n\n  ok')],
      ['Say', ':', ' "', 'hello', ' world', '"', ' —', ' 42', ' 🏁', '\n\n  ', 'ok'],
    );
  });

  it('cuts long words and long white space', () => {
    assert.equal(countTokens('a'.repeat(25)), 3);
    assert.equal(countTokens('\n'.repeat(33)), 3);
  });
});
