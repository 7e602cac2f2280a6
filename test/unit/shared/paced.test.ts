import assert from 'node:assert/strict';
import { Paced } from '../../../src/shared/paced.ts';

/** Time that passes only on command. */
class HeldTime {
  #at = 0;
  #waiting: { readonly at: number; readonly work: () => void }[] = [];
  readonly performance = { now: () => this.#at };

  setTimeout(work: () => void, ms: number): unknown {
    const timer = { at: this.#at + ms, work };
    this.#waiting.push(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    this.#waiting = this.#waiting.filter((each) => each !== timer);
  }

  /** Busy: nothing else runs until then. */
  spend(ms: number): void {
    this.#at += ms;
  }

  async pass(ms: number): Promise<void> {
    const until = this.#at + ms;
    for (;;) {
      const next = this.#waiting.filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at)[0];
      if (next === undefined) break;
      this.clearTimeout(next);
      this.#at = Math.max(this.#at, next.at);
      next.work();
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    }
    this.#at = Math.max(this.#at, until);
  }
}

describe('Work at a pace', () => {
  it('takes its share of a core and no more, however much changes and however long the work takes', async () => {
    for (const cost of [1, 40, 200]) {
      const time = new HeldTime();
      let spent = 0;
      const paced = new Paced(
        () => {
          time.spend(cost);
          spent += cost;
        },
        { leastMs: 100, share: 0.02 },
        time,
      );
      while (time.performance.now() < 200_000) {
        paced.soon();
        await time.pass(10);
      }
      const all = time.performance.now();
      assert.ok(spent <= 0.02 * all + cost, `${spent} ms of ${cost} each`);
      // It runs as often as allowed.
      assert.ok(spent >= Math.min(0.8 * 0.02 * all, (0.8 * all * cost) / 100), `${spent} ms of ${cost} each`);
    }
  });

  it('continues soon after a stall, because that says nothing about the work', async () => {
    const time = new HeldTime();
    const seen: number[] = [];
    const paced = new Paced(
      () => {
        if (seen.length === 0) time.spend(60_000);
        seen.push(time.performance.now());
      },
      { leastMs: 100, share: 0.01 },
      time,
    );
    for (let at = 0; at < 75_000; at += 100) {
      paced.soon();
      await time.pass(100);
    }
    const [first = 0, second = Infinity] = seen;
    assert.ok(second - first <= 10_100, seen.join(', '));
  });

  it('runs once for many changes, and once more for those made while it ran', async () => {
    const time = new HeldTime();
    const seen: number[] = [];
    let value = 0;
    const paced = new Paced(
      async () => {
        seen.push(value);
        if (value === 3) {
          value = 4;
          paced.soon();
        }
        await Promise.resolve();
      },
      { leastMs: 100, share: 0.5 },
      time,
    );
    for (value = 1; value < 3; value += 1) paced.soon();
    await time.pass(99);
    assert.deepEqual(seen, []);
    await time.pass(1000);
    assert.deepEqual(seen, [3, 4]);
    value = 5;
    paced.soon();
    paced.stop();
    await time.pass(1000);
    assert.deepEqual(seen, [3, 4]);
    await paced.now();
    assert.deepEqual(seen, [3, 4, 5]);
  });
});
