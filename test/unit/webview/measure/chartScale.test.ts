import assert from 'node:assert/strict';
import fc from 'fast-check';
import { asides, axisTo, decimalsOf, equalSteps } from '../../../../src/webview/measure/charts/chartScale.ts';

describe('The axes of charts', () => {
  it('start at 0, cut nothing off, and have a few even ticks', () => {
    assert.deepEqual(axisTo(3.2).ticks, [0, 1, 2, 3, 4]);
    assert.deepEqual(axisTo(0.07).ticks, [0, 0.02, 0.04, 0.06, 0.08]);
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (greatest) => {
        const { ticks, top } = axisTo(greatest);
        assert.equal(ticks[0], 0);
        assert.ok(top >= greatest * (1 - 1e-9) && top <= greatest * 2.5 + 1e-12, `${greatest}: ${top}`);
        assert.ok(ticks.length >= 2 && ticks.length <= 6, String(ticks));
        assert.equal(new Set(ticks).size, ticks.length);
      }),
    );
  });

  it('exist even without figures', () => {
    assert.deepEqual(axisTo(0), { ticks: [0, 1], top: 1 });
    assert.deepEqual(axisTo(Number.NaN), { ticks: [0, 1], top: 1 });
  });

  it('have as many decimals as needed to distinguish the ticks', () => {
    assert.deepEqual([5, 2.5, 0.25, 0.02, 0.5].map(decimalsOf), [0, 1, 2, 2, 1]);
  });

  it('put loads at equal distances', () => {
    assert.deepEqual(equalSteps(4, 400), [50, 150, 250, 350]);
  });
});

describe('The dots of charts', () => {
  it('stay in the middle unless they would hide each other', () => {
    assert.deepEqual(
      asides([10, 40, 80], 4, 10),
      [-0, -0, -0].map((zero) => zero * 1),
    );
    assert.deepEqual(asides([10, 10, 10], 4, 10).map(Math.abs), [0, 4, 4]);
  });

  it('never leave their space, and are at the same positions each time', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 50, noNaN: true }), { maxLength: 200 }), (places) => {
        const moved = asides(places, 5, 9);
        assert.ok(moved.every((by) => Math.abs(by) <= 9));
        assert.deepEqual(asides(places, 5, 9), moved);
      }),
    );
  });
});
