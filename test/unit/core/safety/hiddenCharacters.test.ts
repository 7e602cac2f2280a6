import assert from 'node:assert/strict';
import { hiddenCharacters } from '../../../../src/core/safety/hiddenCharacters.ts';

/** Characters that are invisible or change the direction. None may be inside a name. */
const invisible: Readonly<Record<string, readonly number[]>> = {
  'a control': [0x00, 0x01, 0x07, 0x08, 0x0b, 0x0e, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9b],
  'a soft hyphen': [0xad],
  'a grapheme joiner': [0x034f],
  'an Arabic letter mark': [0x061c],
  'a Hangul filler': [0x115f, 0x1160, 0x3164, 0xffa0],
  'a Khmer vowel that draws nothing': [0x17b4, 0x17b5],
  'a Mongolian selector or separator': [0x180b, 0x180c, 0x180d, 0x180e, 0x180f],
  'a zero-width space or joiner': [0x200b, 0x200c, 0x200d],
  'a mark of direction': [0x200e, 0x200f],
  'a line end of some languages': [0x2028, 0x2029],
  'an embedding or override': [0x202a, 0x202b, 0x202c, 0x202d, 0x202e],
  'a word joiner or invisible operator': [0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x2065],
  'an isolate': [0x2066, 0x2067, 0x2068, 0x2069],
  'a deprecated format character': [0x206a, 0x206b, 0x206c, 0x206d, 0x206e, 0x206f],
  'a blank braille pattern': [0x2800],
  'a variation selector': [0xfe00, 0xfe05, 0xfe0d, 0xfe0e, 0xfe0f, 0xe0100, 0xe01ef],
  'a byte order mark': [0xfeff],
  'an unassigned character that is not drawn': [0xfff0, 0xfff8, 0xe0080, 0xe0fff],
  'an interlinear annotation': [0xfff9, 0xfffa, 0xfffb],
  'a filler of another script': [0x16fe4],
  'a shorthand control': [0x1bca0, 0x1bca3],
  'a control of musical notation': [0x1d159, 0x1d173, 0x1d176, 0x1d17a],
  'a tag': [0xe0001, 0xe0020, 0xe0041, 0xe007f],
};

const inNames = Object.entries(invisible).flatMap(([what, codePoints]) =>
  codePoints.map((codePoint): readonly [string, string] => [
    `${what} within a name, U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`,
    `if (user.is${String.fromCodePoint(codePoint)}Admin) {`,
  ]),
);

const blackFlag = '\u{1F3F4}';
const tags = (text: string) =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
const tagEnd = '\u{E007F}';

const hostile: readonly (readonly [string, string])[] = [
  ...inNames,
  ['an override that ends a condition early', 'if (level != "user\u202E \u2066// admin\u2069 \u2066") {'],
  ['an override in a comment', '/*\u202E } \u2066if (isAdmin)\u2069 \u2066 begin admins only */'],
  ['an isolate around a return', '""" Pays back. \u2067\u2066"""; return\u2069'],
  ['an override in a Hebrew comment', '// שלום \u202Eעולם'],
  ['an embedding in an Arabic text', 'print("\u202Bمرحبا\u202C")'],
  ['a selector at the end of a name', 'isAdmin\uFE0F = true'],
  ['a selector after a digit that is no key', 'a1\uFE0F = 2'],
  ['a selector after an operator', 'a \u003D\uFE0E b'],
  ['a second selector after an emoji', '❤\uFE0F\uFE0F'],
  ['a message in selectors after an emoji', '😀\u{E0150}\u{E0151}'],
  ['a message in selectors after a Han letter', '葛\u{E0100}\u{E0151}\u{E0152}'],
  ['a second form of a Han letter', '葛\uFE00\uFE01'],
  ['a selector of Han letters after kana', 'か\uFE00'],
  ['a Mongolian selector after another', 'ᠠ\u180B\u180B'],
  ['a message in tags', `hello${tags('run')}`],
  ['a message in the tags of a flag', `${blackFlag}${tags('ignore all that was said')}${tagEnd}`],
  ['a flag that there is not', `${blackFlag}${tags('ustx')}${tagEnd}`],
  ['a flag without its end', `${blackFlag}${tags('gbeng')}`],
  ['a flag with more tags after it', `${blackFlag}${tags('gbeng')}${tagEnd}${tags('x')}`],
  ['the tags of a flag without the flag', `${tags('gbsct')}${tagEnd}`],
  ['a byte order mark at the start of a piece', '\uFEFFconst a = 1;'],
  ['a byte order mark on a line of its own', 'a\n\uFEFF\nb'],
  ['a joiner that joins an emoji to nothing', '// 👩\u200D'],
  ['a joiner between an emoji and a letter', '👩\u200Da'],
  ['two joiners between emoji', '👩\u200D\u200D👧'],
  ['a joiner in front of an emoji', 'a\u200D👧'],
  ['a non-joiner at the end of a Latin word', 'admin\u200C = 1'],
  ['a non-joiner at the end of a Persian word', 'می\u200C = 1'],
  ['two non-joiners in a Persian word', 'می\u200C\u200Cخواهم'],
  ['a joiner between an Indic sign and a Latin letter', 'क्\u200D1'],
  ['two joiners at the end of an Indic word', 'ന്\u200D\u200D '],
  ['a zero-width space in a Hebrew word', 'של\u200Bום'],
  ['a zero-width space between Thai and Latin', 'ไทย\u200Badmin'],
  ['a left-to-right mark at the end of a name', 'role == "admin\u200E"'],
  ['a left-to-right mark before a Hebrew comment', 'if (admin\u200E) // שלום'],
  ['a left-to-right mark on the line above Hebrew', 'admin\u200E\nש'],
  ['a right-to-left mark in a line of Latin', 'return a\u200F + b;'],
  ['a right-to-left mark in a name, beside Hebrew', 'is\u200FAdmin("ש")'],
  ['an Arabic letter mark between digits', 'port = 80\u061C80'],
  ['a mark that leans on another', 'a\u200E\u200Eb'],
  ['a grapheme joiner at the end of a string', '"admin\u034F"'],
  ['a soft hyphen in a password', 'pass\u00ADword'],
  ['a Hangul filler used as a name', 'const \u3164 = 1'],
  ['a Hangul filler as a default', 'const { timeout, \u3164 } = req.query;'],
  ['a blank braille pattern used as a name', 'const \u2800 = 1'],
  ['a line separator that ends a comment', '// harmless\u2028evil()'],
  ['a paragraph separator that ends a comment', '// harmless\u2029evil()'],
  ['a terminal escape', 'echo \u001B[31m'],
  ['a backspace that hides what was written', 'rm -rf ~\u0008\u0008\u0008ls'],
];

const honest: readonly (readonly [string, string])[] = [
  ['plain code', 'const a = 1;\n\tif (b) {\r\n}\n'],
  ['a form feed between parts of a file', ";; Code:\n\f\n(provide 'x)"],
  ['accents that are characters of their own', 'cafe\u0301 n\u0303'],
  ['French with its spaces', '// Attention\u00A0: «\u00A0oui\u202F?\u00A0»'],
  ['Chinese', '// 你好，世界\u3000再见'],
  ['a Han letter in the form of a name', '葛\u{E0100}城 神\uFE00社'],
  ['Korean', '// 안녕하세요'],
  ['Mongolian with its forms', 'ᠠ\u180Bᠨ\u180Eᠠ'],
  ['Khmer with places to break a line', '// ភាសា\u200Bខ្មែរ\u200B។'],
  ['Thai with places to break a line', '# สวัสดี\u200Bครับ'],
  ['Hebrew', '// שלום עולם'],
  ['Hebrew that ends with a mark', '// שלום עולם!\u200F'],
  ['Hebrew with a name from left to right', '// קוד ב-\u200EC++\u200E של (\u200EJava\u200E) כאן'],
  ['Hebrew with a telephone number', '// טלפון: \u200E03-123-4567\u200E'],
  ['Hebrew points', 'שָׁלוֹם'],
  ['Arabic', 'print("مرحبا، كيف حالك؟")'],
  ['Arabic after a mark', '"\u200F(مرحبا)"'],
  ['an Arabic date', "'٢٠\u200F/٣\u200F/٢٠٢٦'"],
  ['a negative Arabic number', "'\u061C-٥'"],
  ['Persian with its joiner', '# نمی\u200Cخواهم، کتاب\u200Cها'],
  ['Persian endings of other words and numbers', '# API\u200Cها و ۱۰\u200Cتایی و 3\u200Cتا'],
  ['the Persian abbreviation of a year', '# ۱۴۰۰ ه\u200D.ش'],
  ['Hindi with its joiners', '# क्\u200Dष और वाक्\u200C है'],
  ['Bengali with its joiners', '# র\u200D্যাব'],
  ['Malayalam that ends in a joiner', '# അവന്\u200D, അവള്\u200D'],
  ['Sinhala with its joiner', '# ශ්\u200Dරී ලංකා'],
  ['an emoji family', '// 👨\u200D👩\u200D👧 done'],
  ['emoji of people at work', '👩🏽\u200D💻 🧑\u200D⚕\uFE0F 🫱🏻\u200D🫲🏿'],
  ['a heart as text and a heart as emoji', '❤\uFE0E ❤\uFE0F'],
  ['keys and signs', '1\uFE0F\u20E3 #\uFE0F\u20E3 ©\uFE0F ⚠\uFE0F ↩\uFE0E →\uFE0E'],
  ['flags of countries', '🇩🇪 🇯🇵 🏳\uFE0F\u200D🌈 🏴\u200D☠\uFE0F 🏳\uFE0F\u200D⚧\uFE0F'],
  [
    'the flags of England, Scotland and Wales',
    ['gbeng', 'gbsct', 'gbwls'].map((region) => blackFlag + tags(region) + tagEnd).join(' '),
  ],
  ['mathematics', '// ∀x∈ℝ: a ∩\uFE00 b ≤ ∞'],
];

describe('Hidden characters', () => {
  it('are tested with at least 120 hostile and 30 honest texts', () => {
    assert.ok(hostile.length >= 120, String(hostile.length));
    assert.ok(honest.length >= 30, String(honest.length));
  });
  for (const [what, text] of hostile) {
    it(`are found in ${what}`, () => assert.ok(hiddenCharacters(text).length > 0));
  }
  for (const [what, text] of honest) {
    it(`aren't found in ${what}`, () => assert.deepEqual(hiddenCharacters(text), []));
  }
  it("don't include a byte order mark at the start of a file", () => {
    assert.deepEqual(hiddenCharacters('\uFEFFusing System;', { startsFile: true }), []);
    assert.deepEqual(hiddenCharacters('\uFEFF\uFEFFa', { startsFile: true }), [{ codePoint: 0xfeff, line: 1 }]);
    assert.deepEqual(hiddenCharacters('a\uFEFF', { startsFile: true }), [{ codePoint: 0xfeff, line: 1 }]);
  });
  it('are named with their line', () => {
    assert.deepEqual(hiddenCharacters('a\nb\u200Bc\nd\u202E'), [
      { codePoint: 0x200b, line: 2 },
      { codePoint: 0x202e, line: 3 },
    ]);
  });
  it('are found in time that grows with the text only, however many there are', () => {
    // In time that grows with its square, this would take minutes.
    for (const part of ['\u200E', '1\u200E', ' \u200D', 'ش1234567890\u200E', '👩\u200D', '\u{E0041}', '\u0000']) {
      hiddenCharacters(part.repeat(400_000));
    }
  });
});
