import type { Plugin } from 'esbuild';

/**
 * Bundles each grammar without those of its embedded languages: the page determines which of those to load, and one
 * file for each set of shared languages would mean forty more.
 */
export const languagesByThemselves: Plugin = {
  name: 'languages-by-themselves',
  setup(build) {
    build.onResolve({ filter: /^\.\/[\w-]+\.mjs$/ }, ({ path, importer }) =>
      /[\\/]langs[\\/]dist[\\/][\w-]+\.mjs$/.test(importer)
        ? // One per importer: a shared one would be another file.
          { path: `${importer}:${path}`, namespace: 'no-language' }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'no-language' }, () => ({ contents: 'export default [];' }));
  },
};
