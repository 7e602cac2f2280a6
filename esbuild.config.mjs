/**
 * Builds what VS Code loads: the extension, its pages, and the suite that runs inside the extension host.
 *
 *   node esbuild.config.mjs [--production] [--watch] [--no-tests] [--into <folder>]
 */
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { httpOneOfUndici } from './build/httpOneOfUndici.ts';
import { iconsOfPages } from './build/iconsOfPages.ts';
import { findLateFiles, leadToLateFiles } from './build/lateFiles.ts';
import { kitInTwoChunks } from './build/kitInTwoChunks.ts';
import { noPackages } from './build/noPackages.ts';
import { pagePlugins } from './build/pagePlugins.ts';
import { reportTo } from './build/reportTo.ts';
import { runBuilds } from './build/runBuilds.ts';
import { sharedInFewChunks } from './build/sharedInFewChunks.ts';
import { watchBuilds } from './build/watchBuilds.ts';

const { values: flags } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    'no-tests': { type: 'boolean', default: false },
    // Where `dist` and `out` are written; a separate folder for the package, so that it doesn't disturb a VS Code that
    // runs from here.
    into: { type: 'string', default: '.' },
  },
});

/** @type {import('esbuild').BuildOptions} */
const everywhere = {
  bundle: true,
  format: 'esm',
  splitting: true,
  minify: flags.production,
  // The users' package has no source maps, so it must not refer to any.
  sourcemap: flags.production ? false : 'linked',
  legalComments: 'none',
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
  metafile: true,
};

/** @type {import('esbuild').BuildOptions} */
const inNode = { ...everywhere, platform: 'node', target: 'node22', external: ['vscode'] };

// undici is CommonJS and loads Node's modules with `require`, which an ES module doesn't have.
const requireForCommonJs = `import { createRequire as parlanceCreateRequire } from 'node:module';
const require = parlanceCreateRequire(import.meta.url);`;

// What activation loads: one file, because each file costs more than the few lines that this build and the next share.
const extension = {
  ...inNode,
  splitting: false,
  entryPoints: { extension: 'src/extension.ts' },
  outdir: join(flags.into, 'dist'),
};

// What activation loads later: one file for each dynamic import, and a few for what they share.
const lateFiles = await findLateFiles(extension);
const late = {
  ...inNode,
  banner: { js: requireForCommonJs },
  entryPoints: Object.fromEntries([...lateFiles].map(([source, name]) => [name, source])),
  outdir: join(flags.into, 'dist'),
};

// On a separate thread without VS Code: one file that shares nothing with the others.
const verdictWorker = {
  ...inNode,
  splitting: false,
  banner: { js: requireForCommonJs },
  entryPoints: { 'late/verdictWorker': 'src/vscode/checks/verdictWorker.ts' },
  outdir: join(flags.into, 'dist'),
};

/** @type {import('esbuild').BuildOptions} */
const pages = {
  ...everywhere,
  platform: 'browser',
  target: ['es2023', 'chrome138'],
  entryPoints: [
    ...['chat', 'checks', 'compare', 'measure', 'media', 'request', 'usage'].flatMap((page) => [
      { in: `src/webview/${page}/main.ts`, out: page },
      { in: `src/webview/${page}/${page}.css`, out: page },
    ]),
    // These have no scripts.
    { in: 'src/webview/modelDetails/modelDetails.css', out: 'modelDetails' },
  ],
  // The page's own style sheet uses the font that is copied next to it.
  external: ['*.ttf'],
  outdir: join(flags.into, 'dist/webview'),
  plugins: [...pagePlugins, iconsOfPages, reportTo(join(flags.into, 'out/page.meta.json'))],
};

/** @type {import('esbuild').BuildOptions} */
const hostTests = {
  ...inNode,
  banner: { js: requireForCommonJs },
  minify: false,
  sourcemap: 'linked',
  // mocha loads its reporters by path, so it stays a package.
  packages: 'external',
  entryPoints: ['./test/host/run.ts', ...(await Array.fromAsync(glob('./test/host/**/*.test.ts')))],
  outdir: join(flags.into, 'out/test/host'),
  outExtension: { '.js': '.mjs' },
};

const report = reportTo(join(flags.into, 'out/extension.meta.json'));
const builds = [
  { ...extension, plugins: [noPackages, leadToLateFiles(lateFiles), report] },
  { ...late, plugins: [await sharedInFewChunks(late, lateFiles), httpOneOfUndici, report] },
  { ...verdictWorker, plugins: [report] },
  { ...pages, plugins: [...pages.plugins, await kitInTwoChunks(pages)] },
  ...(flags['no-tests'] ? [] : [hostTests]),
];

if (flags.watch) await watchBuilds(builds);
else if (!(await runBuilds(builds, flags.into))) process.exitCode = 1;
