/** `npm run check`: everything that can be checked without starting VS Code, in parallel. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './folders.ts';
import { runScript } from './runScript.ts';

const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  await readFile(join(projectFolder, 'package.json'), 'utf8'),
);

/** Runs a script from package.json on this Node. Shows its output only if it fails: a green run prints five lines. */
async function runStep(name: string, ...more: readonly string[]): Promise<boolean> {
  const started = performance.now();
  // `node test/workbench/setup.mjs` comes first and has already run.
  const [, , script = '', ...args] = scripts[name]?.split(' ') ?? [];
  let said = '';
  const code = await runScript(script, [...args, ...more], (text) => (said += text));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? '✔' : '✘'} ${name.padEnd(9)} ${seconds} s`);
  if (code !== 0) console.log(said);
  return code === 0;
}

const [option] = process.argv.slice(2);
if (option !== undefined) {
  console.error(
    `npm run check has no options: not "${option}". Each step is a script of its own; see CONTRIBUTING.md.`,
  );
  process.exit(2);
}
const results = await Promise.all([
  runStep('format', '--check'),
  runStep('lint'),
  runStep('types'),
  runStep('unused'),
  runStep('test:unit'),
]);
process.exitCode = results.every(Boolean) ? 0 : 1;
