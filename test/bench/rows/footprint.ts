import { readFile, stat } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { figure, type RowSet, takeTurns } from '../figure.ts';
import { projectFolder } from '../../workbench/folders.ts';
import { packageExtension } from '../../workbench/packageExtension.ts';

interface Output {
  readonly bytes: number;
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

/** What esbuild wrote, by its path under `dist`. */
type Outputs = ReadonlyMap<string, Output>;

const kilobyte = 1024;
const walkthrough = /media\/walkthrough\//;

export const footprintRows: RowSet = {
  name: 'footprint',
  title: 'Footprint',
  method:
    'The production build. Activation loads `extension.js` and the chunks that it imports right away; the ' +
    "page's script is counted the same way, compressed with gzip. Loading is the CPU time of a Node process " +
    'that imports the extension with an empty `vscode`, beside one that imports an empty extension. Some ' +
    'libraries are loaded first, because the extension host has already loaded scripts too.',
  async run({ rounds, say }) {
    const folder = await mkdtemp(join(tmpdir(), 'parlance-footprint-'));
    try {
      say('building');
      const build = [join(projectFolder, 'esbuild.config.mjs'), '--production', '--no-tests', '--into', folder];
      const built = spawnSync(process.execPath, build, { cwd: projectFolder, encoding: 'utf8' });
      if (built.status !== 0) throw new Error(built.stderr);
      const host = await outputsOf(folder, 'extension.meta.json');
      const page = await outputsOf(folder, 'page.meta.json');
      const dist = join(folder, 'dist');
      const first = closure(page, ['webview/chat.js']);
      const reply = closure(page, [
        ...first,
        chunkOf(page, 'src/webview/chat/transcript/transcriptParts.ts'),
        chunkOf(page, 'src/webview/markdown/markdownView.ts'),
      ]);
      const colored = closure(page, [
        ...reply,
        chunkOf(page, 'src/webview/markdown/highlight/highlighter.ts'),
        chunkOf(page, '@shikijs/langs/dist/typescript.mjs'),
      ]);
      say('packaging');
      const vsix = join(folder, 'parlance.vsix');
      await packageExtension(vsix);
      say(`${rounds * 3} processes each`);
      // Next to the extension's own package.json, or Node would read each file twice to find out its format.
      await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
      const loads = await takeTurns(['empty', 'parlance'] as const, rounds * 3, (name) =>
        loadMs(name === 'empty' ? undefined : join(dist, 'extension.js')),
      );
      const above = loads.parlance.map((ms, round) => ms - (loads.empty[round] ?? 0));
      return [
        figure('activation: loaded', [size(host, closure(host, ['extension.js'])) / kilobyte], 'KB', 50),
        figure('activation: files', [closure(host, ['extension.js']).length], ''),
        figure('activation: CPU of loading, above an empty extension', above, 'ms', 5),
        figure('page script before the first message', [(await gzipped(dist, first)) / kilobyte], 'KB gzip', 25),
        figure('page script before the first code block', [(await gzipped(dist, reply)) / kilobyte], 'KB gzip', 25),
        figure(
          'page script with the highlighter and TypeScript',
          [(await gzipped(dist, colored)) / kilobyte],
          'KB gzip',
          120,
        ),
        figure(".vsix without the walkthrough's images", [await vsixMegabytes(vsix)], 'MB', 1),
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function outputsOf(folder: string, metafile: string): Promise<Outputs> {
  const { outputs } = JSON.parse(await readFile(join(folder, 'out', metafile), 'utf8')) as {
    outputs: Record<string, Output>;
  };
  const underDist = (path: string): string => path.slice(path.indexOf('dist/') + 'dist/'.length);
  return new Map(
    Object.entries(outputs).map(([path, { imports, ...output }]) => [
      underDist(path),
      { ...output, imports: imports.map((each) => ({ ...each, path: underDist(each.path) })) },
    ]),
  );
}

function chunkOf(outputs: Outputs, source: string): string {
  for (const [path, { entryPoint = '' }] of outputs) if (entryPoint.endsWith(source)) return path;
  throw new Error(`No chunk is made of ${source}`);
}

/** These files and everything they import right away. */
function closure(outputs: Outputs, entries: readonly string[]): string[] {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    const output = outputs.get(path);
    if (output === undefined || seen.has(path)) return;
    seen.add(path);
    for (const { path: imported, kind } of output.imports) if (kind === 'import-statement') visit(imported);
  };
  for (const entry of entries) visit(entry);
  return [...seen];
}

function size(outputs: Outputs, paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + (outputs.get(path)?.bytes ?? 0), 0);
}

async function gzipped(dist: string, paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map(async (path) => gzipSync(await readFile(join(dist, path))).length));
  return sizes.reduce((sum, each) => sum + each, 0);
}

async function vsixMegabytes(vsix: string): Promise<number> {
  const { size: bytes } = await stat(vsix);
  // The central directory at the end names each file with its compressed size.
  const zip = await readFile(vsix);
  let pictures = 0;
  for (let at = zip.indexOf('PK\u0001\u0002'); at >= 0; at = zip.indexOf('PK\u0001\u0002', at + 46)) {
    const name = zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28));
    if (walkthrough.test(name) && !name.endsWith('.md')) pictures += zip.readUInt32LE(at + 20);
  }
  return (bytes - pictures) / 2 ** 20;
}

/** CPU time of importing the file, as reported by the process that imports it. */
function loadMs(file: string | undefined): Promise<number> {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(dirname(import.meta.dirname), 'loadExtension.mjs'), ...(file === undefined ? [] : [file])],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return Promise.resolve(Number(stdout));
}
