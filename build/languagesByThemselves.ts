import type { Plugin } from 'esbuild';

/**
 * Grammars without those of the languages that may stand in them: which of those to load the page finds out by itself,
 * and a file for each set of languages that share some would be forty more.
 */
export const languagesByThemselves: Plugin = {
  name: 'languages-by-themselves',
  setup(build) {
    build.onResolve({ filter: /^\.\/[\w-]+\.mjs$/ }, ({ path, importer }) =>
      /[\\/]langs[\\/]dist[\\/][\w-]+\.mjs$/.test(importer)
        ? // One of each importer's own: what files share is a file more.
          { path: `${importer}:${path}`, namespace: 'no-language' }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'no-language' }, () => ({ contents: 'export default [];' }));
  },
};
