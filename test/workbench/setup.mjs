/**
 * Runs a script of this project on its own Node, on a machine that might have nothing but npm and an older Node: `node
 * test/workbench/setup.mjs <script> [arguments…]`. Plain JavaScript without dependencies, because it runs before there
 * are any; Node 18 is enough.
 */
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const lockFolder = join(root, '.vscode-test', 'setup.lock');
const oldestMajor = 24;

/** A failure whose message tells a user enough. */
class SetupFailure extends Error {}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** What an install would change: the first package that is missing or has another version, or nothing. */
function firstDifference() {
  const wanted = readJson(join(root, 'package-lock.json'));
  if (!wanted)
    throw new SetupFailure("package-lock.json can't be read. Restore it with: git checkout package-lock.json");
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages ?? {};
  for (const [path, entry] of Object.entries(wanted.packages)) {
    // Optional packages are also for other systems; npm leaves those out.
    if (path === '' || entry.optional || entry.link) continue;
    if (installed[path]?.version !== entry.version) return path;
  }
  return undefined;
}

/** The npm that runs this script if there's one, so that its settings and version stay the same. */
function npmCommand() {
  const running = process.env.npm_execpath;
  if (running && basename(running) === 'npm-cli.js')
    return { command: process.execPath, first: [running], shell: false };
  return { command: 'npm', first: [], shell: process.platform === 'win32' };
}

/**
 * Runs npm in `cwd` with its own progress in this terminal. Resolves to whether it succeeded. No argument may contain a
 * space: on Windows, npm needs a shell, which would split it.
 */
async function npm(cwd, ...args) {
  const { command, first, shell } = npmCommand();
  const child = spawn(command, [...first, '--prefix', '.', ...args], {
    cwd,
    shell,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((done, fail) => {
    child.once('error', (cause) =>
      fail(
        new SetupFailure(`npm could not be started (${cause.message}). Install Node.js with npm: https://nodejs.org`),
      ),
    );
    child.once('close', (code) => done(code === 0));
  });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Whether the folder's creator is gone: killed halfway, so its lock no longer counts. */
function isAbandoned() {
  const pid = Number(readJson(join(lockFolder, 'owner.json'))?.pid);
  if (pid) return !isAlive(pid);
  try {
    // Created a moment ago and not yet signed, or never signed at all.
    return Date.now() - statSync(lockFolder).mtimeMs > 5_000;
  } catch {
    return false;
  }
}

/** Two installs at once would delete each other's node_modules. */
async function withLock(work) {
  mkdirSync(dirname(lockFolder), { recursive: true });
  for (let told = false; ;) {
    try {
      mkdirSync(lockFolder);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isAbandoned()) {
      rmSync(lockFolder, { recursive: true, force: true });
      continue;
    }
    if (!told) console.log('Waiting for another set-up of this folder…');
    told = true;
    await pause(500);
  }
  const release = () => rmSync(lockFolder, { recursive: true, force: true });
  process.once('exit', release);
  try {
    writeFileSync(join(lockFolder, 'owner.json'), JSON.stringify({ pid: process.pid }));
    return await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

/**
 * Whether the lock file names every optional package, including those for other systems. A registry that lacked some
 * when it was written leaves them out; `npm ci` then rejects it, `npm install` doesn't.
 */
function isLockWhole() {
  const { packages } = readJson(join(root, 'package-lock.json'));
  return Object.entries(packages).every(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).every((name) => {
      return packages[`node_modules/${name}`] !== undefined || packages[`${path}/node_modules/${name}`] !== undefined;
    }),
  );
}

async function installPackages() {
  if (firstDifference() === undefined) return;
  await withLock(async () => {
    const difference = firstDifference();
    if (difference === undefined) return;
    console.log(`Installing the packages of package-lock.json (${difference} is missing or differs): about a minute…`);
    const started = Date.now();
    const command = isLockWhole() ? ['ci'] : ['install', '--no-save'];
    // Warnings are about Node, which this install provides.
    const args = [...command, '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
    if (!(await npm(root, ...args))) {
      // The only install script that matters here downloads Node itself, and that has another way below.
      console.log('That failed. Trying once more without install scripts…');
      if (!(await npm(root, ...args, '--ignore-scripts'))) {
        throw new SetupFailure('npm could not install the packages; it says why above. Its settings: npm config list');
      }
    }
    const left = firstDifference();
    if (left !== undefined) {
      throw new SetupFailure(`package-lock.json doesn't fit package.json (${left}). Correct it with: npm install`);
    }
    console.log(`Packages are in place after ${Math.round((Date.now() - started) / 1000)} s.`);
  });
}

/** The major version of a Node executable, or 0 if it doesn't run. */
function majorOf(binary) {
  try {
    accessSync(binary);
  } catch {
    return 0;
  }
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)\./.exec(stdout ?? '')?.[1] ?? 0);
}

/**
 * The same Node as the extension host. First the `node` package of this project; if its install script wasn't allowed
 * to run, the Node that runs this, if it's new enough; otherwise the package that contains the bare executable, which
 * needs no script.
 */
async function findNode() {
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  const own = join(root, 'node_modules', 'node', 'bin', executable);
  if (majorOf(own) >= oldestMajor) return own;
  if (Number(process.versions.node.split('.')[0]) >= oldestMajor) return process.execPath;

  const version = readJson(join(root, 'package-lock.json')).packages['node_modules/node'].version;
  const folder = join(root, '.vscode-test', `node-${version}`);
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `${process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${system}-${process.arch}`;
  const binary = join(folder, 'node_modules', name, 'bin', executable);
  if (majorOf(binary) >= oldestMajor) return binary;
  console.log(`Node ${version} was not installed by its package's script (npm's ignore-scripts?). Fetching ${name}…`);
  await withLock(async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
    await npm(folder, 'install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`);
  });
  if (majorOf(binary) >= oldestMajor) return binary;
  throw new SetupFailure(
    `No Node ${oldestMajor} for ${process.platform} ${process.arch} came from npm. ` +
      `Install Node ${oldestMajor} or newer from https://nodejs.org, put it first on PATH, and run this again.`,
  );
}

/** Starts the script and exits with it: with its exit code, or by its signal. */
function run(node, args, setupMs) {
  // Windows spells it `Path`, and a copy of the environment must not contain both.
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const path = [dirname(node), join(root, 'node_modules', '.bin'), process.env[pathName] ?? ''].join(delimiter);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const passOn = (signal) => {
    // On Windows the console has notified the child too, and a kill is never polite: it would end in the middle of its
    // cleanup.
    if (process.platform !== 'win32') child.kill(signal);
  };
  // Before it starts: on a busy machine it can be running before the next line of this script is.
  for (const signal of signals) process.on(signal, passOn);
  const parent = process.ppid;
  // By absolute path: a shell might have cached the location of an older `node`.
  const child = spawn(node, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, [pathName]: path, PARLANCE_SETUP_MS: String(setupMs) },
  });
  // When npm is asked to end, its shell dies without forwarding that.
  const orphanCheck = setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 500);
  child.once('error', (error) => {
    console.error(`${node} could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.once('close', (code, signal) => {
    clearInterval(orphanCheck);
    for (const name of signals) process.off(name, passOn);
    if (signal && process.platform !== 'win32') process.kill(process.pid, signal);
    else process.exitCode = code ?? 1;
  });
}

const [script, ...rest] = process.argv.slice(2);
if (!script) {
  console.error('Usage: node test/workbench/setup.mjs <script> [arguments…]');
  process.exit(2);
}
try {
  const started = Date.now();
  await installPackages();
  const node = await findNode();
  run(node, [resolve(root, script), ...rest], Date.now() - started);
} catch (error) {
  console.error(error instanceof SetupFailure ? `\n${error.message}` : error);
  process.exitCode = 1;
}
