import assert from 'node:assert/strict';
import { FormulaReading } from '../../../../../src/webview/markdown/stream/formulaReading.ts';
import { assertLinearCost } from '../../../../hostile/linearCost.ts';

describe('The code that reads formulas', () => {
  const first = [
    'so $x$',
    'so $\\$5$',
    'so \\\\$x$',
    'a $\\text{5\\$}$ b',
    'a\n$$',
    'a \\(',
    'the $n$th',
    `$${'a'.repeat(998)}$`,
  ];
  for (const text of first)
    it(`is loaded for ${text.slice(0, 20)}`, () => assert.equal(new FormulaReading().isWaitingFor(text, ''), true));

  it('is loaded for a formula that began earlier', () => {
    assert.equal(new FormulaReading().isWaitingFor('[x]$', 'so $a'), true);
    assert.equal(new FormulaReading().isWaitingFor('$', 'so $[a]'), true);
  });

  const others = ['from $5 to $10', '$HOME/bin:$PATH', 'a $ b$', 'an open $x', 'escaped \\$x\\$ and \\$5$'];
  for (const text of others)
    it(`isn't loaded for ${text}`, () => assert.equal(new FormulaReading().isWaitingFor(text, ''), false));

  it('is searched for in time proportional to the length of the text', () => {
    assertLinearCost((n) => {
      const text = '\\$a'.repeat(n);
      return () => assert.equal(new FormulaReading().isWaitingFor(text, ''), false);
    });
  });
});
