import assert from 'node:assert/strict';
import { lazy } from '../../../../src/vscode/platform/lazy.ts';

describe('What is loaded late', () => {
  it("is loaded when it's first needed, and once", async () => {
    let loads = 0;
    const get = lazy(() => Promise.resolve({ number: (loads += 1) }));
    assert.equal(loads, 0);
    const [one, other] = await Promise.all([get(), get()]);
    assert.equal(one, other);
    assert.equal(await get(), one);
    assert.equal(loads, 1);
  });

  it('is tried again after a failure', async () => {
    const outcomes = [Promise.reject(new Error('The disk is away')), Promise.resolve('here')];
    const get = lazy(() => outcomes.shift() ?? assert.fail('loaded a third time'));
    await assert.rejects(get(), /away/);
    assert.equal(await get(), 'here');
    assert.equal(await get(), 'here');
  });
});
