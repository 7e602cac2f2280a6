import { format } from 'node:util';

/**
 * Looks after each test for what went wrong beside it, which then fails that test and no other: an assertion in a hook
 * would leave its test passed, and end the suite. Call it inside a `describe`, before hooks that ask whether the test
 * failed.
 * @param take returns what went wrong since the last call
 */
export function failOnFaults(title: string, take: () => Promise<readonly unknown[]> | readonly unknown[]): void {
  afterEach(title, async function () {
    let faults: readonly unknown[];
    try {
      faults = await take();
    } catch (error) {
      faults = [error];
    }
    failTest(
      this,
      faults.map((fault) => format(fault)),
    );
  });
}

/**
 * Fails the test that a hook runs after, though it might have passed already. Later hooks see that it failed.
 * @param faults if there are any
 */
export function failTest({ test: hook, currentTest }: Mocha.Context, faults: readonly string[]): void {
  if (faults.length === 0) return;
  const error = new Error(`Something went wrong beside the test:\n${faults.join('\n')}`);
  if (currentTest === undefined || !isHook(hook)) throw error;
  error.stack = error.message;
  // Mocha would leave a skipped one as it is.
  currentTest.pending = false;
  hook.error(error);
}

function isHook(runnable: Mocha.Runnable | undefined): runnable is Mocha.Hook {
  return Object(runnable).type === 'hook';
}
