/** The longest line that is still colored. */
const length = 1999;

const repeated = [
  ...Array.from('<>()[]{}"\'`\\/*-_=+|&^%$#@!~:;,.? \ta0'),
  ...[
    '<a ',
    'a.',
    'a=',
    'a,',
    '((',
    '"\\',
    '${',
    '{{',
    '<!--',
    '/*',
    'a(',
    'a<',
    'a::',
    '0.',
    '[a](',
    '*a*',
    '$((',
    '@a ',
  ],
  ...[
    'a b ',
    '\\"',
    "'a",
    '"a',
    '<<',
    '<<A',
    'a:',
    ': ',
    '- ',
    '&a;',
    '%{',
    '#{',
    'a-',
    '->',
    '=>',
    '(a',
    'aA0_',
    '😀',
  ],
];

/** Lines for which patterns with nested repetition try every possible split. */
export const hostileLines: readonly string[] = repeated.flatMap((piece) => {
  const line = piece.repeat(Math.floor(length / piece.length));
  return [line, `a${line.slice(2)}!`];
});
