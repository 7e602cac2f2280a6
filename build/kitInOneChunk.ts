import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { inputsOfSeveral } from './sharedInputs.ts';

/** Packages and workers aren't part of the kit. */
const ownSourcesOnly: esbuild.Plugin = {
  name: 'own-sources-only',
  setup(build) {
    build.onResolve({ filter: /^[^./]|\.css$/ }, ({ kind, path }) =>
      kind === 'entry-point' ? undefined : { path, external: true },
    );
  },
};

const small = /^src\/(?:shared|words|webview\/kit)\//;

/**
 * What several pages share of the kit and the words becomes one chunk. One chunk for each set of pages would mean a
 * dozen.
 */
export async function kitInOneChunk(pages: esbuild.BuildOptions): Promise<esbuild.Plugin> {
  const { metafile } = await esbuild.build({ ...pages, plugins: [ownSourcesOnly], write: false, metafile: true });
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint }) =>
    entryPoint !== undefined && /^src\/.*\.ts$/.test(entryPoint) ? [entryPoint] : [],
  );
  const kit = inputsOfSeveral(metafile, entries).filter((input) => small.test(input) && input.endsWith('.ts'));
  const paths = new Set(entries.map((entry) => resolve(entry)));
  return {
    name: 'kit-in-one-chunk',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!paths.has(path)) return undefined;
        const imports = kit.map((input) => resolve(input)).filter((input) => input !== path);
        const lines = imports.map((input) => `import ${JSON.stringify(input)};`).join('\n');
        return { contents: `${await readFile(path, 'utf8')}\n${lines}`, loader: 'ts' };
      });
    },
  };
}
