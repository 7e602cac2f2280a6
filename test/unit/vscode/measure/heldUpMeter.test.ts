import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { HeldUpMeter } from '../../../../src/vscode/measure/heldUpMeter.ts';

/** Until it has made so many checks, blocking the process before each. */
async function through(meter: HeldUpMeter, isBusy: boolean): Promise<void> {
  for (let count = 0; count < 60; count += 1) {
    if (isBusy) for (const until = performance.now() + 30; performance.now() < until;);
    await sleep(5);
  }
}

describe('How long events wait on this machine', () => {
  it('is that of the worst stage, even if a long idle one follows', async () => {
    const meter = new HeldUpMeter();
    meter.start();
    await through(meter, true);
    const busyMs = meter.worstMs;
    assert.ok(busyMs > 15, `${busyMs} ms`);
    for (let times = 0; times < 25; times += 1) {
      meter.nextStage();
      await through(meter, false);
    }
    assert.ok(meter.stop() >= busyMs * 0.99);
  });
});
