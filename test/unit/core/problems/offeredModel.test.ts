import assert from 'node:assert/strict';
import { offeredModel } from '../../../../src/core/problems/offeredModel.ts';
import type { Problem } from '../../../../src/shared/problem.ts';

describe('The model that a page asks for', () => {
  it('is used only if its problem offers that model', () => {
    const problem: Problem = {
      severity: 'error',
      title: 'Model not found',
      detail: '',
      technical: '',
      actions: [
        { kind: 'useModel', label: 'Use local/image', model: 'local/image' },
        { kind: 'selectModel', label: 'Select Another Model…' },
      ],
    };
    assert.equal(offeredModel(problem, 'local/image'), 'local/image');
    for (const [at, model] of [
      [problem, 'local/expensive'],
      [problem, undefined],
      [{ ...problem, actions: [] }, 'local/image'],
      [undefined, 'local/image'],
    ] as const) {
      assert.equal(offeredModel(at, model), undefined);
    }
  });
});
