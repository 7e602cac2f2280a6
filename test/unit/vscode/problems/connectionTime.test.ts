import assert from 'node:assert/strict';
import { ConnectionTime } from '../../../../src/vscode/problems/connectionTime.ts';

/** VS Code's storage, which outlives a window. */
function memento() {
  const values = new Map<string, unknown>();
  return {
    get: (key: string): undefined => values.get(key) as undefined,
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
}

describe('The time of the last change of a connection', () => {
  it('is known after a reload, so that an older failure is retried first', () => {
    const state = memento();
    const before = new ConnectionTime(state);
    assert.equal(before.isAfter(0), false);
    before.changed(1000);
    for (const time of [before, new ConnectionTime(state)]) {
      assert.equal(time.isAfter(999), true);
      assert.equal(time.isAfter(1001), false);
      assert.equal(time.isAfter(undefined), false);
    }
  });
});
