import { once } from 'node:events';
import { basename } from 'node:path';
import { startProcessGroup } from './processGroup.ts';

/**
 * Runs npm in `folder`, with the npm that runs this script if there's one.
 * @throws {Error} with the end of npm's output if it fails.
 */
export async function npm(folder: string, args: readonly string[]): Promise<void> {
  const running = process.env['npm_execpath'];
  const known = running !== undefined && basename(running) === 'npm-cli.js';
  const group = startProcessGroup(
    known ? process.execPath : 'npm',
    // The folder is a dot: the shell that npm needs on Windows would split a path at its spaces.
    [...(known ? [running] : []), '--prefix', '.', '--loglevel', 'error', '--no-audit', '--no-fund', ...args],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], shell: !known && process.platform === 'win32' },
  );
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-4_000);
  };
  group.child.stdout?.on('data', keep);
  group.child.stderr?.on('data', keep);
  try {
    const [code] = await once(group.child, 'close');
    if (code !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder}:\n${output.trim()}`);
  } finally {
    await group.close();
  }
}
