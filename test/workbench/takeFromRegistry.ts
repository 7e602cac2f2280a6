import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  readonly dependencies?: Record<string, string>;
}

/**
 * Installs packages that a folder's lock file takes from a Git repository from the npm registry instead, in the same
 * version: VS Code 1.106 wants `@parcel/watcher` from GitHub, which not every machine can reach.
 */
export async function takeFromRegistry(folder: string): Promise<void> {
  const lockFile = join(folder, 'npm-shrinkwrap.json');
  const manifestFile = join(folder, 'package.json');
  const lock: { readonly packages: Record<string, LockedPackage> } = JSON.parse(await readFile(lockFile, 'utf8'));
  const manifest: { readonly dependencies: Record<string, string> } = JSON.parse(await readFile(manifestFile, 'utf8'));
  const fromGit = Object.entries(lock.packages).filter(([, { resolved }]) => resolved?.startsWith('git'));
  if (fromGit.length === 0) return;
  for (const [path, locked] of fromGit) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const version = locked.version ?? '*';
    locked.resolved = `https://registry.npmjs.org/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
    delete locked.integrity;
    for (const dependencies of [manifest.dependencies, lock.packages['']?.dependencies]) {
      if (dependencies?.[name] !== undefined) dependencies[name] = version;
    }
  }
  await writeFile(lockFile, JSON.stringify(lock));
  await writeFile(manifestFile, JSON.stringify(manifest));
}
