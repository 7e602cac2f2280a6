import assert from 'node:assert/strict';
import { ReplyClock } from '../../../../../src/core/chat/replyMetrics.ts';
import { LiveReply } from '../../../../../src/webview/chat/speed/liveReply.ts';

describe('A live reply', () => {
  it('has only its age before the first text', () => {
    const live = new LiveReply(1000, 1000, 0);
    assert.equal(live.hasText, false);
    assert.deepEqual(live.metrics(1500), { totalSeconds: { value: 0.5, from: 'here' } });
  });

  it('measures the first text and the rate after it', () => {
    const live = new LiveReply(1000, 1000, 0);
    live.grew(40, 1300);
    live.grew(400, 2300);
    assert.deepEqual(live.metrics(2300), {
      timeToFirstTokenSeconds: { value: 0.3, from: 'here' },
      tokensPerSecond: { value: 100, from: 'estimate' },
      totalSeconds: { value: 1.3, from: 'here' },
      completionTokens: { value: 110, from: 'estimate' },
    });
  });

  it('agrees with the final speed, whatever the length of its tokens, while it writes and while it pauses', () => {
    for (const [charactersOfAPiece, known] of [
      [3, undefined],
      [5, undefined],
      [6, 5.5],
      [2, 2.2],
    ] as const) {
      const live = new LiveReply(0, 0, 0, known);
      const clock = new ReplyClock(0);
      for (let piece = 0; piece < 60; piece += 1) {
        const atMs = 300 + piece * 20;
        live.grew(charactersOfAPiece, atMs);
        clock.grew(charactersOfAPiece, atMs);
      }
      clock.usage({ completionTokens: 60 });
      const final = clock.metrics(1500, true);
      for (const nowMs of [1481, 1900]) {
        const { tokensPerSecond, completionTokens } = live.metrics(nowMs);
        assert.equal(Math.round(tokensPerSecond?.value ?? 0), Math.round(final.tokensPerSecond?.value ?? 0));
        assert.equal(completionTokens?.value, 60);
      }
    }
  });

  it('uses the usual length of a token if a piece contains many, or the length that its model had before', () => {
    for (const [known, tokens] of [
      [undefined, 100],
      [2, 200],
    ] as const) {
      const live = new LiveReply(0, 0, 0, known);
      live.grew(200, 100, 2);
      live.grew(200, 900, 2);
      assert.equal(live.metrics(900).completionTokens?.value, tokens);
    }
  });

  it("doesn't guess what it didn't see", () => {
    const live = new LiveReply(0, 9000, 800);
    live.grew(4, 9100);
    const metrics = live.metrics(9100);
    assert.equal(metrics.timeToFirstTokenSeconds, undefined);
    assert.equal(metrics.tokensPerSecond, undefined);
    assert.deepEqual(metrics.completionTokens, { value: 201, from: 'estimate' });
  });

  it('measures how long it has been silent', () => {
    const live = new LiveReply(0, 0, 0);
    assert.equal(live.silentMs(400), 400);
    live.grew(1, 500);
    assert.equal(live.silentMs(700), 200);
  });

  it('starts over with a new attempt', () => {
    const live = new LiveReply(0, 0, 0);
    live.restarted(5000);
    live.grew(4, 5200);
    assert.deepEqual(live.metrics(5300).timeToFirstTokenSeconds, { value: 0.2, from: 'here' });
    assert.deepEqual(live.metrics(5300).totalSeconds, { value: 0.3, from: 'here' });
  });
});
