/**
 * Runs unit tests in Node for Windows: `node test/workbench/runInWine.ts <order> <results>`. The order is JSON with the
 * files and the text to look for; each file's results and output become a line of JSON as soon as it is done.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, setGlobalDispatcher } from 'undici';
import { failOnLostRejections } from './failOnLostRejections.ts';
import { projectFolder } from './folders.ts';
import { runMocha } from './runMocha.ts';

const [order = '', resultFile = ''] = process.argv.slice(2);
interface Order {
  readonly files: readonly string[];
  readonly grep?: string;
  /** The beginnings of the full titles of tests that can't pass. */
  readonly leftOut: readonly string[];
}
const { files, grep, leftOut }: Order = JSON.parse(readFileSync(order, 'utf8'));

// Node's own fetch requests keep-alive before it's connected. Windows accepts that, Wine doesn't.
setGlobalDispatcher(new Agent({ connect: { keepAlive: false } }));

failOnLostRejections();

/** Starting a process takes seconds there, and sockets have a tenth of the usual throughput. */
const slowness = 6;

for (const file of files) {
  const skipped = new Set<string>();
  let text = `${file}\n`;
  const results = await runMocha({
    files: [join(projectFolder, file)],
    grep,
    timeoutMs: 60_000,
    slowness,
    skip: (title) => {
      const entry = leftOut.find((start) => title.startsWith(start));
      if (entry !== undefined) skipped.add(entry);
      return entry !== undefined;
    },
    write: (printed) => (text += `${printed}\n`),
  }).catch((error: unknown) => {
    text += String(error instanceof Error ? error.stack : error);
    return [{ file, passed: 0, failed: 1, skipped: 0, ms: 0 }];
  });
  appendFileSync(resultFile, `${JSON.stringify({ text, results, skipped: [...skipped] })}\n`);
}
process.exit(0);
