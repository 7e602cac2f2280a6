import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { extensionHostsOf } from './extensionHosts.ts';
import { type ProcessGroup, startProcessGroup } from './processGroup.ts';
import { driverPortVariable, writeDriverExtension } from './writeDriverExtension.ts';

/** How Parlance is loaded into the server. */
export type ServedExtension =
  /** From its folder, through the page's URL; needs `smokeTestDriver`. The host suite uses this. */
  | { readonly kind: 'development'; readonly folder: string }
  /** From its folder, as if installed: a plain URL, and a reload uses a new build. */
  | {
      readonly kind: 'linked';
      readonly folder: string;
      /** Adds to the extensions folder before VS Code reads it. */
      readonly addTo?: (extensions: string) => Promise<void>;
    }
  /** From a `.vsix`, as users install it. */
  | { readonly kind: 'package'; readonly vsix: string };

export interface VsCodeServerOptions {
  /** What `installServer` returned. */
  readonly serverFolder: string;
  /** The Node executable that it runs on; by default, this process's own. */
  readonly node?: string;
  readonly extension: ServedExtension;
  /** The user's settings; those that keep VS Code quiet and offline are added. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether folders start in Restricted Mode. Off by default. */
  readonly workspaceTrust?: boolean;
  readonly smokeTestDriver?: boolean;
  /** How the extension of `HostDriver` finds it; without a port, the extension isn't installed. */
  readonly driverPort?: number;
  /** VS Code's own extensions to leave out, by folder name. */
  readonly leaveOut?: readonly string[];
  /** Added to this process's environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** 0, the default, uses a free one. */
  readonly port?: number;
  /** Kept after `close`. By default, a fresh folder that `close` deletes. */
  readonly dataFolder?: string;
}

export interface WorkbenchAddress {
  /** Absolute path of the folder to open. */
  readonly workspace: string;
  /** Absolute path of the module whose `run` the extension host calls. */
  readonly testsPath?: string;
}

export interface VsCodeServer {
  readonly port: number;
  readonly dataFolder: string;
  /** All output of the server and the extension hosts. */
  readonly outputFile: string;
  address(page: WorkbenchAddress): string;
  /** The user's settings. Changes made outside the workbench are read at its next start. */
  readonly settingsFile: string;
  /** Process IDs of the running extension hosts. Not on Windows. */
  extensionHosts(): readonly number[];
  /** Settles if the server ends on its own. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
  /** Ends it and its extension hosts at once, like a power failure. Its folder stays unchanged. */
  kill(): Promise<void>;
}

/** Only for a server that hangs: on a busy machine, one can take more than a minute to start. */
const readyLimitMs = 150_000;

/**
 * Settings without which a fresh VS Code contacts the internet or covers itself with invitations. In their newest form:
 * VS Code would rewrite older ones a few seconds later, over a test's own changes.
 */
const quietSettings = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': 'off',
  'extensions.ignoreRecommendations': true,
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'git.enabled': false,
};

/**
 * Starts VS Code's server on loopback. It ends with everything it started when it's closed, and when this process ends
 * in any way but SIGKILL.
 * @throws {Error} with the server's output if it doesn't become ready.
 */
export async function startVsCodeServer(options: VsCodeServerOptions): Promise<VsCodeServer> {
  const isTemporary = options.dataFolder === undefined;
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'parlance-server-')));
  const removeData = async (): Promise<void> => {
    // An extension host that is shutting down might still be writing.
    if (isTemporary) await rm(dataFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    const settingsFile = join(dataFolder, 'data', 'User', 'settings.json');
    await mkdir(join(dataFolder, 'data', 'User'), { recursive: true });
    // A user's changes in a kept folder stay, except for those that this start is about.
    const settings = { ...quietSettings, ...(await readSettings(settingsFile)), ...options.settings };
    await writeFile(settingsFile, JSON.stringify(settings, undefined, 2));
    await placeExtension(options, dataFolder);
    const builtIn = await placeBuiltIn(options, dataFolder);

    const token = randomBytes(16).toString('hex');
    const outputFile = join(dataFolder, 'server.log');
    const group = startServerProcess(options, [
      ...['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--connection-token', token],
      ...['--accept-server-license-terms', '--server-data-dir', dataFolder],
      ...['--disable-telemetry', '--disable-experiments', '--disable-update-check'],
      ...(options.workspaceTrust === true ? [] : ['--disable-workspace-trust']),
      ...(options.smokeTestDriver === true ? ['--enable-smoke-test-driver'] : []),
      ...(builtIn === undefined ? [] : ['--builtin-extensions-dir', builtIn]),
    ]);
    const close = async (): Promise<void> => {
      await group.close();
      await removeData();
    };
    let port: number;
    try {
      port = await portWhenReady(group, outputFile);
    } catch (error) {
      await group.close();
      throw error;
    }
    return {
      port,
      dataFolder,
      outputFile,
      address: (page) => addressOf(port, token, options.extension, page),
      settingsFile,
      extensionHosts: () => (group.child.pid === undefined ? [] : extensionHostsOf(group.child.pid)),
      ended: once(group.child, 'exit').then(() => undefined),
      close,
      kill: () => group.kill(),
    };
  } catch (error) {
    await removeData();
    throw error;
  }
}

async function readSettings(file: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return {};
  }
}

function startServerProcess(options: VsCodeServerOptions, args: readonly string[]): ProcessGroup {
  // A terminal inside VS Code sets variables with VS Code's sockets, and the developer's key isn't the test's.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|npm_|NODE_OPTIONS$|SERVICE_API_KEY)/.test(name),
  );
  return startProcessGroup(
    options.node ?? process.execPath,
    [join(options.serverFolder, 'out', 'server-main.js'), ...args],
    {
      cwd: options.serverFolder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...Object.fromEntries(inherited),
        ...options.env,
        [driverPortVariable]: options.driverPort?.toString(),
      },
    },
  );
}

async function placeExtension(options: VsCodeServerOptions, dataFolder: string): Promise<void> {
  const { extension } = options;
  const extensions = join(dataFolder, 'extensions');
  if (extension.kind === 'linked') {
    const { publisher, name, version } = JSON.parse(await readFile(join(extension.folder, 'package.json'), 'utf8'));
    await rm(extensions, { recursive: true, force: true });
    await mkdir(extensions, { recursive: true });
    await symlink(extension.folder, join(extensions, `${publisher}.${name}-${version}`), 'junction');
    await extension.addTo?.(extensions);
  }
  if (extension.kind === 'package') {
    const group = startServerProcess(options, [
      ...['--install-extension', extension.vsix, '--force'],
      ...['--server-data-dir', dataFolder, '--accept-server-license-terms'],
    ]);
    const output = collect(group);
    try {
      const [code] = await once(group.child, 'close');
      if (code !== 0) throw new Error(`VS Code did not install ${extension.vsix}:\n${output()}`);
    } finally {
      await group.close();
    }
  }
}

/** @returns a folder with links to VS Code's own extensions except those to leave out, and the driver's. */
async function placeBuiltIn(options: VsCodeServerOptions, dataFolder: string): Promise<string | undefined> {
  const { leaveOut = [], driverPort, serverFolder } = options;
  if (leaveOut.length === 0 && driverPort === undefined) return undefined;
  const source = join(serverFolder, 'extensions');
  const place = join(dataFolder, 'built-in');
  await mkdir(place, { recursive: true });
  for (const name of await readdir(source)) {
    if (!leaveOut.includes(name))
      await symlink(join(source, name), join(place, name), 'junction').catch(() => undefined);
  }
  if (driverPort !== undefined) await writeDriverExtension(place);
  return place;
}

function collect(group: ProcessGroup): () => string {
  let text = '';
  for (const stream of [group.child.stdout, group.child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-20_000);
    });
  }
  return () => text;
}

async function portWhenReady(group: ProcessGroup, outputFile: string): Promise<number> {
  const log = createWriteStream(outputFile);
  group.child.stdout?.pipe(log, { end: false });
  group.child.stderr?.pipe(log, { end: false });
  group.child.once('close', () => log.end());
  const output = collect(group);
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      group.child.stdout?.off('data', look);
      group.child.off('exit', onExit);
      outcome();
    };
    const fail = (what: string): void => settle(() => reject(new Error(`${what}\n${output()}`)));
    const look = (): void => {
      const ready = /Extension host agent listening on (\d+)/.exec(output());
      if (ready) settle(() => resolve(Number(ready[1])));
    };
    const onExit = (code: number | null): void => fail(`VS Code's server ended with code ${code} before it was ready:`);
    const timer = setTimeout(
      () => fail(`VS Code's server did not say that it listens within ${readyLimitMs / 1000} s:`),
      readyLimitMs,
    );
    group.child.stdout?.on('data', look);
    group.child.once('exit', onExit);
    group.child.once('error', (error) => fail(`VS Code's server could not be started: ${error.message}`));
  });
}

/** `localhost`, not an IP address: webviews need a secure context for their service worker. */
function addressOf(port: number, token: string, extension: ServedExtension, page: WorkbenchAddress): string {
  const address = new URL(`http://localhost:${port}/`);
  address.searchParams.set('tkn', token);
  address.searchParams.set('folder', page.workspace);
  const remote = `vscode-remote://localhost:${port}`;
  const payload: [string, string][] = [];
  if (extension.kind === 'development') payload.push(['extensionDevelopmentPath', remote + extension.folder]);
  if (page.testsPath !== undefined) payload.push(['extensionTestsPath', remote + page.testsPath]);
  if (payload.length > 0) address.searchParams.set('payload', JSON.stringify([...payload, ['skipWelcome', 'true']]));
  return address.href;
}
