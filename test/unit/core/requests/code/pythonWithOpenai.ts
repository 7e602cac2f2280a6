import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../../../workbench/folders.ts';

const run = promisify(execFile);
const version = '3.22.1';
const limitMs = 120_000;

/**
 * The environment in which `python3` has the `openai` package: as it is, or with the package installed into the cache
 * folder once. Undefined if it isn't available.
 */
export async function pythonWithOpenai(): Promise<NodeJS.ProcessEnv | undefined> {
  if (await imports(process.env)) return process.env;
  const folder = join(cacheFolder, `python-openai-${version}`);
  const env = { ...process.env, PYTHONPATH: folder };
  if (await imports(env)) return env;
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', folder];
  try {
    await run('python3', [...install, '--retries', '1', '--timeout', '10', `openai==${version}`], { timeout: limitMs });
    if (await imports(env)) return env;
  } catch {
    // No Python, no pip, no network, or too slow.
  }
  await rm(folder, { recursive: true, force: true });
  return undefined;
}

async function imports(env: NodeJS.ProcessEnv): Promise<boolean> {
  return run('python3', ['-c', 'import openai'], { env, timeout: limitMs }).then(
    () => true,
    () => false,
  );
}
