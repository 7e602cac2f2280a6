import assert from 'node:assert/strict';
import type { Figure, ReplyMetrics } from '../../../src/shared/chat.ts';
import { comparisonText, type TimedReply } from '../../../src/words/replyComparison.ts';
import { barWords, namedFigures } from '../../../src/words/replySpeed.ts';
import { usualSpeedText } from '../../../src/words/usualSpeed.ts';

const sent = (value: number): Figure => ({ value, from: 'service' });
const metrics = (total: number, tokens?: number): ReplyMetrics => ({
  totalSeconds: sent(total),
  ...(tokens !== undefined && { completionTokens: sent(tokens) }),
});

describe('Two replies', () => {
  const gale = { name: 'gale', metrics: metrics(5.9, 472), costValue: 0.000_46 };
  const sparrow = { name: 'sparrow', metrics: metrics(2.6, 288), costValue: 0.000_16 };

  it('are compared by time and cost, whichever comes first, with a note if their lengths differ', () => {
    const words = {
      verdict: 'sparrow finished 2.3× sooner and cost 65% less.',
      notes: ['It wrote 288 tokens instead of 472.'],
    };
    assert.deepEqual(comparisonText(gale, sparrow), words);
    assert.deepEqual(comparisonText(sparrow, gale), words);
    assert.deepEqual(comparisonText({ ...gale, costValue: 0.0001, metrics: metrics(5.9, 300) }, sparrow), {
      verdict: 'sparrow finished 2.3× sooner and cost 60% more.',
      notes: [],
    });
    const [one, five] = [
      { name: 'a', metrics: metrics(1, 1) },
      { name: 'b', metrics: metrics(2, 5) },
    ];
    assert.equal(comparisonText(one, five).notes[0], 'It wrote 1 token instead of 5.');
  });

  it('are compared by time alone if no cost is known, and by cost if the times are alike', () => {
    const { costValue: _costValue, ...free } = gale;
    const verdict = (one: TimedReply, other: TimedReply) => comparisonText(one, other).verdict;
    assert.equal(verdict(free, { ...sparrow, metrics: metrics(2.6) }), 'sparrow finished 2.3× sooner.');
    const cheaper = 'Both took about the same time, and sparrow cost 65% less.';
    assert.equal(verdict({ ...gale, metrics: metrics(2.65) }, { ...sparrow, metrics: metrics(2.6) }), cheaper);
    assert.equal(verdict({ ...gale, metrics: metrics(2.6) }, { ...sparrow, metrics: metrics(2.65) }), cheaper);
    assert.equal(verdict(free, { ...free, name: 'b' }), 'Both took about the same time.');
  });

  it('are compared by cost and length if a time is missing or measured by another clock, which is said', () => {
    const here = (total: number, tokens: number): ReplyMetrics => ({
      totalSeconds: { value: total, from: 'here' },
      completionTokens: sent(tokens),
    });
    const clocks = "One time is the service's own, and the other was measured here, so they can't be compared.";
    const measured = { ...gale, metrics: here(5.9, 472) };
    const words = {
      verdict: 'sparrow cost 65% less.',
      notes: ['It wrote 288 tokens instead of 472.', clocks],
    };
    assert.deepEqual(comparisonText(measured, sparrow), words);
    assert.deepEqual(comparisonText(sparrow, measured), words);
    const { costValue: _costValue, ...free } = measured;
    assert.deepEqual(comparisonText(free, sparrow), { notes: [clocks] });
    assert.deepEqual(comparisonText({ ...gale, metrics: {} }, sparrow), {
      verdict: 'sparrow cost 65% less.',
      notes: [],
    });
    assert.deepEqual(comparisonText({ ...free, metrics: {} }, sparrow), { notes: [] });
    const both = comparisonText(measured, { ...sparrow, metrics: here(2.6, 288) });
    assert.equal(both.verdict, 'sparrow finished 2.3× sooner and cost 65% less.');
  });
});

describe('The speed of a reply compared with the usual one', () => {
  const usual = { median: sent(84), replies: 212 };

  it('is worded from five replies on', () => {
    assert.equal(
      usualSpeedText(sent(90), usual),
      "As fast as usual: this model's median is 84 tok/s over 212 requests.",
    );
    assert.equal(
      usualSpeedText(sent(42), usual),
      "50% slower than usual: this model's median is 84 tok/s over 212 requests.",
    );
    assert.equal(
      usualSpeedText(sent(126), { ...usual, replies: 5 }),
      "50% faster than usual: this model's median is 84 tok/s over 5 requests.",
    );
    assert.equal(usualSpeedText(sent(126), { ...usual, replies: 4 }), undefined);
    assert.equal(usualSpeedText(undefined, usual), undefined);
    assert.equal(usualSpeedText(sent(1), undefined), undefined);
  });

  it('has named figures, and a bar as a sentence', () => {
    const all = { ...metrics(5.9, 472), timeToFirstTokenSeconds: sent(0.32), tokensPerSecond: sent(84) };
    assert.deepEqual(
      namedFigures(all, '0.0012').map(({ value, name }) => `${value} ${name}`),
      ['84 tok/s speed', '0.32 s first token', '5.9 s total', '472 tokens', '0.0012 cost'],
    );
    assert.equal(barWords(all)?.sentence, '0.32 s waiting, 5.6 s writing, 5.9 s total.');
    assert.deepEqual([barWords(all)?.waiting, barWords(all)?.writing], ['0.32 s waiting', '5.6 s writing']);
    assert.equal(barWords(metrics(5.9))?.sentence, '5.9 s total');
    assert.equal(barWords({}), undefined);
  });

  it('has the marks of its figures in the words below a bar, and none for a screen reader, which reads the figures', () => {
    const here = (value: number): Figure => ({ value, from: 'here' });
    const words = (first: Figure, total: Figure) => {
      const { waiting, writing, sentence } =
        barWords({ timeToFirstTokenSeconds: first, totalSeconds: total }) ?? assert.fail();
      assert.equal(sentence, '0.32 s waiting, 5.6 s writing, 5.9 s total.');
      return [waiting, writing];
    };
    assert.deepEqual(words(here(0.32), here(5.9)), ['0.32 s° waiting', '5.6 s° writing']);
    assert.deepEqual(words(sent(0.32), here(5.9)), ['0.32 s waiting', '5.6 s° writing']);
    assert.deepEqual(words(here(0.32), sent(5.9)), ['0.32 s° waiting', '5.6 s° writing']);
  });
});
