/** What bundling the pages takes besides esbuild, for the extension, its tests and the bench. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as esbuild from 'esbuild';

/**
 * marked comes as one minified file whose last lines build the whole library, so that nothing of it could be left
 * out. Here those lines go: of marked the page uses the lexer alone, and what it does not use is not bundled.
 */
export const lexerOfMarked: esbuild.Plugin = {
  name: 'lexer-of-marked',
  setup(build) {
    build.onLoad({ filter: /[\\/]marked[\\/]lib[\\/]marked\.esm\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const library = /var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(/.exec(text);
      const [lexer, tokenizer] = ['Lexer', 'Tokenizer'].map(
        (name) => new RegExp(`(\\w+) as ${name}\\b`).exec(text)?.[1],
      );
      if (!library || !lexer || !tokenizer) throw new Error('marked has another form now: see lexerOfMarked');
      return { contents: `${text.slice(0, library.index)}export{${lexer} as Lexer,${tokenizer} as Tokenizer}` };
    });
  },
};

/**
 * Of undici's client what ours does not use, by its options: HTTP/2, and a second parser for HTTP/1, which it takes
 * only where the environment says so, in two builds of 75 KB that hardly compress.
 */
export const httpOneOfUndici: esbuild.Plugin = {
  name: 'http-one-of-undici',
  setup(build) {
    build.initialOptions.define = { ...build.initialOptions.define, 'process.env.UNDICI_USE_MILO': '"0"' };
    build.onLoad({ filter: /[\\/]undici[\\/]lib[\\/](milo[\\/](no-)?simd|dispatcher[\\/]client-h2)\.js$/ }, () => ({
      contents: `module.exports = () => { throw new Error('not bundled'); };`,
    }));
  },
};

/**
 * Grammars without those of the languages that may stand in them: which of those to load the page finds out by itself,
 * and a file for each set of languages that share some would be forty more.
 */
export const languagesByThemselves: esbuild.Plugin = {
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

/**
 * `import script from 'worker:./x.ts'`: the script of a worker, bundled by itself, as text. A page may fetch nothing,
 * so it makes its workers of text that it has.
 *
 * @param plugins of the worker's own build.
 */
export function workersAsText(plugins: esbuild.Plugin[] = []): esbuild.Plugin {
  return {
    name: 'workers-as-text',
    setup(build) {
      const prefix = /^worker:/;
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
          plugins,
        });
        return {
          contents: outputFiles[0]?.text ?? '',
          loader: 'text',
          watchFiles: Object.keys(metafile.inputs).map((input) => resolve(absWorkingDir ?? '.', input)),
        };
      });
    },
  };
}
