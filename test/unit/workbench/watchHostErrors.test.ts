import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isOurFault } from '../../workbench/isOurFault.ts';
import { watchHostErrors } from '../../workbench/watchHostErrors.ts';

/** What it reports about this code in its own process: rejections that nobody handles fail a test here. */
async function toldOf(code: string): Promise<readonly string[]> {
  const script = `
    const told = [];
    const errors = (${String(watchHostErrors)})((fault) => told.push(fault));
    process.on('uncaughtException', () => undefined);
    ${code}
    setTimeout(() => errors.settle().then(() => console.log(JSON.stringify(told))), 1);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  return JSON.parse(stdout);
}

describe('What is told about errors in the extension host', () => {
  for (const [what, code, expected] of [
    ['a rejection with an error', `Promise.reject(new Error('broken'));`, /^unhandled rejection: Error: broken\n +at /],
    ['a rejection with a text', `Promise.reject('broken');`, /^unhandled rejection: broken$/],
    ['a rejection with nothing', `Promise.reject();`, /^unhandled rejection: undefined$/],
    ['an exception that is a text', `queueMicrotask(() => { throw 'broken'; });`, /^uncaught exception: broken$/],
    ['an error in the console', `console.error('broken');`, /^console\.error: broken.*\n +at /],
  ] as const) {
    it(`includes ${what}, which is ours unless a stack says otherwise`, async () => {
      const [fault = '', ...others] = await toldOf(code);
      assert.match(fault, expected);
      assert.deepEqual(others, []);
      assert.equal(isOurFault(`extension host: ${fault}`), !fault.startsWith('console.error'));
    });
  }

  it('leaves out what is handled in time, and what was canceled', async () => {
    const handled = `const late = Promise.reject(new Error('late')); setTimeout(() => late.catch(() => undefined), 5);`;
    const canceled = `Promise.reject(Object.assign(new Error('Canceled'), { name: 'Canceled' }));`;
    assert.deepEqual(await toldOf(handled + canceled), []);
  });
});
