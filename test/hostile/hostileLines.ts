/** As long as a line may be that is colored at all. */
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

/** Lines that make patterns with nested repetition try every way to cut them. */
export const hostileLines: readonly string[] = repeated.flatMap((piece) => {
  const line = piece.repeat(Math.floor(length / piece.length));
  return [line, `a${line.slice(2)}!`];
});
