import assert from 'node:assert/strict';
import { retryFirst } from '../../../../src/core/problems/retryFirst.ts';
import type { Problem, ProblemActionKind } from '../../../../src/shared/problem.ts';

function problem(...kinds: readonly ProblemActionKind[]): Problem {
  const actions = kinds.map((kind) => ({ kind, label: kind }));
  return { severity: 'error', title: 'x', detail: '', technical: '', actions };
}

const order = (...kinds: readonly ProblemActionKind[]) => retryFirst(problem(...kinds)).actions.map(({ kind }) => kind);

describe('A problem whose cause has been changed since', () => {
  it('has Retry first if the connection was to blame', () => {
    assert.deepEqual(order('setApiKey', 'openKeysPage', 'retry'), ['retry', 'setApiKey', 'openKeysPage']);
    assert.deepEqual(order('useHttps', 'retry'), ['retry', 'useHttps']);
  });

  it('stays unchanged if something else was to blame, or no retry helps', () => {
    assert.deepEqual(order('openCreditsPage', 'retry'), ['openCreditsPage', 'retry']);
    assert.deepEqual(order('setApiKey'), ['setApiKey']);
    assert.deepEqual(order(), []);
  });
});
