import assert from 'node:assert/strict';
import { systemClock } from '../../../src/api/clock.ts';

describe("The system's clock", () => {
  it('also waits for longer than a Node timer can', async () => {
    const abort = new AbortController();
    const month = systemClock.sleep(30 * 24 * 3_600_000, abort.signal).then(
      () => 'over',
      () => 'canceled',
    );
    // Node starts a timer that is too long for it as one of a millisecond, which would fire before this one.
    const soon = new Promise<string>((resolve) => {
      setTimeout(() => resolve('waiting'), 50);
    });
    assert.equal(await Promise.race([month, soon]), 'waiting');
    abort.abort();
    assert.equal(await month, 'canceled');
  });
});
