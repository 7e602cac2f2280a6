/**
 * Builds what VS Code loads: the extension, its page, and the suite that runs inside the extension host.
 *
 *   node esbuild.config.mjs [--production] [--watch] [--no-tests] [--into <folder>]
 */
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, normalize, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { iconFiles, iconsOfPages } from './esbuild.icons.ts';
import { httpOneOfUndici, languagesByThemselves, lexerOfMarked, workersAsText } from './esbuild.plugins.ts';
import { sharedInputs } from './esbuild.sharedInputs.ts';

const { values: flags } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    'no-tests': { type: 'boolean', default: false },
    // Where `dist` and `out` go; elsewhere for the package, so that it does not disturb a VS Code that runs from here.
    into: { type: 'string', default: '.' },
  },
});

// undici is CommonJS and asks for Node's modules with `require`, which an ES module does not have.
const requireForBundledCommonJs = [
  `import { createRequire as parlanceCreateRequire } from 'node:module';`,
  `const require = parlanceCreateRequire(import.meta.url);`,
].join('\n');

/** @type {esbuild.BuildOptions} */
const everywhere = {
  bundle: true,
  format: 'esm',
  splitting: true,
  minify: flags.production,
  // The users' package has no maps, so it must not point at any.
  sourcemap: flags.production ? false : 'linked',
  legalComments: 'none',
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
  metafile: true,
};

/** @type {esbuild.BuildOptions} */
const inNode = {
  ...everywhere,
  platform: 'node',
  target: 'node22',
  external: ['vscode'],
  banner: { js: requireForBundledCommonJs },
};

/**
 * What activation loads: one file, because each file costs more than the few lines that this build and the next
 * then both hold.
 *
 * @type {esbuild.BuildOptions}
 */
const extension = {
  ...inNode,
  banner: {},
  splitting: false,
  entryPoints: { extension: 'src/extension.ts' },
  outdir: join(flags.into, 'dist'),
};

/** Where what activation leaves for later is written, by its source. */
const lateEntries = await findLateEntries();

/** @type {esbuild.BuildOptions} */
const late = {
  ...inNode,
  entryPoints: Object.fromEntries([...lateEntries].map(([source, name]) => [name, source])),
  outdir: join(flags.into, 'dist'),
};

/** @type {esbuild.BuildOptions} */
const page = {
  ...everywhere,
  platform: 'browser',
  target: ['es2023', 'chrome138'],
  entryPoints: [
    { in: 'src/webview/chat/main.ts', out: 'chat' },
    { in: 'src/webview/chat/chat.css', out: 'chat' },
    { in: 'src/webview/usage/main.ts', out: 'usage' },
    { in: 'src/webview/usage/usage.css', out: 'usage' },
    { in: 'src/webview/modelDetails/modelDetails.css', out: 'modelDetails' },
    { in: 'src/webview/media/main.ts', out: 'media' },
    { in: 'src/webview/media/media.css', out: 'media' },
  ],
  // The page's own style sheet names the font that is copied beside it.
  external: ['*.ttf'],
  outdir: join(flags.into, 'dist/webview'),
};

/** @type {esbuild.BuildOptions} */
const hostTests = {
  ...inNode,
  minify: false,
  sourcemap: 'linked',
  // mocha loads its reporters by path, so it stays a package.
  packages: 'external',
  entryPoints: ['./test/host/run.ts', ...(await Array.fromAsync(glob('./test/host/**/*.test.ts')))],
  outdir: join(flags.into, 'out/test/host'),
  outExtension: { '.js': '.mjs' },
};

/** @returns {Promise<ReadonlyMap<string, string>>} */
async function findLateEntries() {
  /** @type {Map<string, string>} */
  const found = new Map();
  /** @type {esbuild.Plugin} */
  const collect = {
    name: 'collect-late-entries',
    setup(build) {
      build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        found.set(resolve(resolveDir, path), `late/${basename(path, '.ts')}`);
        return { path, external: true };
      });
    },
  };
  await esbuild.build({ ...extension, write: false, plugins: [collect] });
  if (new Set(found.values()).size < found.size) throw new Error('Two files of one name are loaded late');
  return found;
}

/** @type {esbuild.Plugin} */
const leadToLateEntries = {
  name: 'lead-to-late-entries',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      return { path: `./${lateEntries.get(resolve(resolveDir, path))}.js`, external: true };
    });
  },
};

/**
 * What two late files share goes into one chunk. A chunk for each set of files would be fifty,
 * and opening the chat would read thirty of them.
 *
 * @returns {Promise<esbuild.Plugin>}
 */
async function sharedInOneChunk() {
  const { metafile } = await esbuild.build({ ...late, write: false });
  const shared = sharedInputs(metafile, lateEntries.keys(), process.cwd());
  const imports = shared.map((input) => `import ${JSON.stringify(resolve(input))};`).join('\n');
  return {
    name: 'shared-in-one-chunk',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (!lateEntries.has(path)) return undefined;
        // Since each late file needs all of it, it becomes one chunk.
        return { contents: `${await readFile(path, 'utf8')}\n${imports}`, loader: 'ts' };
      });
    },
  };
}

/** @type {Record<string, Record<string, esbuild.Metafile>>} */
const metafiles = {};

/**
 * Writes what went into each file, by which a test tells what activation loads.
 *
 * @param {string} file
 * @param {string} part Of several builds that are told of in one file.
 * @returns {esbuild.Plugin}
 */
function writeMetafile(file, part = '') {
  return {
    name: 'write-metafile',
    setup(build) {
      build.onEnd(async ({ metafile }) => {
        await mkdir(join(flags.into, 'out'), { recursive: true });
        if (metafile) metafiles[file] = { ...metafiles[file], [part]: metafile };
        const parts = Object.values(metafiles[file] ?? {});
        const whole = {
          inputs: Object.assign({}, ...parts.map(({ inputs }) => inputs)),
          outputs: Object.assign({}, ...parts.map(({ outputs }) => outputs)),
        };
        await writeFile(join(flags.into, 'out', file), JSON.stringify(whole));
      });
    },
  };
}

let runningBuilds = 0;

/** The problem matcher of `.vscode/tasks.json` waits for these two lines; several builds speak as one. */
const announceRounds = {
  name: 'announce-rounds',
  /** @param {esbuild.PluginBuild} build */
  setup(build) {
    build.onStart(() => {
      if (runningBuilds++ === 0) console.log('[watch] build started');
    });
    build.onEnd(({ errors, warnings }) => {
      for (const { text, location } of [...errors, ...warnings]) {
        if (location) console.error(`✘ [ERROR] ${text}\n    ${location.file}:${location.line}:${location.column}:`);
        else console.error(`✘ [ERROR] ${text}`);
      }
      if (--runningBuilds === 0) console.log('[watch] build finished');
    });
  },
};

/**
 * Removes what an earlier build left. Only afterwards, so that a VS Code that runs from `dist` finds
 * its files at any moment.
 *
 * @param {Set<string>} written
 */
async function removeStale(written) {
  const stale = ['dist/**', 'out/test/**'].map((pattern) => join(flags.into, pattern));
  for await (const entry of glob(stale, { withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isDirectory() && !written.has(relative(process.cwd(), file))) await rm(file, { force: true });
  }
}

const builds = [
  { ...extension, plugins: [leadToLateEntries, writeMetafile('extension.meta.json')] },
  { ...late, plugins: [await sharedInOneChunk(), httpOneOfUndici, writeMetafile('extension.meta.json', 'late')] },
  {
    ...page,
    plugins: [
      languagesByThemselves,
      lexerOfMarked,
      workersAsText([writeMetafile('page.meta.json', 'worker')]),
      writeMetafile('page.meta.json'),
      iconsOfPages,
    ],
  },
  ...(flags['no-tests'] ? [] : [hostTests]),
];

if (flags.watch) {
  for (const build of builds) {
    const context = await esbuild.context({
      ...build,
      logLevel: 'silent',
      plugins: [...(build.plugins ?? []), announceRounds],
    });
    await context.watch();
  }
} else {
  const results = await Promise.allSettled(builds.map((build) => esbuild.build(build)));
  // esbuild has printed what is wrong; its stack would only bury that.
  if (results.some(({ status }) => status === 'rejected')) process.exit(1);
  const outputs = Object.assign({}, ...results.map(({ value }) => value.metafile.outputs));
  await removeStale(
    new Set([...Object.keys(outputs).map(normalize), ...iconFiles.map((file) => join(page.outdir ?? '', file))]),
  );
  for (const [file, { bytes, entryPoint }] of Object.entries(outputs)) {
    // Chunks that are loaded late have an entry point too.
    const isFirst = entryPoint && /\bdist\b/.test(file) && !/chunks|late/.test(file);
    if (isFirst) console.log(`${file.padEnd(24)} ${Math.ceil(bytes / 1024)} KB`);
  }
}
