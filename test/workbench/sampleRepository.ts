import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Puts a folder under Git, with a staged change. Does nothing if that was done before, or there's no Git. */
export async function makeSampleRepository(folder: string): Promise<void> {
  if (existsSync(join(folder, '.git'))) return;
  const git = async (...args: readonly string[]) =>
    run('git', ['-c', 'user.name=Parlance', '-c', 'user.email=parlance@example.test', ...args], { cwd: folder });
  try {
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'A small list of tasks');
    await appendFile(join(folder, 'README.md'), '\n`src/main.py` prints a median: what of an even number of values?\n');
    await git('add', 'README.md');
  } catch {
    // Everything else can be tested without it.
  }
}
