import type { Plugin } from 'esbuild';

/** Copies fonts that a style sheet uses to the same folder. */
export const fontsAsFiles: Plugin = {
  name: 'fonts-as-files',
  setup({ initialOptions }) {
    initialOptions.loader = { ...initialOptions.loader, '.woff2': 'file' };
  },
};
