import { glob, rm } from 'node:fs/promises';
import { join, normalize, relative } from 'node:path';
import { build, type BuildOptions, type Metafile } from 'esbuild';

/**
 * Builds everything at once, and then deletes the files of earlier builds, so that a VS Code that runs from `dist`
 * always finds its files.
 * @param into the folder that contains `dist` and `out`.
 * @returns false if a build failed; esbuild has printed why.
 */
export async function runBuilds(builds: readonly BuildOptions[], into: string): Promise<boolean> {
  const results = await Promise.allSettled(builds.map((options) => build({ ...options, metafile: true })));
  const outputs: Metafile['outputs'] = {};
  for (const result of results) {
    if (result.status === 'rejected') return false;
    Object.assign(outputs, result.value.metafile.outputs);
  }
  await removeStale(new Set(Object.keys(outputs).map(normalize)), into);
  printSizes(outputs);
  return true;
}

async function removeStale(written: ReadonlySet<string>, into: string): Promise<void> {
  const stale = ['dist/**', 'out/test/**'].map((pattern) => join(into, pattern));
  for await (const entry of glob(stale, { withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isDirectory() && !written.has(relative(process.cwd(), file))) await rm(file, { force: true });
  }
}

function printSizes(outputs: Metafile['outputs']): void {
  for (const [file, { bytes, entryPoint }] of Object.entries(outputs)) {
    // Chunks that are loaded late have an entry point too.
    const isFirst = entryPoint && /\bdist\b/.test(file) && !/chunks|late/.test(file);
    if (isFirst) console.log(`${file.padEnd(24)} ${Math.ceil(bytes / 1024)} KB`);
  }
}
