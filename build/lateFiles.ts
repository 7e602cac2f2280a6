import { basename, resolve } from 'node:path';
import * as esbuild from 'esbuild';

/** What activation loads later: by absolute path, the name of each file under `dist`. */
export type LateFiles = ReadonlyMap<string, string>;

/** The files that `extension` imports dynamically, directly or indirectly. */
export async function findLateFiles(extension: esbuild.BuildOptions): Promise<LateFiles> {
  const found = new Map<string, string>();
  const collect: esbuild.Plugin = {
    name: 'collect-late-files',
    setup(build) {
      build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        found.set(resolve(resolveDir, path), `late/${basename(path, '.ts')}`);
        return { path, external: true };
      });
    },
  };
  await esbuild.build({ ...extension, write: false, plugins: [collect] });
  if (new Set(found.values()).size < found.size) throw new Error('Two files of one name are loaded late');
  // Sorted, so that the same sources give the same files.
  return new Map([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Makes dynamic imports load the output of the build of the late files. */
export function leadToLateFiles(lateFiles: LateFiles): esbuild.Plugin {
  return {
    name: 'lead-to-late-files',
    setup(build) {
      build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        return { path: `./${lateFiles.get(resolve(resolveDir, path))}.js`, external: true };
      });
    },
  };
}
