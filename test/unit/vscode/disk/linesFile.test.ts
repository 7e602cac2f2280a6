import assert from 'node:assert/strict';
import { mkdtemp, open as openFile, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DamagedLines } from '../../../../src/vscode/disk/damagedLines.ts';
import { Journal } from '../../../../src/vscode/disk/journal.ts';
import { LinesFile } from '../../../../src/vscode/disk/linesFile.ts';
import { about, firstCalls, hurried, withFaults } from './faultyDisk.ts';
import { inAnotherProcess } from './inAnotherProcess.ts';

describe('A file of lines', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-lines-'));
    path = join(folder, 'deep', 'file.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const linesIn = async () => {
    const lines: string[] = [];
    await new LinesFile(path).read((line) => lines.push(line));
    return lines;
  };

  /** Writes accept at most this many bytes, this many times. */
  async function withShortWrites<T>(count: number, most: number, work: () => Promise<T>): Promise<T> {
    const file = await openFile('.', 'r');
    const files = Object.getPrototypeOf(file) as { write: (...args: unknown[]) => Promise<unknown> };
    await file.close();
    const real = files.write;
    let left = count;
    files.write = function (this: unknown, ...args: unknown[]) {
      left -= 1;
      return real.apply(this, left >= 0 ? [args[0], args[1], Math.min(most, Number(args[2]))] : args);
    };
    try {
      return await work();
    } finally {
      files.write = real;
    }
  }

  it('takes records of a megabyte from two processes at once and keeps each in one piece', async () => {
    const writer = (letter: string) =>
      inAnotherProcess(
        ['LinesFile from linesFile'],
        `
        const file = new LinesFile(${JSON.stringify(path)});
        console.log('ready');
        await go();
        for (let i = 0; i < 15; i += 1) await file.append([JSON.stringify({ i, text: '${letter}'.repeat(1_900_000) })]);
        `,
      );
    const writers = [writer('a'), writer('b')];
    await Promise.all(writers.map((each) => each.line()));
    for (const each of writers) each.go();
    await Promise.all(writers.map((each) => each.done));
    const texts = (await linesIn()).map((line) => (JSON.parse(line) as { text: string }).text);
    assert.equal(texts.length, 30);
    for (const text of texts) assert.equal(new Set(text).size, 1);
  });

  it('writes everything again if the system wrote only a part', async () => {
    await withShortWrites(2, 5, () => new LinesFile(path).append(['{"n":1}', '{"n":2}']));
    assert.deepEqual((await linesIn()).slice(-2), ['{"n":1}', '{"n":2}']);
    const damaged = new DamagedLines();
    for (const line of await linesIn()) {
      if (line.endsWith('}')) damaged.whole(line);
      else damaged.damaged(line);
    }
    assert.equal(damaged.count, 0, 'what was torn is there whole');
  });

  it('waits for a program that locks the file', async () => {
    const lines = new LinesFile(path);
    await lines.append(['one']);
    await hurried(() => withFaults({ open: firstCalls(6, 'EBUSY') }, () => lines.append(['two'])));
    await hurried(() =>
      withFaults({ readFile: firstCalls(6, 'EPERM') }, async () => assert.deepEqual(await linesIn(), ['one', 'two'])),
    );
  });

  it('counts an incomplete line, even if a character was cut in two', () => {
    const damaged = new DamagedLines();
    damaged.damaged('{"text":"gr\uFFFD');
    damaged.damaged('{"text":"lost');
    damaged.whole('{"text":"größer"}');
    assert.equal(damaged.count, 1);
  });

  describe('with lines that are kept and retried', () => {
    const errors: unknown[] = [];
    const open = () => new Journal({ path, onError: (error) => errors.push(error) });
    beforeEach(() => (errors.length = 0));

    it('reports a failure once, and writes all of them in order when the disk works', async () => {
      const journal = open();
      await hurried(async () => {
        await withFaults({ open: about('.jsonl', 'ENOSPC') }, async () => {
          assert.equal(await journal.append(['one']), false);
          assert.equal(await journal.append(['two']), false);
          await assert.rejects(journal.write(['of no use later']), { code: 'ENOSPC' });
          assert.equal(journal.hasUnwritten, true);
        });
        assert.equal(errors.length, 1);
        while (journal.hasUnwritten) await new Promise((resolve) => setTimeout(resolve, 100));
      });
      assert.deepEqual(await linesIn(), ['one', 'two']);
      assert.equal(await journal.append(['three']), true);
      assert.match(await readFile(path, 'utf8'), /three\n$/);
      journal.dispose();
    });

    it('writes what is left when the window closes', async () => {
      const journal = open();
      await withFaults({ open: about('.jsonl', 'EIO') }, () => journal.append(['one']));
      await journal.flush();
      assert.deepEqual(await linesIn(), ['one']);
      journal.dispose();
    });
  });
});
