import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as esbuild from 'esbuild';
import type { LateFiles } from './lateFiles.ts';
import { clientInputs, sharedInputs } from './sharedInputs.ts';

/**
 * What late files share becomes one chunk, and so does what the first request loads in addition. One chunk for each set
 * of files would mean fifty, and opening the chat would read thirty of them.
 */
export async function sharedInOneChunk(late: esbuild.BuildOptions, lateFiles: LateFiles): Promise<esbuild.Plugin> {
  const { metafile } = await esbuild.build({ ...late, write: false, metafile: true });
  const ofLate = sharedInputs(metafile, lateFiles.keys(), process.cwd());
  const ofClient = clientInputs(metafile, ofLate);
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const sharedOf = new Map(
    entries.map((entry) => {
      // Late files have loaded what they share before one of them imports anything else.
      const shared = entry.startsWith('src/api/') ? ofClient : ofLate;
      return [resolve(entry), shared.filter((input) => input !== entry)];
    }),
  );
  return {
    name: 'shared-in-one-chunk',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const shared = sharedOf.get(path);
        if (shared === undefined) return undefined;
        // Because each of these files needs all of it, it becomes one chunk.
        const imports = shared.map((input) => `import ${JSON.stringify(resolve(input))};`).join('\n');
        return { contents: `${await readFile(path, 'utf8')}\n${imports}`, loader: 'ts' };
      });
    },
  };
}
