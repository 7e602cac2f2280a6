import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import type { Metafile } from 'esbuild';
import { clientInputs, inputsSharedBy, sharedInputs } from '../../../build/sharedInputs.ts';

/** As esbuild writes it, with slashes on every system. */
function metafileOf(imports: Readonly<Record<string, readonly string[]>>, entries: readonly string[]): Metafile {
  const inputs = Object.entries(imports).map(([name, paths]) => [
    name,
    { bytes: 1, imports: paths.map((path) => ({ path, kind: 'import-statement' as const })) },
  ]);
  const outputs = entries.map((entryPoint) => [
    `dist/late/${posix.basename(entryPoint, '.ts')}.js`,
    { bytes: 1, inputs: {}, imports: [], exports: [], entryPoint },
  ]);
  return { inputs: Object.fromEntries(inputs), outputs: Object.fromEntries(outputs) };
}

describe('The chunk that late files share', () => {
  const library = 'node_modules/library/index.js';
  const metafile = metafileOf(
    {
      'src/vscode/chat/registerChat.ts': ['src/core/text.ts', 'src/core/client.ts', 'src/core/alone.ts'],
      'src/vscode/media/registerMedia.ts': ['src/core/text.ts', 'src/core/client.ts'],
      'src/core/text.ts': [],
      'src/core/client.ts': [library],
      'src/core/alone.ts': [],
      [library]: [],
    },
    ['src/vscode/chat/registerChat.ts', 'src/vscode/media/registerMedia.ts'],
  );

  for (const [name, folder, system] of [
    ['Windows', 'C:\\Users\\me\\my code', win32],
    ['Linux and macOS', '/home/me/my code', posix],
  ] as const) {
    it(`contains what two files need, without their libraries, with the paths of ${name}`, () => {
      const entries = ['chat/registerChat.ts', 'media/registerMedia.ts'].map((file) =>
        system.join(folder, 'src/vscode', file),
      );
      assert.deepEqual(sharedInputs(metafile, entries, folder, system), ['src/core/text.ts']);
    });
  }

  it("isn't created from a file that esbuild didn't read: the build fails instead of getting slower", () => {
    assert.throws(() => sharedInputs(metafile, ['/p/src/other.ts'], '/p', posix), /read no src\/other\.ts/);
  });

  it('has a part of its own for what every window loads: what those files share with any other, libraries or not', () => {
    const [services, models, chat] = ['openServices', 'registerModels', 'registerChat'].map(
      (name) => `src/${name}.ts`,
    ) as [string, string, string];
    const ofStart = metafileOf(
      {
        [services]: ['src/core/text.ts', 'src/core/store.ts'],
        [models]: ['src/core/text.ts', 'src/core/list.ts'],
        [chat]: ['src/core/store.ts', 'src/core/tree.ts'],
        'src/core/text.ts': [],
        'src/core/store.ts': [library],
        'src/core/list.ts': [],
        'src/core/tree.ts': [],
        [library]: [],
      },
      [services, models, chat],
    );
    assert.deepEqual(inputsSharedBy(ofStart, [services, models]), ['src/core/text.ts', 'src/core/store.ts']);
  });

  it('has another part: what the client and the operations share, so that a first request reads few files', () => {
    const [client, video, image] = ['inferenceClient', 'operations/video', 'operations/image'].map(
      (name) => `src/api/${name}.ts`,
    ) as [string, string, string];
    const ofRequests = metafileOf(
      {
        [client]: [video, 'src/api/calls.ts', 'src/core/text.ts'],
        [video]: ['src/api/rows.ts'],
        [image]: ['src/api/rows.ts', library],
        'src/api/rows.ts': [],
        'src/api/calls.ts': [],
        'src/core/text.ts': [],
        [library]: [],
      },
      [client, video, image],
    );
    assert.deepEqual(clientInputs(ofRequests, ['src/core/text.ts', 'src/core/other.ts']), [
      video,
      'src/core/text.ts',
      'src/api/rows.ts',
    ]);
  });
});
