import assert from 'node:assert/strict';
import type { Figure } from '../../../../src/shared/chat.ts';
import { notchEvery, raceScale } from '../../../../src/webview/compare/race/raceScale.ts';
import { haveOneClock, type Runner, standings } from '../../../../src/webview/compare/standings.ts';

const runner = (id: string, tokensPerSecond: number, more: Partial<Runner> = {}): Runner => ({
  id,
  tokensPerSecond: { value: tokensPerSecond, from: 'here' },
  tokens: 200,
  totalSeconds: 3,
  isRunning: false,
  isFailed: false,
  ...more,
});

describe('The scale of a race', () => {
  it("grows in steps, so that bars don't shrink all the time", () => {
    assert.deepEqual(
      [0, 1.9, 2.1, 5, 8.4, 19, 40, 400].map((seconds) => raceScale(seconds).end),
      [2, 2, 5, 5, 10, 20, 50, 500],
    );
    assert.deepEqual(raceScale(3).ticks, [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(raceScale(8).ticks, [0, 2, 4, 6, 8, 10]);
  });

  it('fits any time', () => {
    for (const seconds of [501, 3600, 86_400]) {
      const { end, ticks } = raceScale(seconds);
      assert.ok(end >= seconds && ticks.at(-1) === end && ticks.length <= 11, `${seconds}`);
    }
  });

  it('has fewer notches once they would be closer than 12 pixels', () => {
    const everyTenth = Array.from({ length: 20 }, (_, index) => (index + 1) / 10);
    assert.equal(notchEvery([everyTenth], 200), 1);
    assert.equal(notchEvery([everyTenth], 100), 2);
    assert.equal(notchEvery([everyTenth, [1, 2, 3]], 30), 5);
    assert.equal(notchEvery([[], [1]], 1), 1);
  });
});

describe('Standings in a race', () => {
  it('name the fastest, and how many times slower the others are', () => {
    const known = standings([runner('a', 118), runner('b', 84), runner('c', 51)]);
    assert.deepEqual(known.get('a'), { isFastest: true, ratio: 1 });
    assert.equal(known.get('b')?.ratio.toFixed(1), '1.4');
    assert.equal(known.get('c')?.ratio.toFixed(1), '2.3');
    assert.equal(known.get('c')?.isFastest, false);
  });

  it('name nobody in a tie, and nobody who runs alone', () => {
    assert.deepEqual(
      [...standings([runner('a', 100), runner('b', 100.5), runner('c', 50)]).values()].map(
        ({ isFastest }) => isFastest,
      ),
      [false, false, false],
    );
    assert.equal(standings([runner('a', 100)]).size, 0);
  });

  it("don't compare figures of different origins", () => {
    const from = (origin: Figure['from'], value = 100) => ({ tokensPerSecond: { value, from: origin } });
    const own = runner('own', 0, from('service', 120));
    assert.equal(standings([own, runner('b', 100)]).size, 0);
    assert.equal(standings([runner('a', 120), runner('b', 0, from('estimate'))]).size, 0);
    assert.equal(standings([own, runner('b', 0, from('service'))]).get('own')?.isFastest, true);
    assert.equal(standings([runner('a', 0, from('estimate', 120)), runner('b', 0, from('estimate'))]).size, 2);
    // While it's being written, a speed is always an estimate.
    const writing = runner('writing', 0, { ...from('estimate'), isRunning: true });
    assert.equal(standings([own, writing]).get('own')?.isFastest, true);
    // Nothing is known to compare it with.
    assert.equal(standings([own, runner('short', 500, { tokens: 19 })]).size, 0);
  });

  it('are of one clock if the services of all replies sent a figure, or of none', () => {
    const of = (origin: Figure['from']) => ({ totalSeconds: { value: 2, from: origin } });
    assert.equal(haveOneClock([of('service'), of('service'), {}]), true);
    assert.equal(haveOneClock([of('here'), { tokensPerSecond: { value: 9, from: 'estimate' } }, {}]), true);
    assert.equal(haveOneClock([of('service'), of('here')]), false);
    assert.equal(haveOneClock([]), true);
  });

  it('leave out what is too short to judge, and what failed', () => {
    const known = standings([
      runner('a', 100),
      runner('b', 90),
      runner('short', 500, { tokens: 19 }),
      runner('young', 500, { isRunning: true, totalSeconds: 0.9 }),
      runner('failed', 500, { isFailed: true }),
      { id: 'unknown', totalSeconds: 3, isRunning: false, isFailed: false },
    ]);
    assert.deepEqual([...known.keys()], ['a', 'b']);
  });
});
