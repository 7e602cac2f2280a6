import assert from 'node:assert/strict';
import type { Figure, ReplyMetrics } from '../../../src/shared/chat.ts';
import { costText } from '../../../src/words/amount.ts';
import { bytesText } from '../../../src/words/bytes.ts';
import { clipLengthText, durationText, elapsedText, waitText, wholeDurationText } from '../../../src/words/duration.ts';
import { endingText } from '../../../src/words/ending.ts';
import { marksExplained } from '../../../src/words/figureMark.ts';
import { spreadText } from '../../../src/words/measuredWords.ts';
import { rateText, speedLines, speedParts, speedText } from '../../../src/words/replySpeed.ts';
import { runFigures } from '../../../src/words/runFigures.ts';
import { thoughtText } from '../../../src/words/thought.ts';
import {
  compactTokens,
  estimatedTokens,
  roughTokensText,
  shareOfWindow,
  tokenLimitText,
  tokensText,
} from '../../../src/words/tokens.ts';

const sent = (value: number): Figure => ({ value, from: 'service' });
const here = (value: number): Figure => ({ value, from: 'here' });
const estimate = (value: number): Figure => ({ value, from: 'estimate' });

const measured: ReplyMetrics = {
  timeToFirstTokenSeconds: here(0.58),
  tokensPerSecond: estimate(61),
  totalSeconds: here(2.1),
  completionTokens: estimate(74),
};

describe('The figures of a run of a check', () => {
  it('have a mark for the time, which is measured here, and for estimated tokens and their cost', () => {
    const run = { totalMs: 1600, tokens: 472, cost: 0.0012 };
    assert.deepEqual(runFigures(run), ['1.6 s°', '472 tokens', 'cost 0.0012']);
    assert.deepEqual(runFigures({ ...run, isEstimate: true }), ['1.6 s°', '≈ 472 tokens', 'cost ≈ 0.0012']);
    assert.deepEqual(runFigures({}), []);
  });
});

describe('The speed of a reply', () => {
  it('is plain if the service sent it', () => {
    const whole: ReplyMetrics = {
      timeToFirstTokenSeconds: sent(0.312),
      tokensPerSecond: sent(84.2),
      totalSeconds: sent(3.42),
      promptTokens: sent(412),
      completionTokens: sent(261),
    };
    assert.equal(speedText(whole), '84 tok/s · 0.31 s first token · 3.4 s total · 412 → 261 tokens');
    assert.deepEqual(marksExplained(speedText(whole)), []);
  });

  it('has a mark if it was measured or estimated, and an explanation of the marks', () => {
    const text = speedText(measured);
    assert.equal(text, '≈ 61 tok/s · 0.58 s° first token · 2.1 s° total · ≈ 74 tokens');
    assert.deepEqual(marksExplained(text), ['° = measured in VS Code', '≈ = estimated from the text']);
    assert.deepEqual(speedLines(measured), [
      'Time to first token: 0.58 s°',
      'Tokens per second: ≈ 61',
      'Total time: 2.1 s°',
      'Completion tokens: ≈ 74',
    ]);
  });

  it('has two digits or more, like the rate of a measured model', () => {
    const rates = [0.684, 0.996, 8.44, 9.96, 117.3];
    const expected = ['0.68', '1.0', '8.4', '10', '117'];
    assert.deepEqual(
      rates.map((rate) => rateText(sent(rate))),
      expected.map((rate) => `${rate} tok/s`),
    );
    assert.deepEqual(
      rates.map((rate) => spreadText('tokensPerSecond', rate)),
      expected,
    );
  });

  it('counts one token as one, also beside those of the question', () => {
    const one = { completionTokens: sent(1) };
    assert.equal(speedText(one), '1 token');
    assert.equal(speedText({ ...one, promptTokens: sent(412) }), '412 → 1 token');
    assert.equal(speedText({ completionTokens: { value: 1, from: 'estimate' } }), '≈ 1 token');
  });

  it('shows how long a model thought, in seconds as people count them', () => {
    assert.deepEqual([2.04, 0.31, 0.004, 75, undefined].map(thoughtText), [
      'Thought for 2 s',
      'Thought for 0.31 s',
      'Thought for <10 ms',
      'Thought for 1 min 15 s',
      'Reasoning',
    ]);
  });

  it('has the figure to draw in each part, and a short form with the necessary units', () => {
    const parts = speedParts({ ...measured, promptTokens: sent(412) });
    assert.deepEqual(
      parts.map(({ value }) => value),
      ['≈ 61', '0.58 s°', '2.1 s°', '412 → ≈ 74'],
    );
    for (const { text, value } of parts) assert.ok(text.includes(value), text);
    assert.deepEqual(
      parts.map(({ short }) => short),
      ['≈ 61 tok/s', '0.58 s°', '2.1 s°', '412 → ≈ 74'],
    );
    assert.deepEqual(
      speedParts(measured).map(({ short }) => short),
      ['≈ 61 tok/s', '0.58 s°', '2.1 s°', '≈ 74 tokens'],
    );
  });

  it('leaves out unknown figures, and has a singular for one token', () => {
    assert.equal(speedText({}), '');
    assert.equal(speedText({ promptTokens: sent(3) }), '');
    assert.equal(speedText({ completionTokens: estimate(1) }), '≈ 1 token');
  });
});

describe('A duration', () => {
  it("is short, and doesn't jump when it's rounded to the next unit", () => {
    const written = [0, 0.009, 0.01, 0.994, 0.996, 9.94, 9.96, 59.4, 59.6, 125, 3599, 4210].map(durationText);
    const expected = ['<10 ms', '<10 ms', '0.01 s', '0.99 s', '1.0 s', '9.9 s', '10 s', '59 s'];
    assert.deepEqual(written, [...expected, '1 min', '2 min 5 s', '59 min 59 s', '1 h 10 min']);
  });

  it("has no part that is zero, unless it's a running clock", () => {
    assert.deepEqual([0, 60, 600.4, 3600, 3629, 7260].map(wholeDurationText), [
      '0 s',
      '1 min',
      '10 min',
      '1 h',
      '1 h',
      '2 h 1 min',
    ]);
    assert.deepEqual([60, 3600].map(elapsedText), ['1 min 0 s', '1 h 0 min']);
  });

  it('that is running counts whole seconds', () => {
    assert.deepEqual([-1, 0.9, 8.9, 65].map(elapsedText), ['0 s', '0 s', '8 s', '1 min 5 s']);
  });

  it('of a wait is never too short', () => {
    const written = [-5, 1, 1001, 119_001, 120_001, 7_200_001].map(waitText);
    assert.deepEqual(written, ['1 s', '1 s', '2 s', '2 min', '3 min', '3 h']);
  });

  it('of a clip is the requested one', () => {
    assert.deepEqual([5, 2.5].map(clipLengthText), ['5 s', '2.5 s']);
  });
});

describe('A size, a number of tokens, and a cost', () => {
  it('of bytes has one unit for all', () => {
    const sizes = [0, 1, 1023, 1024, 10_000, 1_048_000, 1024 ** 2, 8 * 1024 ** 2, 4_400_000, 1024 ** 3 - 1, 1024 ** 3];
    const expected = ['0 bytes', '1 byte', '1,023 bytes', '1 KB', '9.8 KB', '1 MB', '1 MB', '8 MB', '4.2 MB', '1 GB'];
    assert.deepEqual(sizes.map(bytesText), [...expected, '1 GB']);
  });

  it('of tokens is one token or more', () => {
    assert.deepEqual(
      [tokensText(1, false), tokensText(1, true), tokensText(2610, true)],
      ['1 token', '≈ 1 token', '≈ 2,610 tokens'],
    );
    assert.deepEqual(
      [0, 1, 4, 5].map((length) => estimatedTokens(length)),
      [0, 1, 1, 2],
    );
  });

  it("of tokens is short if there's little space", () => {
    const sizes = [512, 1200, 4096, 8192, 9_960, 32_000, 128_000, 131_072, 999_600, 1_000_000, 1_048_576, 2_097_152];
    const expected = ['512', '1.2k', '4k', '8k', '10k', '32k', '128k', '128k', '1M', '1M', '1M', '2M'];
    assert.deepEqual(sizes.map(compactTokens), expected);
    assert.equal(shareOfWindow(34_200, 131_072), '≈ 34k of 128k tokens');
    assert.deepEqual([tokenLimitText(131_072), tokenLimitText(128_000)], ['131,072 tokens', '128,000 tokens']);
    assert.deepEqual([roughTokensText(1), roughTokensText(184_000)], ['≈ 1 token', '≈ 184k tokens']);
  });

  it('of money is never shown as zero', () => {
    const costs = [0, 0.0000123, 0.0125, 0.042, 0.3, 0.996, 1.84, 12.345].map((cost) => costText(cost));
    assert.deepEqual(costs, ['0', '0.0000123', '0.0125', '0.042', '0.30', '1.00', '1.84', '12.35']);
    assert.equal(costText(0.12, { isEstimate: false, isPartial: true }), 'at least 0.12');
    assert.equal(costText(0.12, { isEstimate: true }), '≈ 0.12');
  });
});

describe('The end of a reply', () => {
  it("needs no text if it's normal", () => {
    for (const finishReason of ['stop', 'eos', 'tool_calls', undefined]) {
      assert.equal(endingText({ state: 'done', finishReason }), undefined);
    }
    assert.equal(endingText({ state: 'running' }), undefined);
  });

  it("depends on the finish reason, no matter where it's shown", () => {
    assert.equal(endingText({ state: 'incomplete', finishReason: 'max_tokens' }), 'stopped at the token limit');
    assert.equal(endingText({ state: 'done', finishReason: 'length' }), 'stopped at the token limit');
    assert.equal(endingText({ state: 'incomplete', finishReason: 'safety' }), 'cut off by the content filter');
    assert.equal(endingText({ state: 'done', finishReason: 'ran\u202Eaway' }), 'finish reason: ran\\u{202e}away');
    assert.equal(endingText({ state: 'incomplete' }), 'might be incomplete');
    const others = (['stopped', 'failed', 'interrupted', 'unknown'] as const).map((state) => endingText({ state }));
    assert.deepEqual(others, ['stopped', 'failed', 'interrupted', 'outcome unknown']);
  });
});
