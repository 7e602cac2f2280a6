import assert from 'node:assert/strict';
import { createHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { HeldUpMeter } from '../../../../src/vscode/measure/heldUpMeter.ts';

describe('How long events wait on this machine', () => {
  it('is measured while the process is busy', async () => {
    const meter = new HeldUpMeter();
    meter.start();
    for (let count = 0; count < 60; count += 1) {
      for (const until = performance.now() + 30; performance.now() < until;);
      await sleep(5);
    }
    const ms = meter.stop();
    assert.ok(ms > 15, `${ms} ms`);
  });

  it('is that of the worst stage, even if a long idle one follows', () => {
    const waits = Object.assign(createHistogram(), { enable: () => true, disable: () => true });
    const through = (checks: number, ms: number) => {
      for (let count = 0; count < checks; count += 1) waits.record(ms * 1e6);
    };
    const meter = new HeldUpMeter(waits);
    meter.start();
    through(60, 35);
    assert.equal(Math.round(meter.worstMs), 31);
    for (let stage = 0; stage < 25; stage += 1) {
      meter.nextStage();
      through(60, 4);
    }
    assert.equal(Math.round(meter.stop()), 31);
  });

  it('in a stage too short to measure counts in the next one', () => {
    const waits = Object.assign(createHistogram(), { enable: () => true, disable: () => true });
    const meter = new HeldUpMeter(waits);
    meter.start();
    waits.record(1000e6);
    meter.nextStage();
    for (let count = 0; count < 60; count += 1) waits.record(14e6);
    assert.equal(Math.round(meter.stop()), 10);
  });
});
