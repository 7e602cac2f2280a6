import assert from 'node:assert/strict';
import { decodeReferences } from '../../../../src/webview/markdown/characterReferences.ts';

const NAMES = new Map([
  ['amp', '&'],
  ['copy', '©'],
]);

function decode(text: string): string {
  return decodeReferences(text, (name) => NAMES.get(name));
}

describe('decodeReferences', () => {
  it('decodes names, decimal numbers, and hexadecimal numbers', () => {
    assert.equal(decode('a &amp; b &copy; &#35; &#x1F642;'), 'a & b © # 🙂');
  });

  it('leaves unknown names and incomplete references unchanged', () => {
    assert.equal(decode('&nope; &copy &#; &#x; & &;'), '&nope; &copy &#; &#x; & &;');
  });

  it('decodes once', () => {
    assert.equal(decode('&amp;copy;'), '&copy;');
  });

  it('replaces invalid characters', () => {
    assert.equal(decode('&#0; &#xD800; &#x110000;'), '\u{FFFD} \u{FFFD} \u{FFFD}');
  });
});
