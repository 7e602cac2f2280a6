import { Worker } from 'node:worker_threads';

/**
 * On macOS the system takes 5 to 48 s to list its authorities, and blocks the calling thread. On the extension host's
 * own thread that would freeze every extension. The worker's code is text, so that no bundle needs an extra file.
 */
const script = `
  const { parentPort } = require('node:worker_threads');
  // Node 22.15 brought the function.
  const { getCACertificates } = require('node:tls');
  parentPort.postMessage(getCACertificates === undefined ? [] : getCACertificates('system'));
`;

let reading: Promise<readonly string[]> | undefined;
let known: readonly string[] | undefined;

/**
 * The certificates of the authorities that the system trusts, as PEM. Read once per process, no matter how many
 * transports ask: an authority that is installed later counts after a restart. Empty if they can't be read; the next
 * call tries again.
 */
export function systemAuthorities(): Promise<readonly string[]> {
  reading ??= read().then(
    (found) => (known = found),
    () => {
      reading = undefined;
      return [];
    },
  );
  return reading;
}

/** The same without waiting; undefined until they have been read. */
export function knownSystemAuthorities(): readonly string[] | undefined {
  return known;
}

function read(): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    // Without this process's flags, some of which a worker rejects.
    const worker = new Worker(script, { eval: true, execArgv: [], name: 'system certificates' });
    worker.unref();
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The certificates of the system were not read')));
  });
}
