import assert from 'node:assert/strict';
import { ChatDriver } from './chatDriver.ts';
import { useWorkbench } from './useWorkbench.ts';

describe('The workbench is watched', () => {
  const workbench = useWorkbench();

  it('by the log that Parlance writes, in which a message that was lost is known', async () => {
    const chat = await ChatDriver.open(workbench());
    // As if from the host.
    await chat.frame.evaluate(() => window.postMessage({ type: 'snapshot', snapshot: { messages: {} } }));
    const faults = await workbench().takeSettledFaults();
    const isKnown = faults.some((fault) => fault.includes('A page failed at a message from the host: snapshot'));
    assert.ok(isKnown, faults.join('\n'));
  });

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
