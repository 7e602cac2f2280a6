import assert from 'node:assert/strict';
import { useWorkbench } from './useWorkbench.ts';

describe('The workbench is watched', () => {
  const workbench = useWorkbench();

  it('for an extension host that ends, unless the test has killed it', async () => {
    const { page, driver } = workbench();
    const asVsCode = () =>
      page.evaluate(() => console.error('Extension host terminated unexpectedly: parlance.parlance'));
    await workbench().killExtensionHost();
    await asVsCode();
    await driver.whenConnected();
    assert.deepEqual(await workbench().takeSettledFaults(), []);
    await asVsCode();
    assert.match((await workbench().takeFaults()).join('\n'), /terminated unexpectedly/);
  });
});
