import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as esbuild from 'esbuild';
import { inputsOfSeveral, staticallyNeeded } from './sharedInputs.ts';

/** Packages and workers aren't part of the kit. */
const ownSourcesOnly: esbuild.Plugin = {
  name: 'own-sources-only',
  setup(build) {
    build.onResolve({ filter: /^[^./]|\.css$/ }, ({ kind, path }) =>
      kind === 'entry-point' ? undefined : { path, external: true },
    );
  },
};

const small =
  /^src\/(?:(?:shared|words|webview\/kit|webview\/chat\/speed)\/|webview\/markdown\/(?:markdown(?:Part|Chunk)|codePosts)\.)/;

const chat = 'src/webview/chat/main.ts';
const compare = 'src/webview/compare/main.ts';
/** What shows messages, which an empty chat doesn't wait for. */
const transcript = 'src/webview/chat/transcript/transcriptParts.ts';

/**
 * What several pages share of the kit and the words becomes two chunks: what an empty chat needs, and the rest. One
 * chunk for each set of pages would mean a dozen.
 */
export async function kitInTwoChunks(pages: esbuild.BuildOptions): Promise<esbuild.Plugin> {
  const { metafile } = await esbuild.build({ ...pages, plugins: [ownSourcesOnly], write: false, metafile: true });
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint }) =>
    entryPoint !== undefined && /^src\/.*\.ts$/.test(entryPoint) ? [entryPoint] : [],
  );
  const kit = inputsOfSeveral(metafile, entries).filter((input) => small.test(input) && input.endsWith('.ts'));
  const early = staticallyNeeded(metafile, chat);
  // By then, the chat has loaded what it shares with the other page that has a message box.
  const composer = inputsOfSeveral(metafile, [chat, compare]);
  const sharedBy = (entry: string): readonly string[] => {
    if (entry === chat) return kit.filter((input) => early.has(input));
    return entry === transcript ? [...kit, ...composer] : kit;
  };
  const sharedOf = new Map(
    entries.map((entry) => [resolve(entry), [...new Set(sharedBy(entry))].filter((input) => input !== entry)]),
  );
  return {
    name: 'kit-in-two-chunks',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const shared = sharedOf.get(path);
        if (shared === undefined) return undefined;
        const lines = shared.map((input) => `import ${JSON.stringify(resolve(input))};`).join('\n');
        return { contents: `${await readFile(path, 'utf8')}\n${lines}`, loader: 'ts' };
      });
    },
  };
}
