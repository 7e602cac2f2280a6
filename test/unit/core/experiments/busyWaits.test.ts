import assert from 'node:assert/strict';
import { BusyWaits } from '../../../../src/core/experiments/busyWaits.ts';
import type { PlannedSend } from '../../../../src/core/experiments/experimentRun.ts';
import { plannedBody, plannedRequests } from '../../../../src/core/experiments/experimentPlan.ts';
import { someExperiment } from './someExperiment.ts';

describe('Requests that wait for a busy service', () => {
  const experiment = someExperiment({ models: [{ id: 'a' }, { id: 'b' }, { id: 'other::c' }] });
  const [a, b, c] = ['a', 'b', 'other::c'].map((model): PlannedSend => {
    const request = plannedRequests(experiment).find((each) => each.model.id === model) ?? assert.fail();
    return { attempt: model, request, body: plannedBody(experiment, request, model) };
  });
  assert.ok(a !== undefined && b !== undefined && c !== undefined);

  function watched() {
    const waits: Record<string, number> = {};
    const busy = new BusyWaits<string>((waiter, until) => {
      if (until === undefined) delete waits[waiter];
      else waits[waiter] = until;
    });
    return { waits, told: busy.of(({ model }) => model.id) };
  }

  it('wait for the same moment, and none of them for an earlier one that has passed', () => {
    const { waits, told } = watched();
    told.onPaused(a.request, 10);
    told.onPaused(b.request, 12);
    told.onPaused(c.request, 90);
    assert.deepEqual(waits, { a: 12, b: 12, 'other::c': 90 });
    // The service gets one to try.
    told.onSending(b);
    assert.deepEqual(waits, { 'other::c': 90 });
    told.onPaused(b.request, 20);
    assert.deepEqual(waits, { a: 20, b: 20, 'other::c': 90 });
  });

  it("don't wait once they are sent, or their model isn't asked anymore", () => {
    const { waits, told } = watched();
    told.onPaused(a.request, 10);
    told.onPaused(b.request, 10);
    told.onSending(a);
    told.onPaused(b.request, 20);
    assert.deepEqual(waits, { b: 20 });
    told.onGaveUp(b.request.model);
    assert.deepEqual(waits, {});
    told.onPaused(a.request, 30);
    assert.deepEqual(waits, { a: 30 });
  });
});
