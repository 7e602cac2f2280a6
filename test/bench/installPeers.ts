import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from '../workbench/npm.ts';

/** The exact versions of the peers, by package. */
export async function peerVersions(): Promise<Readonly<Record<string, string>>> {
  const { dependencies } = await readJson<{ dependencies: Record<string, string> }>('package.json');
  return dependencies;
}

/** Installs the peers into their own folder, unless they're there already. */
export async function installPeers(): Promise<void> {
  const wanted = Object.entries(await peerVersions());
  const isThere = await Promise.all(
    wanted.map(async ([name, version]) => {
      const installed = await readJson<{ version: string }>(`node_modules/${name}/package.json`).catch(() => undefined);
      return installed?.version === version;
    }),
  );
  if (isThere.every(Boolean)) return;
  console.log('Installing the peers of the bench (about 100 MB, this folder only)…');
  await npm(import.meta.dirname, ['ci', '--ignore-scripts']);
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(join(import.meta.dirname, file), 'utf8')) as T;
}
