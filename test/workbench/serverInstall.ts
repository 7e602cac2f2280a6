import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { takeFromRegistry } from './takeFromRegistry.ts';
import { isProcessAlive } from '../../src/vscode/disk/processMark.ts';
import { npm } from './npm.ts';
import { reportWhile } from './reportWhile.ts';

/** The version of the npm package, which contains VS Code 1.139.1. */
export const defaultServerVersion = '4.139.1';

/** It contains VS Code 1.106.3: the lowest that `engines.vscode` allows. npm has only this version of 1.106. */
export const oldestServerVersion = '4.106.3';

/**
 * What the packages of VS Code 1.106 get from elsewhere when they are installed: the search for files, and the watcher
 * of folders. By now VS Code's own packages contain both.
 */
const oldestParts = ['@vscode/ripgrep-universal@1.18.0', '@parcel/watcher@2.5.1'];

/**
 * Installs VS Code's server in `.vscode-test/server-<version>/`, once; no compiler and no system library is needed.
 * Safe to interrupt and to run several times at once: it's created elsewhere and renamed when complete.
 * @returns the folder of VS Code itself, which contains `out/server-main.js`.
 */
export async function installServer(
  cacheFolder: string,
  report: (line: string) => void,
  version: string = defaultServerVersion,
): Promise<string> {
  const folder = join(cacheFolder, `server-${version}`);
  const vscode = join('node_modules', 'code-server', 'lib', 'vscode');
  if (existsSync(join(folder, vscode, 'out', 'server-main.js'))) return withLogFiles(join(folder, vscode));

  await mkdir(cacheFolder, { recursive: true });
  await removeAbandoned(cacheFolder);
  const partial = `${folder}.${process.pid}${partialSuffix}`;
  const started = performance.now();
  try {
    await mkdir(partial);
    await writeFile(join(partial, 'package.json'), JSON.stringify({ private: true }));
    // Without install scripts: they would compile native parts that only make it slightly faster.
    report(`Installing VS Code's server, once (code-server ${version} from npm): about 2 minutes.`);
    await reportWhile(report, '1 of 3: the server…', () =>
      npm(partial, [
        ...['install', '--ignore-scripts', `code-server@${version}`],
        ...(version === oldestServerVersion ? oldestParts : []),
      ]),
    );
    await reportWhile(report, '2 of 3: its packages…', async () => {
      await takeFromRegistry(join(partial, vscode));
      await npm(join(partial, vscode), ['install', '--omit=dev', '--ignore-scripts']);
    });
    await reportWhile(report, '3 of 3: the built-in extensions…', () =>
      npm(join(partial, vscode, 'extensions'), ['install', '--omit=dev', '--ignore-scripts']),
    );
    if (version === oldestServerVersion) await placeRipgrep(partial, join(partial, vscode));
    try {
      await rename(partial, folder);
    } catch (error) {
      // Another process was faster; its copy is just as good.
      if (!existsSync(folder)) throw error;
    }
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  report(`VS Code's server is in place after ${Math.round((performance.now() - started) / 1000)} s.`);
  return withLogFiles(join(folder, vscode));
}

async function placeRipgrep(installed: string, serverFolder: string): Promise<void> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const programs = join(installed, 'node_modules', '@vscode', 'ripgrep-universal', 'bin');
  const place = join(serverFolder, 'node_modules', '@vscode', 'ripgrep', 'bin');
  await mkdir(place, { recursive: true });
  await copyFile(join(programs, `${process.platform}-${process.arch}`, name), join(place, name));
}

/** Without its native part, which isn't compiled, the server writes no log files and shows no extension's log. */
async function withLogFiles(serverFolder: string): Promise<string> {
  const spdlog = join(serverFolder, 'node_modules', '@vscode', 'spdlog');
  const place = join(spdlog, 'node_modules', 'bindings');
  await mkdir(place, { recursive: true });
  await copyFile(join(import.meta.dirname, 'logFiles.mjs'), join(place, 'index.mjs'));
  await writeFile(join(place, 'package.json'), JSON.stringify({ main: 'index.mjs' }));
  return serverFolder;
}

const partialSuffix = '.partial';

/** Installs that were killed leave a few hundred megabytes under the ID of a process that is gone. */
async function removeAbandoned(cacheFolder: string): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    if (!name.endsWith(partialSuffix)) continue;
    const pid = Number(name.slice(0, -partialSuffix.length).split('.').at(-1));
    if (!isProcessAlive(pid)) await rm(join(cacheFolder, name), { recursive: true, force: true });
  }
}
