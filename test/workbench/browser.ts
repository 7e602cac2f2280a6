import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { startProcessGroup } from './processGroup.ts';

/** A Chromium-like browser of this machine, and what its process needs around it. */
export interface FoundBrowser {
  readonly name: string;
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
}

const installedNames = {
  linux: [
    'google-chrome',
    'google-chrome-stable',
    'chromium',
    'chromium-browser',
    'microsoft-edge',
    'microsoft-edge-stable',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'],
} satisfies Partial<Record<NodeJS.Platform, readonly string[]>>;

/** A browser that the user installed and can see, or undefined. `CHROME_PATH` selects one. */
export function findInstalledBrowser(): FoundBrowser | undefined {
  const chosen = process.env['CHROME_PATH'];
  if (chosen !== undefined && chosen !== '') {
    if (!existsSync(chosen)) throw new Error(`CHROME_PATH names ${chosen}, which doesn't exist.`);
    return { name: 'CHROME_PATH', executable: chosen, env: {} };
  }
  const executable = installedCandidates().find((path) => existsSync(path));
  return executable === undefined ? undefined : { name: executable, executable, env: {} };
}

function installedCandidates(): string[] {
  switch (process.platform) {
    case 'linux': {
      const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
      return installedNames.linux.flatMap((name) => folders.map((folder) => join(folder, name)));
    }
    case 'darwin':
      return installedNames.darwin;
    case 'win32': {
      const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) => process.env[name] ?? '');
      return installedNames.win32.flatMap((name) => folders.map((folder) => join(folder, name)));
    }
    default:
      return [];
  }
}

/**
 * The browser for tests: `CHROME_PATH`; an installed Chrome, Chromium, or Edge; Playwright's own download; or finally
 * the one inside the package `@sparticuz/chromium`, so that a bare Linux needs nothing.
 */
export async function findBrowser(cacheFolder: string, report: (line: string) => void): Promise<FoundBrowser> {
  const installed = findInstalledBrowser();
  if (installed) return installed;
  const downloaded = chromium.executablePath();
  if (existsSync(downloaded)) return { name: "Playwright's Chromium", executable: downloaded, env: {} };
  if (process.platform === 'linux' && process.arch === 'x64') return unpackBundled(cacheFolder, report);
  throw new Error(
    'No browser for the tests was found. Install Chrome, or run `npx playwright-core install chromium`, ' +
      'or name one in CHROME_PATH.',
  );
}

/**
 * The package unpacks itself into the temporary folder and would accept a half-written file there; so it's unpacked
 * into a separate folder, which is renamed when complete.
 */
async function unpackBundled(cacheFolder: string, report: (line: string) => void): Promise<FoundBrowser> {
  const packageFolder = dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))));
  const { version }: { version: string } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8'));
  const folder = join(cacheFolder, `chromium-${version}`);
  if (!existsSync(folder)) {
    report(`Unpacking the bundled Chromium ${version}…`);
    const partial = `${folder}.${process.pid}.partial`;
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true });
    try {
      await unpack(packageFolder, partial);
      await rename(partial, folder).catch((error: unknown) => {
        // Another process was faster; its copy is just as good.
        if (!existsSync(folder)) throw error;
      });
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
  }
  const executable = join(folder, 'chromium');
  const runsAlone = spawnSync(executable, ['--version']).status === 0;
  return {
    name: `the bundled Chromium ${version}`,
    executable,
    env: {
      FONTCONFIG_FILE: await writeFontConfig(folder),
      // A bare Debian lacks NSS and expat, which the package includes. The system's are better if there are any.
      ...(runsAlone ? {} : { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') }),
    },
  };
}

/**
 * A machine without fonts shows empty pages. Open Sans comes with the browser, DejaVu (monospace and symbols) from npm;
 * the system's fonts, if any, fill the gaps. So images look the same everywhere.
 */
async function writeFontConfig(folder: string): Promise<string> {
  const dejavu = join(import.meta.dirname, '../../node_modules/dejavu-fonts-ttf/ttf');
  const prefer = (family: string, first: string): string =>
    `<alias binding="same"><family>${family}</family><prefer><family>${first}</family><family>DejaVu Sans</family></prefer></alias>`;
  const file = join(folder, 'fonts.conf');
  const config = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    ...[join(folder, 'fonts'), dejavu, '/usr/share/fonts', '/usr/local/share/fonts'].map((dir) => `<dir>${dir}</dir>`),
    `<cachedir>${join(folder, 'fonts-cache')}</cachedir>`,
    ...['sans-serif', 'system-ui', 'Ubuntu'].map((family) => prefer(family, 'Open Sans')),
    ...['monospace', 'Droid Sans Mono'].map((family) => prefer(family, 'DejaVu Sans Mono')),
    '</fontconfig>',
  ].join('\n');
  await writeFile(file, config);
  return file;
}

async function unpack(packageFolder: string, folder: string): Promise<void> {
  // In a separate process, because the package reads the temporary folder from the environment.
  const script = `
    import bundled, { inflate } from '@sparticuz/chromium';
    await bundled.executablePath();
    await inflate(${JSON.stringify(join(packageFolder, 'bin', 'al2023.tar.br'))});`;
  const group = startProcessGroup(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: packageFolder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
  });
  try {
    const [code] = await once(group.child, 'close');
    if (code !== 0) throw new Error(`The bundled Chromium could not be unpacked into ${folder}.`);
  } finally {
    await group.close();
  }
}

/** Starts the browser for tests: no window, and nothing is downloaded automatically. */
export async function launchBrowser(found: FoundBrowser, moreArgs: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: found.executable,
    env: { ...process.env, ...found.env },
    args: [
      // Turned off only because continuous integration runs as root, where Chromium refuses to start with it.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--font-render-hinting=none',
      ...moreArgs,
    ],
  });
}
