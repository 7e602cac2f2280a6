import type { Frame } from 'playwright-core';

/** Resolves when the frame has done its pending work; immediately if it's gone, or if no script runs in it. */
export async function afterItsTasks(frame: Frame): Promise<void> {
  // It would never answer.
  if (!(await runsScripts(frame))) return;
  await frame.evaluate(() => new Promise((resolve) => setTimeout(resolve))).catch(() => undefined);
}

async function runsScripts(frame: Frame): Promise<boolean> {
  if (frame.parentFrame() === null) return true;
  const sandbox = await frame
    .frameElement()
    .then((element) => element.getAttribute('sandbox'))
    .catch(() => '');
  return sandbox === null || sandbox.split(' ').includes('allow-scripts');
}
