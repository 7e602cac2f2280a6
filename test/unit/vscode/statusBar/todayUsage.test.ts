import assert from 'node:assert/strict';
import { ChangeEvent } from '../../../../src/core/changeEvent.ts';
import { emptySum, type RequestDigest } from '../../../../src/core/requests/requestDigest.ts';
import { localDay } from '../../../../src/vscode/platform/localDay.ts';
import { TodayUsage } from '../../../../src/vscode/statusBar/todayUsage.ts';

const evening = new Date(2030, 0, 31, 23, 30).getTime();
const hour = 3_600_000;

function used(at: number, requests: number): RequestDigest {
  return { [localDay(at)]: { 'a/one': { ...emptySum(), requests } } };
}

/** A history that other windows write too, and a clock that advances on command. */
class Day {
  now = evening;
  digest: RequestDigest = {};
  sums = 0;
  readonly shown: (string | undefined)[] = [];
  readonly errors: unknown[] = [];
  readonly #changed = new ChangeEvent();
  readonly #waiting = new Map<() => void, number>();
  readonly usage: TodayUsage = new TodayUsage({
    history: {
      digest: async () => {
        this.sums += 1;
        return this.digest;
      },
      onDidChange: this.#changed.event,
    },
    onDidChange: () => this.shown.push(this.usage.line),
    onError: (error) => this.errors.push(error),
    now: () => this.now,
    later: (run, delayMs) => {
      this.#waiting.set(run, this.now + delayMs);
      return () => this.#waiting.delete(run);
    },
  });

  /** The clock advances, and everything due until then runs. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      const next = [...this.#waiting].toSorted(([, a], [, b]) => a - b)[0];
      if (next === undefined || next[1] > end) break;
      const [run, at] = next;
      this.#waiting.delete(run);
      this.now = Math.max(this.now, at);
      run();
      await settled();
    }
    this.now = end;
  }

  /** The machine sleeps: no timer runs. */
  sleep(ms: number): void {
    this.now += ms;
  }

  async write(digest: RequestDigest): Promise<void> {
    this.digest = digest;
    this.#changed.fire();
    await settled();
  }

  get timers(): number {
    return this.#waiting.size;
  }
}

/** Lets pending work finish. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('The usage of today in the status bar', () => {
  it('is shown before any request in this window, though not read at once', async () => {
    const day = new Day();
    day.digest = used(evening, 3);
    assert.deepEqual([day.usage.line, day.sums], [undefined, 0]);
    await day.pass(60_000);
    assert.deepEqual(day.shown, ['Today: 3 requests']);
    await day.pass(600_000);
    assert.equal(day.sums, 1, 'it is read once');
  });

  it('includes requests from other windows, and reflects clearing', async () => {
    const day = new Day();
    await day.write(used(evening, 3));
    await day.write(used(evening, 4));
    await day.write({});
    assert.deepEqual(day.shown, ['Today: 3 requests', 'Today: 4 requests', 'Today: no requests yet']);
  });

  it('starts again at midnight, and at the next one', async () => {
    const day = new Day();
    await day.write({ ...used(evening, 3), ...used(evening + 2 * hour, 1) });
    await day.pass(hour);
    assert.deepEqual(day.shown, ['Today: 3 requests', 'Today: 1 request']);
    await day.pass(24 * hour);
    assert.equal(day.usage.line, 'Today: no requests yet');
  });

  it("is never yesterday's, even if the machine slept over midnight", async () => {
    const day = new Day();
    await day.write(used(evening, 3));
    day.sleep(9 * hour);
    assert.equal(day.usage.line, undefined);
    day.usage.checkDay();
    await settled();
    assert.equal(day.usage.line, 'Today: no requests yet');
    const { sums } = day;
    day.usage.checkDay();
    assert.equal(day.sums, sums, 'a day that is known is not read again');
  });

  it("doesn't outlive its window", async () => {
    const day = new Day();
    await day.write(used(evening, 3));
    day.usage.dispose();
    await day.write(used(evening, 4));
    assert.deepEqual([day.shown.length, day.timers], [1, 0]);
  });
});
