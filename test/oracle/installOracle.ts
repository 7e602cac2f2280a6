import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from '../workbench/npm.ts';

/** Installs promptfoo into this folder, unless it's already there. */
export async function installOracle(): Promise<void> {
  const { dependencies } = await readJson<{ dependencies: Record<string, string> }>('package.json');
  const installed = await readJson<{ version: string }>('node_modules/promptfoo/package.json').catch(() => undefined);
  if (installed !== undefined && installed.version === dependencies['promptfoo']) return;
  console.log('Installing promptfoo (about 2 GB, this folder only)…');
  await npm(import.meta.dirname, ['ci', '--ignore-scripts']);
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(join(import.meta.dirname, file), 'utf8')) as T;
}
