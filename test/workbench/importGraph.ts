import * as esbuild from 'esbuild';
import { projectFolder } from './folders.ts';

/** Who imports a file, by its path in the project with forward slashes; type-only imports don't count. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>;

/** @param entries absolute paths; everything they import is part of the graph */
export async function readImporters(entries: readonly string[]): Promise<Importers> {
  const importers = new Map<string, Set<string>>();
  const { metafile } = await esbuild.build({
    absWorkingDir: projectFolder,
    entryPoints: [...entries],
    bundle: true,
    write: false,
    metafile: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outdir: 'out/graph',
    logLevel: 'silent',
    plugins: [typescriptOnly],
  });
  for (const [importer, { imports }] of Object.entries(metafile.inputs)) {
    for (const { path, external } of imports) {
      if (external !== true) importers.set(path, (importers.get(path) ?? new Set()).add(importer));
    }
  }
  return importers;
}

/** Style sheets, fonts, and the output of the build's own plugins import nothing of ours. */
const typescriptOnly: esbuild.Plugin = {
  name: 'typescript-only',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, kind }) =>
      kind !== 'entry-point' && !/^\.{1,2}\/.*\.(ts|mjs)$/.test(path) ? { path, external: true } : undefined,
    );
  },
};

/** The files, and everything that imports one of them, directly or indirectly. */
export function reachedFrom(files: readonly string[], importers: Importers): ReadonlySet<string> {
  const reached = new Set(files);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return reached;
}
