import assert from 'node:assert/strict';
import { isComparisonFound } from '../../../../src/core/compare/isComparisonFound.ts';

describe('A comparison in a list', () => {
  const long = `${'Review this file. '.repeat(50)} It draws kestrels on a Map.`;
  const comparison = { shown: ['Review this file…', 'kestrel/sparrow'], questions: [long, 'Name a bird'] };

  it('is found by what is shown, with gaps as in other lists', () => {
    assert.ok(isComparisonFound(comparison, 'rvw file'));
    assert.ok(isComparisonFound(comparison, 'SPARROW'));
  });

  it('is found by words anywhere in its questions, but not by letters that are scattered in them', () => {
    assert.ok(isComparisonFound(comparison, 'map kestrels'));
    assert.ok(isComparisonFound(comparison, 'bird'));
    assert.ok(!isComparisonFound(comparison, 'mpktr'));
    assert.ok(!isComparisonFound(comparison, 'map owls'));
  });
});
