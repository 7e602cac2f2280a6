import assert from 'node:assert/strict';
import fc from 'fast-check';
import { knownPattern, patternSteps } from '../../../../src/core/checks/verdicts/patternSteps.ts';

/** Goes on after a match, and says whether that was one. */
type Next = (at: number) => boolean;
/** A pattern, and a matcher for it that tries everything. */
interface Made {
  readonly pattern: string;
  readonly match: (text: string, at: number, next: Next, count: () => void) => boolean;
}

class TooManyError extends Error {}

/** Of a text in which the pattern is looked for, but whatever follows it is missing. */
function countedSteps({ match }: Made, text: string, most: number): number {
  let steps = 0;
  const count = () => {
    steps += 1;
    if (steps > most) throw new TooManyError();
  };
  try {
    for (let at = 0; at <= text.length; at += 1) match(text, at, () => false, count);
  } catch (error) {
    if (!(error instanceof TooManyError)) throw error;
  }
  return steps;
}

function one(pattern: string, fits: (sign: string | undefined, at: number) => boolean, length = 1): Made {
  return {
    pattern,
    match: (text, at, next, count) => {
      count();
      return fits(text[at], at) && next(at + length);
    },
  };
}

function allOf(parts: readonly Made[]): Made {
  return {
    pattern: parts.map(({ pattern }) => pattern).join(''),
    match: (text, from, next, count) => {
      const rest = (index: number): Next => {
        const part = parts[index];
        return part === undefined ? next : (at) => part.match(text, at, rest(index + 1), count);
      };
      return rest(0)(from);
    },
  };
}

function anyOf(parts: readonly Made[], open: string): Made {
  return {
    pattern: `${open}${parts.map(({ pattern }) => pattern).join('|')})`,
    match: (text, at, next, count) => parts.some((part) => part.match(text, at, next, count)),
  };
}

function times(part: Made, [sign, min, max]: readonly [string, number, number]): Made {
  return {
    pattern: part.pattern + sign,
    match: (text, from, next, count) => {
      const turn =
        (done: number): Next =>
        (at) => {
          const more = () =>
            done < max &&
            part.match(
              text,
              at,
              // As the language defines it: a turn that consumes nothing isn't repeated.
              (end) => (done >= min && end === at ? false : turn(done + 1)(end)),
              count,
            );
          return more() || (done >= min && next(at));
        };
      return turn(0)(from);
    },
  };
}

const isA = (sign: string | undefined) => sign === 'a';
const isLetter = (sign: string | undefined) => sign === 'a' || sign === 'b';
const ones = [
  one('a', isA),
  one('b', (sign) => sign === 'b'),
  one('[ab]', isLetter),
  one('[^\\]]', (sign) => sign !== undefined),
  one('.', (sign) => sign !== undefined),
  one(String.raw`\w`, isLetter),
  one(String.raw`\x61`, isA),
  one(String.raw`\-`, (sign) => sign === '-'),
  one('$', (sign) => sign === undefined, 0),
  one('^', (_sign, at) => at === 0, 0),
] as const;
const quantifiers = [
  ['*', 0, Infinity],
  ['+?', 1, Infinity],
  ['?', 0, 1],
  ['{2}', 2, 2],
  ['{1,3}', 1, 3],
  ['{2,}?', 2, Infinity],
  ['{0,60}', 0, 60],
] as const;

const made: fc.Arbitrary<Made> = fc.letrec<{ made: Made; part: Made }>((tie) => ({
  made: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map(allOf),
  part: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...ones),
    fc
      .tuple(fc.array(tie('made'), { minLength: 1, maxLength: 3 }), fc.constantFrom('(', '(?:', '(?<a>'))
      .map(([parts, open]) => anyOf(parts, open)),
    // An anchor has no quantifier.
    fc.tuple(fc.constantFrom(...ones.slice(0, -2)), fc.constantFrom(...quantifiers)).map(([it, how]) => times(it, how)),
    fc
      .tuple(fc.array(tie('made'), { minLength: 1, maxLength: 2 }), fc.constantFrom(...quantifiers))
      .map(([parts, how]) => times(anyOf(parts, '(?:'), how)),
  ),
})).made;

describe('The most steps that a pattern takes', () => {
  it('are at least as many as a matcher that tries everything', () => {
    let finite = 0;
    const most = 20_000;
    fc.assert(
      fc.property(made, fc.string({ unit: fc.constantFrom('a', 'a', 'b', '-'), maxLength: 12 }), (it, text) => {
        const bound = patternSteps(knownPattern(it.pattern), text.length);
        if (bound === Infinity) return;
        finite += 1;
        const counted = countedSteps(it, text, most);
        assert.ok(counted <= bound, `${it.pattern} on "${text}": ${counted} of ${bound}`);
      }),
      { numRuns: 3000 },
    );
    assert.ok(finite > 1000, String(finite));
    const [, , letter] = ones;
    const loop = times(letter, ['*', 0, Infinity]);
    const uneven = allOf([anyOf([allOf([loop, loop, loop]), ones[1]], '('), one('c', (sign) => sign === 'c')]);
    const text = 'a'.repeat(30);
    const counted = countedSteps(uneven, text, 1_000_000);
    assert.ok(counted > 50_000 && counted <= patternSteps(knownPattern(uneven.pattern), text.length));
  });

  it('are few for what people write, and too many to count for what can take forever or is not understood', () => {
    const few = [
      '^[A-Za-z]',
      'done',
      String.raw`\d+`,
      String.raw`^\s*return\b`,
      '^(?:yes|no)$',
      String.raw`\b(\d{4})-(\d{2})-(\d{2})\b`,
      'colou?r',
      '(?<year>20[0-9]{2})',
      String.raw`^\{"title": ".*"\}$`,
      String.raw`[^\]]`,
      '[^]x',
    ];
    for (const pattern of few)
      assert.ok(
        patternSteps(knownPattern(pattern), 300) < 200_000,
        `${pattern} ${patternSteps(knownPattern(pattern), 300)}`,
      );
    const endless = [
      '^(a+)+$',
      '(a|a)*b',
      '(a*)*',
      String.raw`(?:\b){1000000,}`,
      '(?:a?){60}b',
      '(?:a|b)+',
      '(?=a)b',
      '(?<!a)b',
      String.raw`(a)\1`,
      String.raw`\p{L}`,
      String.raw`(?<a>.)\k<a>`,
      '(?i:a)',
      'a'.repeat(1001),
      '('.repeat(60) + ')'.repeat(60),
      '(?:(?:a{40}){40}){40}',
    ];
    for (const pattern of endless) {
      assert.ok(patternSteps(knownPattern(pattern), 300) > 1e12, pattern);
    }
  });
});
