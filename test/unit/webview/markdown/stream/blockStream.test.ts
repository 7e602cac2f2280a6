import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Lexer } from 'marked';
import { gfmExamples, specExamples } from '../specExamples.ts';
import { drawStreamed, drawWhole, TreeDrawer } from '../treeSink.ts';

const EXAMPLES = specExamples();

/** Fragments of Markdown, in any order: everything that decides between two readings. */
const MARKS = [
  'a',
  'b c',
  '\n',
  '\n',
  '\n',
  '\n\n',
  '- ',
  '* ',
  '1. ',
  '2) ',
  '> ',
  '# ',
  '```',
  '~~~',
  '\n```\n',
  '    ',
  '  ',
  '\t',
  '---',
  '===',
  '-',
  '|',
  '| a | b |\n|---|:-:|\n',
  '|-|',
  '[foo]',
  '[foo]: /url',
  '"title"',
  '"',
  "'",
  '(',
  ')',
  '](',
  '![',
  '*',
  '**',
  '_',
  '~~',
  '`',
  '``',
  '<div>',
  '</div>',
  '<!--',
  '-->',
  '<a ',
  'http://x.y',
  '&amp;',
  '\\',
  '[x] ',
  '[ ] ',
  ':-:',
  '--|--',
  '<script>',
  '</script>',
  '\u00A0',
  '🙂',
  '$',
  '$$',
  '$$\n',
  '\\(',
  '\\)',
  '\\[',
  '\\]',
  '$x$',
];

function inPieces(text: string, chars: number): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${chars}}`, 'g')) ?? [];
}

/** Cuts `text` at the places given by `cuts`, fractions of its length. */
function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => Math.floor(cut * text.length)), text.length].toSorted((a, b) => a - b);
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

function assertSame(pieces: readonly string[]): void {
  const text = pieces.join('');
  assert.deepEqual(drawStreamed(pieces), drawWhole(text), JSON.stringify(pieces));
}

describe('A stream of Markdown', () => {
  it('reads a definition whose title continues past its paragraph as one without a title', () => {
    const text = '[foo]: /u\n"\n# ===\n"';
    assert.deepEqual(drawStreamed(text.split('')), drawWhole(text));
    assert.equal(JSON.stringify(drawWhole(text)).includes('[foo]'), false);
  });

  it('has all the examples of CommonMark to test', () => {
    assert.equal(EXAMPLES.length, 652);
  });

  it('lexes the examples of CommonMark and GFM as marked does', () => {
    for (const example of [...EXAMPLES, ...gfmExamples]) {
      assert.deepEqual(drawWhole(example), new TreeDrawer().blocks(new Lexer({ gfm: true }).lex(example)), example);
    }
  });

  it("draws each example like the whole text, however it's cut", () => {
    for (const example of [...EXAMPLES, ...gfmExamples]) {
      for (const chars of [1, 3, 10, 1000]) assertSame(inPieces(example, chars));
    }
  });

  it('supports the tables, task lists, and strikethrough of GFM', () => {
    const drawn = JSON.stringify(gfmExamples.map((example) => drawStreamed(inPieces(example, 3))));
    for (const kind of ['"table":', '"task":true', '"del"']) assert.ok(drawn.includes(kind), `${kind} in ${drawn}`);
  });

  it('draws documents combined from examples like the whole text', () => {
    const document = fc.array(fc.tuple(fc.constantFrom(...EXAMPLES, ...gfmExamples), fc.constantFrom('', '\n')), {
      maxLength: 6,
    });
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 });
    fc.assert(
      fc.property(document, cuts, (parts, places) => assertSame(cutAt(parts.flat().join(''), places))),
      { numRuns: 1000 },
    );
  });

  it('draws any mixture of syntax like the whole text', () => {
    const mark = fc.constantFrom(...MARKS);
    const text = fc.array(mark, { maxLength: 30 }).map((marks) => marks.join(''));
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });
    fc.assert(
      fc.property(text, cuts, (markdown, places) => {
        assertSame(cutAt(markdown, places));
        assertSame(inPieces(markdown, 1));
      }),
      { numRuns: 1500 },
    );
  });

  const decidedLate = [
    '[foo]: /url\n"title\nmore"\n\n[foo]\n',
    '[foo]: /url\n"title\n===\nmore"\n\n[foo]\n',
    '[foo\n===\n]: /url\n\n[foo ===]\n',
    '[foo\nbar\n]: /url\n\n[foo bar]\n',
    'a\nh\n:-:\n===\n',
    'a\n-\tb\n===\n',
    '[foo]: /url "a\n\nb"\n\n[foo]\n',
    '[foo\n# bar\n]: /url\n',
    'a\n| b |\n|-x\n',
    '- a\n\n  b\n- c\n- d\n',
    'see <a href="x">\n\nhttp://a.example\n\nhttp://b.example\n',
    '| a |\n|---|\n\t\nx\n',
    '1. a\u00A0\na\n',
    '2) a\t\u00A0\na\n',
    '$$\nx\n- y\n+ z\n$$\nend\n',
    'so\n$$\nx\n===\ny\n$$\n',
    'so\n\\[\nx\n# y\n\\]\nend\n',
    '$$\nx\n- y\n\n$$\n',
    '$$ | b\n---|---\n1 | 2\n3 | 4\n$$\n',
    '1. so\n   $$\n   x\n   - y\n   $$\n2. b\n',
    '> $$\n> x\n> - y\n> $$\n> end\n',
    '$$x$$ is\n$$\n$$\ny\n$$\n',
  ];
  for (const text of decidedLate) {
    it(`waits if a later line decides: ${JSON.stringify(text)}`, () => {
      for (const chars of [1, 2, 5]) assertSame(inPieces(text, chars));
      assertSame(text.match(/.*\n/g) ?? []);
    });
  }

  it('draws long lists, tables, and code like the whole text', () => {
    const items = Array.from(
      { length: 150 },
      (_, index) => `${index + 1}. item **${index}**\n   - [ ] part [a]\n`,
    ).join('');
    const rows = Array.from({ length: 150 }, (_, index) => `| ${index} | [a] | x |\n`).join('');
    const code = Array.from({ length: 300 }, (_, index) => `  line ${index}\n`).join('');
    const text = `${items}\n\n| a | b |\n|---|---|\n${rows}\n~~~js\n${code}~~~\n${items}\n    ${code}\n\n[a]: /late\n`;
    for (const chars of [31, 100, 3000, 1_000_000]) assertSame(inPieces(text, chars));
  });

  it('makes a list loose if its first blank line arrives late', () => {
    const text = `${'- a\n'.repeat(40)}\n${'- b\n'.repeat(40)}`;
    assertSame(inPieces(text, 5));
    assert.match(JSON.stringify(drawStreamed(inPieces(text, 5))), /^\[\{"list":false,"start":"","loose":true/);
  });

  it("adds links to committed text when they're defined after it", () => {
    const pieces = [
      'see [the Manual] and [x][]\n\n',
      '- [The  manual]\n\n# next\n\n',
      '[the manual]: https://a.example\n',
      '\nend [x]\n',
    ];
    assert.match(JSON.stringify(drawStreamed(pieces)[0]), /"link","https:\/\/a.example"/);
    assertSame(pieces);
  });

  it('shows a block that is far too long as plain text, and what follows it as Markdown', () => {
    const long = '**word** '.repeat(5000);
    const drawn = drawStreamed(inPieces(`# before\n\n${long}\n\n# after\n`, 900));
    assert.deepEqual(drawn[1], { text: long });
    assert.match(JSON.stringify(drawn[2]), /after/);
    assert.equal(drawn.length, 3);
  });
});
