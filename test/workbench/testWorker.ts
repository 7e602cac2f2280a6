/**
 * A process that runs test files one after another, as its parent (`testWorkers.ts`) sends them. All output is sent to
 * the parent, so that parallel workers don't mix their reports.
 */
import { closeAll } from './atWorkerEnd.ts';
import { failOnLostRejections } from './failOnLostRejections.ts';
import { runMocha } from './runMocha.ts';
import type { FromWorker, ToWorker } from './testWorkers.ts';

const tell = (message: FromWorker): void => {
  process.send?.(message);
};
/** Ends this process once the parent has everything that it was told. */
const fail = (problem: unknown): void => {
  console.error(problem);
  process.send?.({ type: 'printed', text: '' } satisfies FromWorker, () => process.exit(1));
};

const capture = ((text: string | Uint8Array): boolean => {
  tell({ type: 'printed', text: typeof text === 'string' ? text : Buffer.from(text).toString() });
  return true;
}) as typeof process.stdout.write;
process.stdout.write = capture;
process.stderr.write = capture;

failOnLostRejections();

// The parent was ended by a signal: what the tests have opened, VS Code and browsers, ends with this process.
process.once('disconnect', () => process.exit(1));

/** @param limitMs a test that leaves a socket or a timer behind would keep this process alive forever */
async function end(limitMs: number): Promise<void> {
  await closeAll();
  setTimeout(() => {
    const left = process.getActiveResourcesInfo().filter((kind) => !/^(TTY|Pipe)Wrap$/.test(kind));
    fail(`The tests are done but left something running: ${left.join(', ')}`);
  }, limitMs).unref();
  // Not disconnected, so that what is left can still be named.
  process.channel?.unref();
}

// One at a time: the parent sends the next file when it has the result of the previous one.
process.on('message', (message: ToWorker) => {
  const work = async (): Promise<void> => {
    if (message.type === 'end') return end(message.leftoverLimitMs);
    const { file, grep, timeoutMs } = message;
    tell({ type: 'finished', results: await runMocha({ files: [file], grep, timeoutMs }) });
  };
  work().catch(fail);
});
