import assert from 'node:assert/strict';
import { lexInline, lexBlocks, noLinks } from '../../../../../src/webview/markdown/stream/boundedLexer.ts';
import { formulaReading } from '../../../../../src/webview/markdown/stream/formulaReading.ts';

await formulaReading.load();

/** The formulas of a line, a displayed one between «», another between ‹›. */
function formulasIn(text: string): string[] {
  return lexInline(text, noLinks()).flatMap((token) =>
    token.type === 'formula' && 'text' in token && 'isDisplayed' in token
      ? [token.isDisplayed === true ? `«${token.text}»` : `‹${token.text}›`]
      : 'tokens' in token && token.tokens !== undefined
        ? formulasIn(token.raw.slice(2, -2))
        : [],
  );
}

describe('Formulas in a line', () => {
  const formulas: readonly (readonly [string, readonly string[]])[] = [
    ['so $x^2$ is', ['‹x^2›']],
    ['$a$, $b$-th and the $n$th', ['‹a›', '‹b›', '‹n›']],
    ['设$x$为', ['‹x›']],
    ['we get $$x = 1$$ here', ['«x = 1»']],
    ['for all \\(x\\) and \\(X\\)', ['‹x›', '‹X›']],
    ['we get $$ x $$, $$y$$s and $$n$$', ['«x»', '«y»', '«n»']],
    ['$$ 2x + y $$, $$ xy = z $$ and $$ \\sin x $$', ['«2x + y»', '«xy = z»', '«\\sin x»']],
    ['with \\(a_1\\) and \\[ b \\]', ['‹a_1›', '«b»']],
    ['设$x$(实数)和$x^2$(非负)', ['‹x›', '‹x^2›']],
    ['in [$0, 1)$, or $1, 2, 3$', ['‹0, 1)›', '‹1, 2, 3›']],
    ['a segment \\(AB\\)', ['‹AB›']],
    ['\\(f(x)\\): so', ['‹f(x)›']],
    ['a dollar: $\\text{5\\$}$', ['‹\\text{5\\$}›']],
    ['**where $a_{1}^*$ and $b^*$**', ['‹a_{1}^*›', '‹b^*›']],
    ['a line break \\[x \\\\ y\\] in it', ['«x \\\\ y»']],
  ];
  const alone = [
    '5',
    'x',
    '2n',
    '2k',
    '-3',
    'n \\to \\infty',
    'p(n)',
    '3.5 \\times 10^4',
    'a, b',
    '2 (n)',
    '2(a, b)',
    '3 < 5',
    '5 mod 3',
    '2k mod 7',
    '2 sin x',
    '3 x y',
    '3 xy',
    '5 kg',
    '2abc',
    '1/2',
    '5 - 7',
    '5 = 2 and 3',
    '2 \\text{ or } 3',
    '10^{-3}',
    '4 π',
    '3 ≤ abc',
  ];
  for (const text of alone) {
    it(`are found in $${text}$`, () => {
      for (const [before, after] of [
        ['', ''],
        ['that ', ' is'],
        ['(', ')'],
        ['**', '**'],
        ['', ','],
      ] as const)
        assert.deepEqual(formulasIn(`${before}$${text}$${after}`), [`‹${text}›`]);
    });
  }

  for (const [text, found] of formulas) it(`are found in ${text}`, () => assert.deepEqual(formulasIn(text), found));

  const others = [
    'from $5 to $10',
    'costs $5, $10 or US$15',
    '$HOME and $PATH',
    '$HOME/bin:$PATH and ${HOME}:${PATH}',
    '$(pwd)/$(date)',
    '$HOME/$(whoami)/bin',
    '$X=$(date)',
    '$USER@$(hostname)',
    '$PWD,$(ls)',
    'backup-$USER-$(date).tar',
    '$PREFIX$(date) and ${PREFIX}$(date)',
    '$1-$@ and $DIR,$*',
    'costs $5 or 7$ per month',
    'costs $5, or 7$ per month',
    '$3.50 (US$)',
    '$3.50 (US$) or $4.50 (US$)',
    'about $20 USD (20$) each',
    'from $5 to 10$, $5k to 10k$, or $1,000 per year$',
    '$5 à 7$, $5 y 7$, $5或7$, $5 или 7$',
    '$.50 a piece or 7$',
    '$5 or so (7$ with tax)',
    '$9 for a 5-star and/or larger one, 12$ more',
    '$PWD:$(pwd)',
    '$DIR/$*.log',
    '$0/$@',
    'a `$x$` b',
    '$a `code$` b',
    'escaped \\$x\\$ and \\$5$',
    'an open $x',
    'an open \\(x',
    '$ x $',
    '$$',
    '\\(see below\\) \\[citation needed\\] \\[x\\] \\[\\]',
    '\\[x\\] done, \\[X\\] too',
    'Prices: $, $$, and $$$',
    'Mid-range ($$) and upscale ($$$)',
    'between ($$) and ($$)',
    'from ($$$) to ($$)',
    'mostly $$, rarely $$',
    // Other renderers take these for formulas, so their words run together.
    'between $$ and $$',
    'from $$ to $$',
    'echo $$ > app.pid; kill $$ now',
    'echo $$ > run/pid.$$',
    'kill $$; echo $$',
    'sort >$$.log; cat $$.log',
    'the files $$a$$b',
    '\\[link\\](https://a.example)',
    '\\\\(x\\\\)',
  ];
  for (const text of others) it(`leave this unchanged: ${text}`, () => assert.deepEqual(formulasIn(text), []));

  it('keep their asterisks and underscores from becoming emphasis', () => {
    const [token] = lexInline('_where $a_{1}$ holds_', noLinks());
    assert.equal(token?.raw, '_where $a_{1}$ holds_');
  });
});

describe('Formulas on their own lines', () => {
  const types = (text: string): string[] => lexBlocks(text, noLinks()).tokens.map(({ type }) => type);

  it('contain no Markdown, and need no blank line around them', () => {
    assert.deepEqual(types('so\n$$\nx\n- y\n===\n> z\n$$\nend'), ['paragraph', 'formula', 'paragraph']);
    assert.deepEqual(types('so\n\\[\nx\n# y\n\\]\nend'), ['paragraph', 'formula', 'paragraph']);
  });

  it('end at a blank line without becoming formulas', () => {
    assert.deepEqual(types('$$\nx\n\n- y\n$$\n'), ['paragraph', 'space', 'list']);
  });

  it('have nothing after them on their last line', () => {
    assert.deepEqual(types('$$x$$ is'), ['paragraph']);
  });

  it("aren't indented code, or prose in escaped brackets", () => {
    assert.deepEqual(types('    $$x$$\n'), ['code']);
    assert.deepEqual(types('\\[citation needed\\]\n'), ['paragraph']);
  });
});
