import { lexBlocks, noLinks } from './boundedLexer.ts';

/** All that a reply is likely to hold, in pieces that each take a few milliseconds the first time. */
const PIECES: readonly string[] = [
  'a b c\n\nd\n',
  'a **b** *c* `d` [e](https://f.example) ~~g~~ <h> &amp; https://i.example\n',
  '# a\n\nb\n===\n',
  '- a\n- b\n  - c\n',
  '1. a\n\n   b\n',
  '> a\n> b\n',
  '| a | b |\n| --- | :-: |\n| `c` | d |\n',
  '    a\n\n<b>\nc\n</b>\n\n[d]: /e "f"\n\n---\n',
];

/**
 * The browser compiles the lexer's expressions when they are first used, and again at the second use.
 * Done in idle moments before, that does not hold up the first words of the first reply.
 */
export function warmLexer(pieces: readonly string[] = PIECES): void {
  const [piece, ...rest] = pieces;
  if (piece === undefined) return;
  requestIdleCallback(() => {
    for (let use = 0; use < 2; use += 1) lexBlocks(piece, noLinks());
    warmLexer(rest);
  });
}
