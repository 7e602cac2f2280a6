import type { Plugin } from 'esbuild';

/**
 * Checks that activation loads no package: a CommonJS one, for example @vscode/l10n, would prevent the extension from
 * starting.
 */
export const noPackages: Plugin = {
  name: 'no-packages',
  setup(build) {
    build.onResolve({ filter: /^[^.]/ }, ({ path, kind, importer }) => {
      if (kind !== 'import-statement' || path === 'vscode' || path.startsWith('node:')) return undefined;
      return {
        errors: [{ text: `Activation would load ${path} for ${importer}: import it in a file that's loaded later.` }],
      };
    });
  },
};
