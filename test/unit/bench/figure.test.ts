import assert from 'node:assert/strict';
import { figure, median, ratios, takeTurns } from '../../bench/figure.ts';

describe('a figure of the benchmark', () => {
  it('is the median, with its spread and whether its goal is met', () => {
    const values = [4, 1, 2, 3, 5];
    assert.equal(median(values), 3);
    assert.deepEqual(figure('size', values, 'KB', 3), {
      name: 'size',
      value: 3,
      unit: 'KB',
      goal: '≤ 3',
      met: true,
      spread: 0.333,
    });
    assert.equal(figure('size', values, 'KB', 2.9).met, false);
  });

  it('has no spread if it was measured once, and no verdict without a goal', () => {
    assert.deepEqual(figure('size', [7], 'KB'), { name: 'size', value: 7, unit: 'KB' });
  });

  it('is a ratio within each round', () => {
    assert.deepEqual(ratios([2, 9], [1, 3]), [2, 3]);
  });
});

describe('taking turns', () => {
  it('measures each candidate once per round, none always after the same one', async () => {
    const order: string[] = [];
    const values = await takeTurns(['a', 'b', 'c'] as const, 3, (name, round) => {
      order.push(name);
      return Promise.resolve(round);
    });
    assert.equal(order.join(''), 'abcbcacab');
    assert.deepEqual(values, { a: [0, 1, 2], b: [0, 1, 2], c: [0, 1, 2] });
  });
});
