import assert from 'node:assert/strict';
import { plainWords } from '../../../../src/core/safety/plainWords.ts';

describe('The plain text of Markdown', () => {
  const cases: readonly (readonly [name: string, markdown: string, words: string])[] = [
    ['a heading', '## How to begin', 'How to begin'],
    ['bold, code and struck words', 'Use **`sort`**, ~~not~~ `order`', 'Use sort, not order'],
    ['emphasis', 'It is *really* _so_.', 'It is really so.'],
    ['a link and a picture', 'See [the page](https://example.org) ![a cat](x.png)', 'See the page a cat'],
    ['a link that is cut off', 'See [the page](https://exam', 'See the page'],
    ['a quote', '> To be or not', 'To be or not'],
    ['a list', '- one and more', 'one and more'],
    ['a link to a page with parentheses', 'See [it](https://example.org/a_(b)), now', 'See it, now'],
    ['bold and emphasis at once', 'Is it ***really*** so?', 'Is it really so?'],
    ['bold Chinese', '请看**粗体**文字', '请看粗体文字'],
    ['code in which there is markup', 'What does `**kwargs` or ``a ` b`` do?', 'What does **kwargs or a ` b do?'],
    ['headings of several lines', '# One\n\n## Two', 'One Two'],
    ['bold words before one that never ends', '**a** and **b', 'a and **b'],
    ['bold words after a marker that never ends', '***a ~~b **c** d', '***a ~~b c d'],
    ['code after more backticks than end it', 'a ```b` c', 'a ``b c'],
    ['two links, of which the first has no address', '[`a`](b c) and [d](e.html)', '[a](b c) and d'],
    ['a link that is cut off after one that is not', 'See [a](b.html) [c](https://exam[', 'See a c'],
    ['a fence with its language', '```ts const a = 1', 'const a = 1'],
  ];
  for (const [name, markdown, words] of cases) {
    it(`is what is left of ${name}`, () => assert.equal(plainWords(markdown), words));
  }

  it('keeps markers that never end, however many there are', () => {
    for (const markers of ['**a ', '~~a ', '[a](b ', '![a ', '**a ~~b ![c '].map((one) => one.repeat(50))) {
      assert.equal(plainWords(`${markers}end`), `${markers}end`);
    }
  });

  it('keeps names and sums unchanged', () => {
    for (const text of [
      'my_long_name',
      '2 * 3 * 4 = 24',
      'a < b > c',
      'C# and F#',
      '5 - 3',
      'snake_case and __init__',
      'What is 2**10 in Python, and 3 ** 4?',
      'What does **kwargs mean?',
      'def f(*args, **kwargs)',
      'What does foo[bar](baz) call?',
      'int main[](int a, int b)',
      'src/**/*.ts and **/test/**',
      'Why *.ts and not *.js?',
      'What does # mean in CSS?',
      'What is a ` in JavaScript?',
      'What does a ~~ b mean? And ~~c?',
    ]) {
      assert.equal(plainWords(text), text);
    }
  });
});
