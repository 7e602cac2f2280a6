import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { TimedQueue } from '../../../../src/api/transport/timedQueue.ts';

describe('The queue of measured replies', () => {
  let nowMs = 0;
  const busyFor = (ms: number): void => void (nowMs += ms);

  it('does a little in each turn, in order, so that sockets are read in between', async () => {
    const queue = new TimedQueue(() => nowMs);
    const done: number[] = [];
    for (const each of [1, 2, 3]) {
      queue.add(() => {
        busyFor(1);
        done.push(each);
      });
    }
    assert.deepEqual(done, []);
    await turn();
    assert.deepEqual(done, [1]);
    while (done.length < 3) await turn();
    assert.deepEqual(done, [1, 2, 3]);
  });

  it('does everything that has waited too long', async () => {
    const queue = new TimedQueue(() => nowMs);
    let done = 0;
    for (let count = 0; count < 3; count += 1) {
      queue.add(() => {
        busyFor(1);
        done += 1;
      });
    }
    busyFor(60);
    await turn();
    assert.equal(done, 3);
  });
});
