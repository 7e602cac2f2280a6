import assert from 'node:assert/strict';
import { noteProposals, takeCutOff } from '../../../../../src/vscode/prompts/proposal/openProposals.ts';

/** VS Code's storage for a workspace. */
function memento(noted?: unknown) {
  const values = new Map<string, unknown>(noted === undefined ? [] : [['parlance.openProposals', noted]]);
  return {
    get: (key: string): undefined => values.get(key) as undefined,
    update: async (key: string, value: unknown) =>
      void (value === undefined ? values.delete(key) : values.set(key, value)),
    size: () => values.size,
  };
}

// Higher than any ID that systems assign.
const deadPid = 2 ** 22 + 1;

describe('Proposed changes that were open', () => {
  it('are reported once, when their window is gone', async () => {
    const state = memento({ window: 'w', pid: deadPid, at: Date.now() });
    assert.equal(await takeCutOff(state), true);
    assert.equal(await takeCutOff(state), false);
  });

  it('are reported if their window had the process ID of this one, as in a container', async () => {
    const state = memento({ window: 'w', pid: process.pid, at: Date.now() });
    assert.equal(await takeCutOff(state), true);
  });

  it("aren't reported while their window exists", async () => {
    const state = memento();
    await noteProposals(state, true);
    assert.equal(await takeCutOff(state), false);
    assert.equal(state.size(), 1);
  });

  it('are waited for while their window is closing, and left alone if it stays', async () => {
    const gone = memento({ window: 'w', pid: deadPid, at: Date.now() });
    assert.equal(await takeCutOff(gone, () => assert.fail('nothing to wait for')), true);
    const other = memento({ window: 'w', pid: process.ppid, at: Date.now() });
    let waits = 0;
    assert.equal(await takeCutOff(other, async () => (waits += 1)), false);
    assert.deepEqual([waits, other.size()], [1, 1]);
  });

  it('are forgotten when the last of them is closed', async () => {
    const state = memento();
    await noteProposals(state, true);
    await noteProposals(state, false);
    assert.equal(state.size(), 0);
  });

  it('are none if something else was stored', async () => {
    for (const noted of ['x', 1, null, {}, { window: 'w', pid: 'x', at: 1 }]) {
      assert.equal(await takeCutOff(memento(noted)), false);
    }
  });
});
