/** `npm run check`: everything that can be said about the code without starting VS Code, all at the same time. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { projectFolder } from './folders.ts';

interface Step {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
}

const steps: readonly Step[] = [
  { name: 'format', script: 'node_modules/oxfmt/bin/oxfmt', args: ['--check'] },
  { name: 'lint', script: 'node_modules/oxlint/bin/oxlint', args: ['--type-aware'] },
  { name: 'types', script: 'node_modules/typescript/bin/tsc', args: ['-b'] },
  { name: 'unused', script: 'node_modules/knip/bin/knip.js', args: [] },
  { name: 'unit', script: 'test/run.ts', args: ['--only', 'unit'] },
];

/** Shows what a step says only when it fails: a green run is five lines. */
async function runStep({ name, script, args }: Step): Promise<boolean> {
  const started = performance.now();
  const child = spawn(process.execPath, [script, ...args], { cwd: projectFolder, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = await once(child, 'close');
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? '✔' : '✘'} ${name.padEnd(7)} ${seconds} s`);
  if (code !== 0) console.log(said);
  return code === 0;
}

const results = await Promise.all(steps.map(runStep));
process.exitCode = results.every(Boolean) ? 0 : 1;
