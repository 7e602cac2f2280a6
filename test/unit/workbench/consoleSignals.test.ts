import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from '../../workbench/folders.ts';

const setup = join(projectFolder, 'test/workbench/setup.mjs');
const runScript = pathToFileURL(join(projectFolder, 'test/workbench/runScript.ts')).href;
const processGroup = pathToFileURL(join(projectFolder, 'test/workbench/processGroup.ts')).href;

/** Counts its signals, and cleans up before it ends. */
const program = `
  let told = 0;
  process.on('SIGINT', () => {
    told += 1;
    setTimeout(() => process.exit(40 + told), 300);
  });
  setInterval(() => {}, 1000);
  console.log('ready ' + process.pid);
`;

/** On Windows, a signal from another process can only kill this one. */
const likeWindows = `
  import { ChildProcess } from 'node:child_process';
  const { kill } = ChildProcess.prototype;
  ChildProcess.prototype.kill = function () {
    return kill.call(this, 'SIGKILL');
  };
  Object.defineProperty(process, 'platform', { value: 'win32' });
`;

/** A busy machine: the child is running before this process goes on. It goes on once a file exists. */
const likeBusy = `
  import { ChildProcess } from 'node:child_process';
  import { existsSync } from 'node:fs';
  const { spawn } = ChildProcess.prototype;
  const wait = new Int32Array(new SharedArrayBuffer(4));
  ChildProcess.prototype.spawn = function (...args) {
    const result = spawn.apply(this, args);
    while (!existsSync(process.env.PARLANCE_GO_ON)) Atomics.wait(wait, 0, 0, 10);
    return result;
  };
`;

describe('Ctrl+C', () => {
  let folder: string;
  let starter: ChildProcess | undefined;
  const started: number[] = [];

  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'parlance-signals-'));
    // Only a console can send it there.
    if (process.platform === 'win32') this.skip();
    await writeFile(join(folder, 'program.mjs'), program);
    await writeFile(join(folder, 'windows.mjs'), likeWindows);
    await writeFile(join(folder, 'busy.mjs'), likeBusy);
    const path = JSON.stringify(join(folder, 'program.mjs'));
    const runsIt = `import { runScript } from ${JSON.stringify(runScript)};
      process.exitCode = await runScript(${path});`;
    await writeFile(join(folder, 'runsIt.mjs'), runsIt);
    const groups = `import { startProcessGroup } from ${JSON.stringify(processGroup)};
      startProcessGroup(process.execPath, [${path}], { stdio: 'inherit' });`;
    await writeFile(join(folder, 'groups.mjs'), groups);
  });
  after(() => rm(folder, { recursive: true, force: true }));
  afterEach(async () => {
    await rm(join(folder, 'goOn'), { force: true });
    for (const pid of started.splice(0)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    starter?.kill('SIGKILL');
  });

  /** @returns the process ID of the program once it listens. */
  async function start(args: readonly string[], like?: 'windows' | 'busy'): Promise<number> {
    const first = like === undefined ? [] : ['--import', pathToFileURL(join(folder, `${like}.mjs`)).href];
    starter = spawn(process.execPath, [...first, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PARLANCE_GO_ON: join(folder, 'goOn') },
    });
    const ready = Promise.withResolvers<number>();
    let text = '';
    starter.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const pid = /ready (\d+)/.exec(text)?.[1];
      if (pid !== undefined) ready.resolve(Number(pid));
    });
    starter.once('close', () => ready.reject(new Error(`It printed ${text}`)));
    const pid = await ready.promise;
    started.push(pid);
    return pid;
  }

  /** Settles once nothing is left that could print. */
  const allEnded = (): Promise<unknown[]> => once(starter ?? assert.fail(), 'close');
  const goOn = (): Promise<void> => writeFile(join(folder, 'goOn'), '');

  for (const [what, args] of [
    ['npm start and the like', () => [setup, join(folder, 'program.mjs')]],
    ['a script that a script runs', () => [join(folder, 'runsIt.mjs')]],
  ] as const) {
    it(`reaches ${what} once on Windows, where a console notifies all and forwarding it would kill`, async () => {
      const pid = await start(args(), 'windows');
      const ended = allEnded();
      // Like the console.
      starter?.kill('SIGINT');
      process.kill(pid, 'SIGINT');
      assert.deepEqual(await ended, [41, null]);
    });

    it(`is forwarded to ${what} elsewhere, which ends in its own time`, async () => {
      await start(args());
      const ended = allEnded();
      starter?.kill('SIGINT');
      assert.deepEqual(await ended, [41, null]);
    });

    it(`is forwarded to ${what} on a busy machine, where that runs before its parent goes on`, async () => {
      await start(args(), 'busy');
      const ended = allEnded();
      starter?.kill('SIGINT');
      await goOn();
      assert.deepEqual(await ended, [41, null]);
    });
  }

  it('ends a process group on a busy machine, where that runs before its parent goes on', async () => {
    await start([join(folder, 'groups.mjs')], 'busy');
    const ended = allEnded();
    starter?.kill('SIGINT');
    await goOn();
    assert.deepEqual(await ended, [130, null]);
  });
});
