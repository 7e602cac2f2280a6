import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestDigest } from '../../../../../src/core/requests/requestDigest.ts';
import type { RequestStart } from '../../../../../src/core/requests/requestRecord.ts';
import type { LogFile } from '../../../../../src/vscode/requests/log/logFiles.ts';
import { LogSums } from '../../../../../src/vscode/requests/log/logSums.ts';
import { failOnFaults } from '../../../../workbench/failOnFaults.ts';

describe('Two sums over the request history at once', () => {
  const [older, newer] = [file('1'), file('2')];
  let folder: string;
  let errors: unknown[];
  /** Newest first. */
  let files: readonly LogFile[];
  /** Called before a file is read. */
  let reading: () => Promise<void>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-sums-'));
    errors = [];
    files = [older];
    reading = () => Promise.resolve();
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  failOnFaults('no error was reported', () => errors);

  /** @param withheld the experiment whose requests are withheld */
  function sumsOf(withheld?: string): LogSums {
    return new LogSums({
      folder,
      store: () => ({
        folder,
        files: () => Promise.resolve(files),
        async readApart(name) {
          await reading();
          return [startOf(name)];
        },
      }),
      withheld: { read: () => Promise.resolve(), has: (id) => id === withheld },
      onError: (error) => errors.push(error),
    });
  }

  it('each have their own files', async () => {
    const sums = sumsOf();
    const [read, first] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    reading = () => {
      first.resolve();
      return read.promise;
    };
    const before = sums.recorded();
    await first.promise;
    reading = () => Promise.resolve();
    files = [newer, older];
    assert.equal(requestsIn(await sums.recorded()), 2);
    read.resolve();
    assert.equal(requestsIn(await before), 1);
    assert.equal(requestsIn(await sums.recorded()), 2);
  });

  it('both find what is withheld, even if neither has read the index yet', async () => {
    const sums = sumsOf('blind');
    files = [newer, older];
    const second = Promise.withResolvers<void>();
    let reads = 0;
    reading = () => {
      reads += 1;
      if (reads === 2) second.resolve();
      return second.promise;
    };
    const recorded = sums.recorded();
    // It reads the index first.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    assert.equal(await sums.countOf(newer), 1);
    assert.equal(requestsIn(await recorded), 2);
  });
});

function file(name: string): LogFile {
  return { name, bytes: 1, modifiedMs: 1 };
}

function startOf(id: string): RequestStart {
  return {
    type: 'started',
    id,
    writer: 'w',
    pid: process.pid,
    at: 1,
    operation: 'chat',
    origin: { kind: 'experiment', experiment: { id: 'blind', attempt: id } },
    service: 'service',
    model: 'a',
  };
}

function requestsIn(digest: RequestDigest): number {
  const sums = Object.values(digest).flatMap((models) => Object.values(models));
  return sums.reduce((all, { requests }) => all + requests, 0);
}
