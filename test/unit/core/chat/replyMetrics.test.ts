import assert from 'node:assert/strict';
import { ReplyClock, tokenRate, unendedMetrics } from '../../../../src/core/chat/replyMetrics.ts';

describe('The speed of a reply', () => {
  describe('of a model that thinks', () => {
    const metricsOf = (isShown: boolean, streamed: boolean) => {
      const clock = new ReplyClock(0);
      if (isShown) clock.heard({ type: 'reasoning', text: 'x'.repeat(4800) }, 1000);
      for (let step = 0; step <= 200; step += 1) clock.heard({ type: 'text', text: 'word' }, 12_000 + step * 10);
      clock.heard({ type: 'usage', usage: { completionTokens: 1400, reasoningTokens: 1200 } }, 14_000);
      return clock.metrics(14_000, streamed);
    };

    it("leaves out thoughts that the service doesn't show, but counts their tokens", () => {
      const { tokensPerSecond, completionTokens } = metricsOf(false, true);
      assert.deepEqual([tokensPerSecond?.from, Math.round(tokensPerSecond?.value ?? 0)], ['here', 100]);
      assert.deepEqual(completionTokens, { value: 1400, from: 'service' });
    });

    it('includes thoughts that are shown, or that are in the measured time', () => {
      assert.equal(Math.round(metricsOf(true, true).tokensPerSecond?.value ?? 0), 107);
      assert.equal(metricsOf(false, false).tokensPerSecond?.value, 100);
    });
  });

  it("is the service's own if it sends one", () => {
    const clock = new ReplyClock(0);
    clock.grew(40, 500);
    clock.usage({ promptTokens: 12, completionTokens: 10 });
    clock.service({ ttftSeconds: 0.3, tokensPerSecond: 84, totalTimeSeconds: 3.4 });
    assert.deepEqual(clock.metrics(9000, true), {
      timeToFirstTokenSeconds: { value: 0.3, from: 'service' },
      tokensPerSecond: { value: 84, from: 'service' },
      totalSeconds: { value: 3.4, from: 'service' },
      promptTokens: { value: 12, from: 'service' },
      completionTokens: { value: 10, from: 'service' },
    });
  });

  it('is measured here and marked so if the service sends only tokens', () => {
    const clock = new ReplyClock(1000);
    for (let step = 0; step < 11; step += 1) clock.grew(4, 1500 + step * 100);
    clock.usage({ completionTokens: 11 });
    const metrics = clock.metrics(2600, true);
    assert.deepEqual(metrics.timeToFirstTokenSeconds, { value: 0.5, from: 'here' });
    assert.deepEqual(metrics.tokensPerSecond, { value: 10, from: 'here' });
    assert.deepEqual(metrics.totalSeconds, { value: 1.6, from: 'here' });
    assert.equal(metrics.promptTokens, undefined);
  });

  it("is estimated from the pieces if they're as long as tokens, and from the text if they're longer", () => {
    const tokensOf = (characters: number, deltas: number) => {
      const clock = new ReplyClock(0);
      clock.grew(characters, 100);
      clock.heard({ type: 'end', complete: true, deltas }, 200);
      return clock.metrics(300, true).completionTokens;
    };
    assert.deepEqual(tokensOf(300, 120), { value: 120, from: 'estimate' });
    assert.deepEqual(tokensOf(4000, 10), { value: 1000, from: 'estimate' });
    assert.deepEqual(tokensOf(400, 1), { value: 100, from: 'estimate' });
  });

  it('is an estimate if not even tokens are sent', () => {
    const clock = new ReplyClock(0);
    clock.grew(200, 100);
    clock.grew(200, 1100);
    const metrics = clock.metrics(1200, true);
    assert.deepEqual(metrics.completionTokens, { value: 100, from: 'estimate' });
    assert.deepEqual(metrics.tokensPerSecond, { value: 50, from: 'estimate' });
  });

  it('has no first token for a reply that arrived whole', () => {
    const clock = new ReplyClock(0);
    clock.grew(400, 2000);
    clock.usage({ completionTokens: 100 });
    const metrics = clock.metrics(2000, false);
    assert.equal(metrics.timeToFirstTokenSeconds, undefined);
    assert.deepEqual([metrics.tokensPerSecond, metrics.hasWaitInRate], [{ value: 50, from: 'here' }, true]);
    clock.service({ tokensPerSecond: 84 });
    assert.equal(clock.metrics(2000, false).hasWaitInRate, undefined);
  });

  it("doesn't count the wait before a new attempt", () => {
    const clock = new ReplyClock(0);
    clock.restarted(5000);
    clock.grew(4, 5250);
    assert.deepEqual(clock.metrics(6000, true).timeToFirstTokenSeconds, { value: 0.25, from: 'here' });
  });

  it('keeps the last figures when they repeat, and adds none up', () => {
    const clock = new ReplyClock(0);
    clock.usage({ promptTokens: 3, completionTokens: 1 });
    clock.usage({ completionTokens: 2 });
    const metrics = clock.metrics(10, true);
    assert.equal(metrics.completionTokens?.value, 2);
    assert.equal(metrics.promptTokens?.value, 3);
  });

  it('has no figures for a reply without content', () => {
    assert.deepEqual(new ReplyClock(0).metrics(1500, true), { totalSeconds: { value: 1.5, from: 'here' } });
  });
});

describe("The speed of a reply whose end wasn't recorded", () => {
  const reply = { at: 1000, text: 'x'.repeat(160), reasoning: 'y'.repeat(40) };

  it('comes from its records, with tokens estimated from the text', () => {
    assert.deepEqual(unendedMetrics({ ...reply, firstTextAt: 1400, lastTextAt: 3400 }), {
      timeToFirstTokenSeconds: { value: 0.4, from: 'here' },
      tokensPerSecond: { value: 25, from: 'estimate' },
      totalSeconds: { value: 2.4, from: 'here' },
      completionTokens: { value: 50, from: 'estimate' },
    });
  });

  it('is unknown if nothing arrived', () => {
    assert.deepEqual(unendedMetrics({ at: 1000, text: '', reasoning: '' }), {});
  });

  it('has no rate for a single token, streamed or not', () => {
    for (const streamed of [true, false]) {
      const clock = new ReplyClock(0);
      clock.heard({ type: 'text', text: 'Hi' }, 60);
      clock.heard({ type: 'usage', usage: { completionTokens: 1 } }, 66);
      assert.equal(clock.metrics(66, streamed).tokensPerSecond, undefined);
    }
    const short = unendedMetrics({ ...reply, text: 'Hi', reasoning: '', firstTextAt: 1400, lastTextAt: 1460 });
    assert.equal(short.completionTokens?.value, 1);
    assert.equal(short.tokensPerSecond, undefined);
    // As the test of a model reports it.
    assert.equal(tokenRate(1, 0.06), undefined);
    assert.equal(tokenRate(12, 0.5), 24);
  });

  it('has no rate for a text that arrived at once', () => {
    assert.equal(unendedMetrics({ ...reply, firstTextAt: 1400, lastTextAt: 1400 }).tokensPerSecond, undefined);
  });
});
