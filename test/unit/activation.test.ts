import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

describe('What activation loads', () => {
  it("is only our own code: a library would cost every window time, and one that needs require() wouldn't load", async () => {
    const { metafile } = await build({
      entryPoints: ['src/extension.ts'],
      absWorkingDir: fileURLToPath(new URL('../../', import.meta.url)),
      bundle: true,
      format: 'esm',
      platform: 'node',
      external: ['vscode'],
      write: false,
      metafile: true,
      plugins: [
        {
          name: 'what-is-loaded-later',
          setup: (builder) =>
            builder.onResolve({ filter: /\.ts$/ }, ({ kind, path }) =>
              kind === 'dynamic-import' ? { path, external: true } : undefined,
            ),
        },
      ],
    });
    const inputs = Object.keys(metafile.inputs);
    assert.ok(inputs.includes('src/extension.ts'));
    assert.deepEqual(
      inputs.filter((input) => !input.startsWith('src/')),
      [],
    );
  });
});
