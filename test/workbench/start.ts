/**
 * `npm start`: Parlance in a real VS Code, talking to the local inference service.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startInferenceService } from '../service/inferenceService.ts';
import { findInstalledBrowser } from './browser.ts';
import { claimFolder } from './claimFolder.ts';
import { cacheFolder, projectFolder } from './folders.ts';
import { type ProcessGroup, startProcessGroup } from './processGroup.ts';
import { runScript } from './runScript.ts';
import { sampleChecks } from './sampleChecks.ts';
import { writeSampleWorkspace } from './sampleWorkspace.ts';
import { makeSampleRepository } from './sampleRepository.ts';
import { installServer } from './serverInstall.ts';
import { startVsCodeServer, type VsCodeServer } from './vscodeServer.ts';
import { writeChatOpener } from './writeChatOpener.ts';

const helpText = `Parlance in a real VS Code, connected to the local inference service.

Usage: npm start -- [options]

  --port N      port of VS Code's server (default: any free one)
  --desktop     use the VS Code that is installed here (\`code\`) in place of the server
  --help        print this, and end

Environment: with PARLANCE_BASE_URL and SERVICE_API_KEY set, Parlance talks to that service.`;

/** Where Parlance sends requests, and with which key. */
interface Connection {
  readonly baseUrl: string;
  readonly what: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly apiKey: string | undefined;
}

interface StartOptions {
  readonly port: number;
  readonly desktop: boolean;
  readonly help: boolean;
}

/** @throws {Error} with a message for the user if an option is unknown or has an invalid value. */
function readOptions(): StartOptions {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      desktop: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`--port takes a number, not ${values.port}`);
  return { ...values, port };
}

/** Shows one line of progress. */
function say(line: string): void {
  console.log(`▸ ${line}`);
}

/** Settles on Ctrl+C, or on a signal that asks the process to end. */
function toldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
}

async function connect(cleanup: AsyncDisposableStack): Promise<Connection> {
  const { PARLANCE_BASE_URL: baseUrl, SERVICE_API_KEY: apiKey } = process.env;
  if (baseUrl !== undefined && baseUrl !== '') {
    const what = apiKey ? baseUrl : `${baseUrl} (no key in SERVICE_API_KEY: set one in the chat)`;
    return { what, baseUrl, settings: { 'parlance.services': [{ baseUrl }] }, apiKey };
  }
  const service = await startInferenceService();
  cleanup.defer(() => service.close());
  return {
    baseUrl: service.baseUrl,
    what: `the local inference service, ${service.baseUrl}; its log: ${service.origin}/log`,
    settings: {
      'parlance.services': [{ baseUrl: service.baseUrl, inferenceLogPage: `${service.origin}/log` }],
      'parlance.chat.model': 'local/writer',
    },
    apiKey: service.apiKey,
  };
}

/**
 * Parlance's chat opens automatically. VS Code's own, for `@parlance`, and Git, for commit messages, are available too.
 */
const forTrying = { 'workbench.secondarySideBar.defaultVisibility': 'hidden', 'git.enabled': true };

/** Whoever starts it has decided where the key is sent. */
function keyFor({ apiKey, baseUrl }: Connection): Readonly<Record<string, string | undefined>> {
  return { SERVICE_API_KEY: apiKey, SERVICE_API_KEY_ORIGINS: URL.parse(baseUrl)?.origin };
}

async function startServer(
  folder: string,
  connection: Connection,
  port: number,
): Promise<{ server: VsCodeServer; address: string }> {
  const serverFolder = await installServer(cacheFolder, say);
  const workspace = join(folder, 'workspace');
  await writeSampleWorkspace(workspace, sampleChecks);
  await makeSampleRepository(workspace);
  const server = await startVsCodeServer({
    serverFolder,
    extension: { kind: 'linked', folder: projectFolder, addTo: writeChatOpener },
    settings: { ...forTrying, ...connection.settings },
    env: keyFor(connection),
    port,
    dataFolder: join(folder, 'server'),
  });
  return { server, address: server.address({ workspace }) };
}

function hasDisplay(): boolean {
  if (process.platform !== 'linux') return process.env['SSH_CONNECTION'] === undefined;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/**
 * A window with nothing around the workbench.
 * @returns undefined if no suitable browser is installed.
 */
function openWindow(address: string, folder: string): ProcessGroup | undefined {
  const browser = findInstalledBrowser();
  if (!browser) return undefined;
  const profile = join(folder, 'browser');
  return startProcessGroup(
    browser.executable,
    [`--app=${address}`, `--user-data-dir=${profile}`, '--no-first-run', '--no-default-browser-check'],
    { stdio: 'ignore' },
  );
}

/** What the system opens a URL with, for a browser without such a window. */
function openByDefault(address: string): void {
  const [command, ...args] = { darwin: ['open'], win32: ['explorer'] }[process.platform as string] ?? ['xdg-open'];
  // The URL is also printed, in case there's no such program.
  spawn(command ?? 'xdg-open', [...args, address], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}

async function startDesktop(folder: string, connection: Connection): Promise<ProcessGroup> {
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const code = folders.map((path) => join(path, name)).find((path) => existsSync(path));
  if (code === undefined) {
    throw new Error(
      'No `code` is on PATH. In VS Code run "Shell Command: Install \'code\' command in PATH", or leave --desktop out.',
    );
  }
  const userData = join(folder, 'desktop');
  const workspace = join(folder, 'workspace');
  await writeSampleWorkspace(workspace, sampleChecks);
  await makeSampleRepository(workspace);
  await mkdir(join(userData, 'User'), { recursive: true });
  await writeFile(join(userData, 'User', 'settings.json'), JSON.stringify({ ...forTrying, ...connection.settings }));
  // Verbose, because only then does the window belong to the process that is started here.
  const args = ['--verbose', '--wait', '--new-window', '--user-data-dir', userData, workspace];
  // A .cmd file needs a shell on Windows, which splits arguments at spaces unless they're quoted.
  const isCmd = process.platform === 'win32';
  const words = [...args, `--extensionDevelopmentPath=${projectFolder}`].map((word) => (isCmd ? `"${word}"` : word));
  return startProcessGroup(isCmd ? `"${code}"` : code, words, {
    stdio: 'ignore',
    shell: isCmd,
    env: { ...process.env, ...keyFor(connection) },
  });
}

async function start({ port, desktop: isDesktop }: StartOptions): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const end = toldToEnd();

  say('Building Parlance…');
  if ((await runScript('esbuild.config.mjs', ['--no-tests'])) !== 0) throw new Error('The build failed; see above.');
  const { path: folder, ...claim } = await claimFolder(join(cacheFolder, 'start'));
  cleanup.defer(() => claim.release());
  const connection = await connect(cleanup);

  if (isDesktop) {
    const desktop = await startDesktop(folder, connection);
    cleanup.defer(() => desktop.close());
    console.log(
      `\nParlance runs in VS Code's window.\n  Service  ${connection.what}\n  Close the window or press Ctrl+C to end.`,
    );
    await Promise.race([end, once(desktop.child, 'exit')]);
    return;
  }

  say("Starting VS Code's server…");
  const { server, address } = await startServer(folder, connection, port);
  cleanup.defer(() => server.close());
  const isShown = hasDisplay();
  if (isShown) {
    const window = openWindow(address, folder);
    if (window) cleanup.defer(() => window.close());
    else openByDefault(address);
  }
  console.log(`
Parlance runs in VS Code.${isShown ? '' : " There's no display here: open this address in a browser."}
  Address  ${address}
  Service  ${connection.what}
  Press Ctrl+C to end.`);
  const ended = await Promise.race([end.then(() => 'told'), server.ended.then(() => 'alone')]);
  if (ended === 'alone') throw new Error(`VS Code's server ended unexpectedly; its log: ${server.outputFile}`);
}

try {
  const options = readOptions();
  if (options.help) console.log(helpText);
  else await start(options);
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  console.error('\nThe options: npm start -- --help. To set everything up again: rm -rf node_modules .vscode-test');
  process.exitCode = 1;
}
