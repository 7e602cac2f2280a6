import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { FrameLoop } from '../../../src/webview/kit/frameLoop.ts';

describe('The frame loop of the page', () => {
  const realNow = Object.getOwnPropertyDescriptor(performance, 'now');
  let nowMs = 0;
  let frame: (() => void) | undefined;

  beforeEach(() => {
    nowMs = 0;
    frame = undefined;
    performance.now = () => nowMs;
    Object.assign(globalThis, {
      requestAnimationFrame: (callback: () => void) => {
        frame = callback;
        return 1;
      },
    });
  });
  afterEach(() => {
    if (realNow === undefined) Reflect.deleteProperty(performance, 'now');
    else Object.defineProperty(performance, 'now', realNow);
    Reflect.deleteProperty(globalThis, 'requestAnimationFrame');
  });

  /** The time that drawing may take in each of some frames, if the browser then needs this long to show the result. */
  async function budgets(showingMs: readonly number[]): Promise<readonly number[]> {
    const given: number[] = [];
    const loop = new FrameLoop({ afterDrawing: () => undefined, onIdle: () => undefined });
    loop.schedule({
      render(deadlineMs) {
        given.push(deadlineMs - nowMs);
        return given.length === showingMs.length;
      },
    });
    for (const ms of showingMs) {
      frame?.();
      nowMs += ms;
      await setTimeout(2);
    }
    return given;
  }

  it("draws less after a frame that the browser took a long time to show, and as much as before once it's fast", async () => {
    const given = await budgets([5, 20, 20, 5, 5, 5]);
    assert.equal(given[0], 3);
    assert.equal(given[1], 3);
    assert.ok((given[2] ?? 0) < 3, `${given[2]} ms`);
    assert.ok((given[3] ?? 0) < (given[2] ?? 0), `${given[3]} ms`);
    assert.equal(given[5], 3);
  });

  it('draws at least half as much, however long a frame takes: each has a fixed cost', async () => {
    const given = await budgets([1000, 1000, 1000, 1000]);
    assert.deepEqual(given, [3, 1.5, 1.5, 1.5]);
  });

  it('takes turns if there are too many for one frame, even if one of them is never done', () => {
    const drawn: string[] = [];
    const loop = new FrameLoop({ afterDrawing: () => undefined, onIdle: () => undefined }, 2);
    const columns = ['a', 'b', 'c', 'd'].map((name) => ({
      render: () => {
        drawn.push(name);
        return name !== 'b';
      },
    }));
    for (let count = 0; count < 6; count += 1) {
      // Each of them grows in every frame.
      for (const column of columns) loop.schedule(column);
      frame?.();
    }
    assert.equal(drawn.join(''), 'abcdbacdbacd');
  });

  it("draws what was scheduled last first, and all of it, if there's room", () => {
    const drawn: string[] = [];
    const loop = new FrameLoop({ afterDrawing: () => undefined, onIdle: () => undefined });
    const named = (name: string) => ({ render: () => drawn.push(name) > 0 });
    for (const name of ['a', 'b', 'c']) loop.schedule(named(name));
    frame?.();
    assert.equal(drawn.join(''), 'cba');
  });
});
