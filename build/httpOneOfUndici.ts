import type { Plugin } from 'esbuild';

/**
 * Of undici's client what ours doesn't use, by its options: HTTP/2, and a second parser for HTTP/1, which it takes
 * only where the environment says so, in two builds of 75 KB that hardly compress.
 */
export const httpOneOfUndici: Plugin = {
  name: 'http-one-of-undici',
  setup(build) {
    build.initialOptions.define = { ...build.initialOptions.define, 'process.env.UNDICI_USE_MILO': '"0"' };
    build.onLoad({ filter: /[\\/]undici[\\/]lib[\\/](milo[\\/](no-)?simd|dispatcher[\\/]client-h2)\.js$/ }, () => ({
      contents: `module.exports = () => { throw new Error('not bundled'); };`,
    }));
  },
};
