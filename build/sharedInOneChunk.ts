import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as esbuild from 'esbuild';
import type { LateFiles } from './lateFiles.ts';
import { sharedInputs } from './sharedInputs.ts';

/**
 * What two late files share goes into one chunk. A chunk for each set of files would be fifty,
 * and opening the chat would read thirty of them.
 */
export async function sharedInOneChunk(late: esbuild.BuildOptions, lateFiles: LateFiles): Promise<esbuild.Plugin> {
  const { metafile } = await esbuild.build({ ...late, write: false, metafile: true });
  const shared = sharedInputs(metafile, lateFiles.keys(), process.cwd());
  const imports = shared.map((input) => `import ${JSON.stringify(resolve(input))};`).join('\n');
  return {
    name: 'shared-in-one-chunk',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!lateFiles.has(path)) return undefined;
        // Since each late file needs all of it, it becomes one chunk.
        return { contents: `${await readFile(path, 'utf8')}\n${imports}`, loader: 'ts' };
      });
    },
  };
}
