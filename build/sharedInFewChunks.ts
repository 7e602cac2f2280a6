import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as esbuild from 'esbuild';
import type { LateFiles } from './lateFiles.ts';
import { clientInputs, inputsSharedBy, sharedInputs } from './sharedInputs.ts';

/** What every window loads soon after its start, used or not: VS Code asks for models, and Parlance looks for checks. */
const atEveryStart = [
  'src/vscode/start/openServices.ts',
  'src/vscode/languageModel/registerLanguageModels.ts',
  'src/vscode/checks/newFolders.ts',
];

/**
 * What late files share becomes a few chunks: what every window loads, the rest, and what the first request loads in
 * addition; each of the first two is split by it. One chunk for each set of files would mean fifty, and opening the
 * chat would read thirty of them.
 */
export async function sharedInFewChunks(late: esbuild.BuildOptions, lateFiles: LateFiles): Promise<esbuild.Plugin> {
  const { metafile } = await esbuild.build({ ...late, write: false, metafile: true });
  const ofStart = inputsSharedBy(metafile, atEveryStart);
  const ofLate = [...new Set([...ofStart, ...sharedInputs(metafile, lateFiles.keys(), process.cwd())])];
  const ofClient = clientInputs(metafile, ofLate);
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const sharedOf = new Map(
    entries.map((entry) => {
      // Late files have loaded what they share before one of them imports anything else.
      const isOfStart = atEveryStart.includes(entry) || ofStart.includes(entry);
      const shared = entry.startsWith('src/api/') ? ofClient : isOfStart ? ofStart : ofLate;
      return [resolve(entry), shared.filter((input) => input !== entry)];
    }),
  );
  return {
    name: 'shared-in-few-chunks',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const shared = sharedOf.get(path);
        if (shared === undefined) return undefined;
        // Files that need the same become one chunk.
        const imports = shared.map((input) => `import ${JSON.stringify(resolve(input))};`).join('\n');
        return { contents: `${await readFile(path, 'utf8')}\n${imports}`, loader: 'ts' };
      });
    },
  };
}
