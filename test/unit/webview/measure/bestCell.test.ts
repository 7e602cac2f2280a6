import assert from 'node:assert/strict';
import { bestCell } from '../../../../src/webview/measure/bestCell.ts';
import { measureStates } from '../../../ui/page/measureStates.ts';

function median(value: number, low?: number, high?: number) {
  const interval = low === undefined || high === undefined ? {} : { interval: { low, high } };
  return { value, spread: { count: 8, median: value, p90: value, p95: value, p99: value, iqr: 0, ...interval } };
}

describe('The best of a column', () => {
  it('is the shortest time, and the highest speed or throughput', () => {
    const cells = [median(0.2, 0.19, 0.21), median(0.3, 0.29, 0.31), median(0.4, 0.39, 0.41)];
    assert.equal(bestCell(cells, 'least'), 0);
    assert.equal(bestCell(cells, 'most'), 2);
    assert.equal(bestCell([median(0.31, 0.3, 0.32), median(0.15, 0.14, 0.16), {}, undefined], 'least'), 1);
  });

  it('is none if several share it, or only one is known', () => {
    const clear = median(0.15, 0.14, 0.16);
    assert.equal(bestCell([clear, clear], 'least'), undefined);
    assert.equal(bestCell([clear, {}], 'least'), undefined);
    assert.equal(bestCell([], 'least'), undefined);
  });

  it('is no median whose interval overlaps that of any other, or that has too few requests for one', () => {
    const clear = median(0.2, 0.19, 0.21);
    assert.equal(bestCell([clear, median(0.22, 0.2, 0.24), median(0.4, 0.39, 0.41)], 'least'), undefined);
    // Far apart in their medians, but with a wide interval.
    assert.equal(bestCell([clear, median(0.3, 0.29, 0.31), median(0.5, 0.2, 0.6)], 'least'), undefined);
    assert.equal(bestCell([clear, median(0.3)], 'least'), undefined);
    assert.equal(bestCell([median(0.2), median(0.3)], 'least'), undefined);
    // Requests per second have no interval, so any difference might be chance.
    assert.equal(bestCell([{ value: 1 }, { value: 100 }], 'most'), undefined);
  });

  it('is none if one of an estimate and a count would be', () => {
    const [slow, fast] = [median(100, 99, 101), median(120, 119, 121)];
    const estimate = { ...median(150, 149, 151), isEstimate: true };
    assert.equal(bestCell([slow, fast, estimate], 'most'), undefined);
    assert.equal(bestCell([slow, fast, { ...estimate, value: 50 }], 'most'), undefined);
    assert.equal(bestCell([{ ...slow, isEstimate: true }, estimate], 'most'), 1);
    assert.equal(
      bestCell(
        [
          { ...slow, isEstimate: false },
          { ...fast, isEstimate: false },
        ],
        'most',
      ),
      1,
    );
  });

  it('is clear for the models of the page, at every load', () => {
    const { loads, groups } = measureStates['finished']?.().result ?? assert.fail();
    for (const load of loads) {
      const own = groups.filter((group) => group.load === load);
      for (const [name, best] of [
        ['firstMs', 'least'],
        ['tokensPerSecond', 'most'],
        ['endToEndMs', 'least'],
      ] as const) {
        const cells = own.map(({ spreads: { [name]: spread } }) => ({ value: spread?.median, spread }));
        assert.equal(bestCell(cells, best), 0, `${name} at ${load}`);
      }
    }
  });
});
