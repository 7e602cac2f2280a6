/**
 * Runs one suite in a process of its own: `node test/workbench/mochaSuite.ts --files <glob>… [--exclude <glob>]…
 * --result <file> [--grep <text>] [--timeout <ms>]`.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { findFiles } from './findFiles.ts';
import { runMocha } from './runMocha.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true, default: [] },
    exclude: { type: 'string', multiple: true, default: [] },
    result: { type: 'string' },
    grep: { type: 'string' },
    timeout: { type: 'string', default: '10000' },
  },
});
if (values.files.length === 0 || values.result === undefined) throw new Error('--files and --result are needed');

const files = (await Promise.all(values.files.map((pattern) => findFiles(pattern, values.exclude)))).flat();
const result = await runMocha({ files, grep: values.grep, timeoutMs: Number(values.timeout) });
await writeFile(values.result, JSON.stringify(result));
process.exitCode = result.failed > 0 ? 1 : 0;

// A test that leaves a socket or a timer behind would keep this process for ever. Unreferenced, so
// that it fires only then.
const leftoverLimitMs = 10_000;
setTimeout(() => {
  const left = process.getActiveResourcesInfo().filter((kind) => kind !== 'TTYWrap' && kind !== 'PipeWrap');
  console.error(`The tests are done but left something running: ${left.join(', ')}`);
  process.exit(1);
}, leftoverLimitMs).unref();
