import assert from 'node:assert/strict';
import { hiddenCharacters } from '../../../src/core/hiddenCharacters.ts';

const hostile: readonly (readonly [string, string])[] = [
  ['a right-to-left override', 'if (admin\u202E) {'],
  ['a left-to-right embedding', 'a\u202Ab'],
  ['an isolate', 'a\u2067b\u2069'],
  ['a zero-width space', 'user\u200Bname'],
  ['a zero-width joiner between Latin letters', 'user\u200Dname'],
  ['a word joiner', 'a\u2060b'],
  ['a soft hyphen', 'pass\u00ADword'],
  ['a Hangul filler used as a name', 'const \u3164 = 1'],
  ['tag characters', 'hello\u{E0041}\u{E0042}'],
  ['a byte order mark inside', 'a\uFEFFb'],
  ['a terminal escape', 'echo \u001B[31m'],
  ['a backspace', 'rm\u0008'],
  ['a C1 control', 'a\u009Bb'],
  ['a line end that only some languages know, in a comment', '// harmless\u2028evil()'],
  ['a paragraph separator', '// harmless\u2029evil()'],
  ['a deprecated format character', 'a\u206Ab'],
  ['a blank braille pattern used as a name', 'const \u2800 = 1'],
  ['a variation selector after a letter', 'a\uFE00b'],
  ['a message in variation selectors', '😀\u{E0150}\u{E0151}'],
  ['an interlinear annotation', 'a\uFFF9b\uFFFB'],
];

const honest: readonly (readonly [string, string])[] = [
  ['plain code', 'const a = 1;\n\tif (b) {\r\n}\n'],
  ['Hebrew', '// שלום עולם\u200F'],
  ['Arabic', 'print("مرحبا")'],
  ['Persian with its joiner', '# می\u200Cخواهم'],
  ['Hindi with its joiner', '# क्\u200Dष'],
  ['an emoji family', '// 👨\u200D👩\u200D👧 done'],
  ['a heart and a flag', '❤\uFE0F \u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'],
  ['an emoji with a skin tone', '👩🏽\u200D💻'],
  ['a byte order mark at the start', '\uFEFFusing System;'],
  ['Chinese', '// 你好，世界'],
  ['a Han letter in the form of a name', '葛\u{E0100}城'],
  ['a heart as text and a heart as emoji', '❤\uFE0E ❤\uFE0F'],
];

describe('Hidden characters', () => {
  for (const [what, text] of hostile) {
    it(`are found in ${what}`, () => assert.ok(hiddenCharacters(text).length > 0));
  }
  for (const [what, text] of honest) {
    it(`are not seen in ${what}`, () => assert.deepEqual(hiddenCharacters(text), []));
  }
  it('are named with their line', () => {
    assert.deepEqual(hiddenCharacters('a\nb\u200Bc\nd\u202E'), [
      { codePoint: 0x200b, line: 2 },
      { codePoint: 0x202e, line: 3 },
    ]);
  });
});
