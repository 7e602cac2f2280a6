import { resolve } from 'node:path';
import * as esbuild from 'esbuild';

/**
 * `import script from 'worker:./x.ts'`: the bundled script of a worker, as text. A page can't fetch anything, so it
 * creates its workers from text. The page's metafile includes their sources too.
 */
export const workersAsText: esbuild.Plugin = {
  name: 'workers-as-text',
  setup(build) {
    const prefix = /^worker:/;
    const inputs = new Map<string, esbuild.Metafile['inputs']>();
    build.onResolve({ filter: prefix }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace(prefix, '')),
      namespace: 'worker',
    }));
    build.onLoad({ filter: /./, namespace: 'worker' }, async ({ path }) => {
      const { absWorkingDir, minify = false, target } = build.initialOptions;
      const { outputFiles, metafile } = await esbuild.build({
        ...(absWorkingDir !== undefined && { absWorkingDir }),
        ...(target !== undefined && { target }),
        entryPoints: [path],
        bundle: true,
        format: 'iife',
        platform: 'browser',
        legalComments: 'none',
        minify,
        write: false,
        metafile: true,
        logLevel: 'warning',
      });
      inputs.set(path, metafile.inputs);
      return {
        contents: outputFiles[0]?.text ?? '',
        loader: 'text',
        watchFiles: Object.keys(metafile.inputs).map((input) => resolve(absWorkingDir ?? '.', input)),
      };
    });
    build.onEnd(({ metafile }) => {
      if (metafile) Object.assign(metafile.inputs, ...inputs.values());
    });
  },
};
