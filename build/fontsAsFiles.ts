import type { Plugin } from 'esbuild';

/** Fonts that a style sheet names are copied beside it. */
export const fontsAsFiles: Plugin = {
  name: 'fonts-as-files',
  setup({ initialOptions }) {
    initialOptions.loader = { ...initialOptions.loader, '.woff2': 'file' };
  },
};
