import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { projectFolder } from '../../workbench/folders.ts';
import { TestWorker } from '../../workbench/testWorkers.ts';

const urlOf = (path: string): string => JSON.stringify(pathToFileURL(join(projectFolder, path)).href);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The first value other than `undefined`. */
async function eventually<Value>(look: () => Promise<Value | undefined> | Value | undefined): Promise<Value> {
  for (const until = Date.now() + 60_000; Date.now() < until; await pause(50)) {
    const value = await look();
    if (value !== undefined) return value;
  }
  return assert.fail('It took too long');
}

describe('A process that runs test files', () => {
  let folder: string;
  let worker: TestWorker;

  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'parlance-worker-'))));
  after(() => rm(folder, { recursive: true, force: true }));
  beforeEach(() => void (worker = new TestWorker({ timeoutMs: 60_000 })));
  afterEach(() => worker.end());

  async function run(source: string): Promise<{ passed: number; failed: number; text: string }> {
    const file = join(folder, `${String(Math.random()).slice(2)}.test.mjs`);
    await writeFile(file, source);
    return worker.run(file);
  }

  it('fails the test in which a rejection is lost, and says where that was', async () => {
    const { passed, failed, text } = await run(`
      const loseIt = () => void Promise.reject(new Error('lost'));
      it('is done at once', () => {});
      it('loses one', async () => { loseIt(); await new Promise((done) => setTimeout(done, 1)); });
    `);
    assert.equal(passed, 1);
    // Mocha counts it again when the test itself ends.
    assert.ok(failed > 0);
    assert.match(text, /1\) loses one:\s+Uncaught Error: lost\s+at loseIt/);
  });

  it('fails only the test in which a rejection is lost, even if the process has run other files', async () => {
    await run(`it('runs', () => {});`);
    const { passed, failed, text } = await run(`
      it('loses one', async () => {
        void Promise.reject(new Error('lost'));
        await new Promise((done) => setTimeout(done, 1));
      });
      it('comes after it', () => {});
    `);
    assert.equal(passed, 1);
    assert.ok(failed > 0);
    assert.match(text, /1\) loses one:\s+Uncaught Error: lost/);
  });

  it('fails a test that was done before the rejection it lost was noticed', async () => {
    const { failed, text } = await run(`it('loses one', () => void Promise.reject(new Error('lost')));`);
    assert.equal(failed, 1);
    assert.match(text, /Error: lost/);
  });

  it('fails on a rejection without an error', async () => {
    assert.equal((await run(`it('loses nothing', async () => void Promise.reject());`)).failed, 1);
  });

  it('lets a test handle a rejection later in the same turn', async () => {
    const { passed, failed } = await run(`it('is late', async () => {
      const lost = Promise.reject(new Error('lost'));
      await undefined;
      await lost.catch(() => undefined);
    });`);
    assert.deepEqual([passed, failed], [1, 0]);
  });

  it('prints plain text where CI asks for colors', async () => {
    const { CI, FORCE_COLOR } = process.env;
    Object.assign(process.env, { CI: 'true', FORCE_COLOR: '1' });
    const { text } = await run(`it('prints a number', () => console.log(4));`).finally(() => {
      for (const [name, value] of Object.entries({ CI, FORCE_COLOR })) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    });
    assert.match(text, /^4\n.*prints a number/m);
    assert.equal(text, stripVTControlCharacters(text));
  });

  it('names what a file skips', async () => {
    const file = join(folder, 'skips.test.mjs');
    await writeFile(file, `describe('A suite', () => it('skips one', function () { this.skip(); }));`);
    assert.deepEqual((await worker.run(file)).skips, ['A suite skips one']);
  });

  it('counts a file without a test as failed, unless only tests with certain titles run', async () => {
    const { failed, text } = await run(`describe('A suite', () => {});`);
    assert.equal(failed, 1);
    assert.match(text, /\.test\.mjs has no test\.\n$/);
    const byTitle = new TestWorker({ timeoutMs: 10_000, grep: 'that one' });
    const file = join(folder, 'other.test.mjs');
    await writeFile(file, `it('is another', () => {});`);
    const { passed, failed: bad } = await byTitle.run(file);
    await byTitle.end();
    assert.deepEqual([passed, bad], [0, 0]);
  });

  it('counts a file that ends the process as failed, and runs the next one in a new process', async () => {
    const first = await run(`it('ends all', () => process.exit(3));`);
    assert.equal(first.failed, 1);
    assert.match(first.text, /ended with code 3 before the file was done/);
    assert.deepEqual(await run(`it('runs', () => {});`).then(({ passed }) => passed), 1);
  });

  it('fails the next file if an error comes after a file was done, and runs the one after that', async () => {
    const first = await run(`it('leaves a timer', () => {
      const timer = setInterval(() => {
        if (!globalThis.isNextRunning) return;
        clearInterval(timer);
        Promise.reject(new Error('late'));
      });
    });`);
    assert.equal(first.failed, 0);
    const next = await run(`it('is running', () => {
      globalThis.isNextRunning = true;
      return new Promise(() => {});
    });`);
    assert.equal(next.failed, 1);
    assert.equal((await run(`it('runs', () => {});`)).passed, 1);
  });

  it('ends with all that its tests have started if a signal ends its parent', async () => {
    const test = join(folder, 'hangs.test.mjs');
    const parent = join(folder, 'parent.mjs');
    const note = join(folder, 'pids');
    await writeFile(
      test,
      `import { writeFileSync } from 'node:fs';
      import { startProcessGroup } from ${urlOf('test/workbench/processGroup.ts')};
      it('hangs', () => {
        const { child } = startProcessGroup(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], {});
        writeFileSync(${JSON.stringify(note)}, process.pid + ' ' + child.pid + '\\n');
        return new Promise(() => {});
      });`,
    );
    await writeFile(
      parent,
      `import { TestWorker } from ${urlOf('test/workbench/testWorkers.ts')};
      await new TestWorker({ timeoutMs: 60_000 }).run(${JSON.stringify(test)});`,
    );
    const starter = spawn(process.execPath, [parent], { stdio: 'inherit' });
    const pids = await eventually(async () => {
      const text = await readFile(note, 'utf8').catch(() => '');
      return text.endsWith('\n') ? text.trim().split(' ').map(Number) : undefined;
    });
    starter.kill('SIGTERM');
    try {
      await eventually(() => (pids.some(isAlive) ? undefined : true));
    } finally {
      for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
    }
  });

  it('names what the files left running at its end', async () => {
    await run(`it('leaves a server', () => import('node:net').then(({ createServer }) => createServer().listen(0)));`);
    assert.match((await worker.end(200)) ?? '', /left something running: .*TCPServerWrap/);
  });
});
