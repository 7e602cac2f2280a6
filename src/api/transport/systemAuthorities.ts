import { Worker } from 'node:worker_threads';

/**
 * On macOS the system takes between 5 and 48 s to name its authorities, and holds the thread that asks. On the
 * extension host's own thread that would freeze every extension. As text, so that no bundle has to carry a file for it.
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
 * The certificates, as PEM, of the authorities that the system trusts. Read once in this process, however many
 * transports ask: what is installed later counts after a restart. Empty where they can't be read; then the next call
 * tries again.
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

/** The same without waiting; undefined as long as nobody has read them. */
export function knownSystemAuthorities(): readonly string[] | undefined {
  return known;
}

function read(): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    // Without the flags of this process: a worker refuses some of them.
    const worker = new Worker(script, { eval: true, execArgv: [], name: 'system certificates' });
    worker.unref();
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The certificates of the system were not read')));
  });
}
