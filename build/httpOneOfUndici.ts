import type { Plugin } from 'esbuild';

/**
 * Leaves out parts of undici's client that our options don't use: HTTP/2, and a second HTTP/1 parser, which it only
 * uses if the environment says so, in two builds of 75 KB that hardly compress.
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
