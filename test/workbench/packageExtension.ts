import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFolder } from './folders.ts';
import { writeThirdPartyNotices } from './thirdPartyNotices.ts';
import { languages } from './translations.ts';
import { withoutProjectLinks } from './withoutProjectLinks.ts';

const withoutRepository = ['--allow-missing-repository', '--no-rewrite-relative-links'];

/** The files that vsce can see besides the build. `.vscodeignore` selects from them. */
const sources = [
  ...['.vscodeignore', 'package.nls.json', ...languages.map((language) => `package.nls.${language}.json`)],
  ...['l10n', 'media'],
  ...['README.md', 'CHANGELOG.md', 'SUPPORT.md', 'SECURITY.md', 'LICENSE'],
];

/**
 * Builds for production and packs with vsce, in a separate folder, so that a VS Code that runs from `dist` isn't
 * affected.
 * @param file path of the package; `parlance-<version>.vsix` in the project by default.
 * @returns the path of the package.
 * @throws {Error} with the output of esbuild or vsce if one fails.
 */
export async function packageExtension(file?: string): Promise<string> {
  await mkdir(join(projectFolder, 'out'), { recursive: true });
  const folder = await mkdtemp(join(projectFolder, 'out', 'package-'));
  try {
    const into = relative(projectFolder, folder);
    await run(projectFolder, 'esbuild.config.mjs', ['--production', '--no-tests', '--into', into]);
    // Dependencies are bundled: users would only read about packages that don't exist for them.
    const metafiles = ['extension.meta.json', 'page.meta.json'].map((name) => join(folder, 'out', name));
    await writeThirdPartyNotices(metafiles, join(folder, 'ThirdPartyNotices.txt'));
    return await packFolder(folder, file === undefined ? {} : { file });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface PackOptions {
  /** Path of the package; `parlance-<version>.vsix` in the project by default. */
  readonly file?: string;
  /** A URL to use instead of the manifest's. */
  readonly repository?: string;
}

/**
 * Packs a folder that contains a build, with the project's manifest, pages, and media.
 * @returns the path of the package.
 * @throws {Error} with vsce's message if it fails or warns, or with the link that the README can't keep.
 */
export async function packFolder(folder: string, { file, repository }: PackOptions): Promise<string> {
  for (const source of sources) await cp(join(projectFolder, source), join(folder, source), { recursive: true });
  const {
    scripts: _,
    devDependencies: __,
    dependencies: ___,
    ...manifest
  } = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'));
  if (repository !== undefined) manifest.repository = { type: 'git', url: repository };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2));

  // With a repository, vsce makes the README's images and links absolute. Without one, they lead nowhere.
  const hasRepository = manifest.repository !== undefined;
  if (!hasRepository) {
    const readme = join(folder, 'README.md');
    await writeFile(readme, withoutProjectLinks(await readFile(readme, 'utf8')));
  }
  const made = file ?? join(projectFolder, `${manifest.name}-${manifest.version}.vsix`);
  const vsce = fileURLToPath(import.meta.resolve('@vscode/vsce/vsce'));
  const links = hasRepository ? [] : withoutRepository;
  const said = await run(folder, vsce, ['package', '--no-dependencies', ...links, '--out', made]);
  if (/\bwarning\b/i.test(said)) throw new Error(`vsce made the package, and warned:\n${said}`);
  return made;
}

/** @returns its output. */
async function run(cwd: string, script: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${script} failed:\n${said}`);
  return said;
}
