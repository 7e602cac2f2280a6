import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultLog } from '../../workbench/faultLog.ts';

describe("What went wrong in VS Code's log files", () => {
  let folder: string;
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await appendFile(join(folder, path), text);
  };

  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'parlance-logs-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is each error of an extension host with its stack, and each message that a page or its host rejected', async () => {
    await write(
      '1/exthost1/remoteexthost.log',
      '2026-01-02 03:04:05.000 [info] Started\n2026-01-02 03:04:05.100 [error] ',
    );
    await write(
      '1/exthost1/remoteexthost.log',
      'Error: broken\n    at x.js:1:2\n2026-01-02 03:04:06.000 [info] Done\n',
    );
    await write('1/exthost1/parlance.parlance/Parlance.log', 'Sent\nA page sent a message outside the contract: x\n');
    await write('1/ptyhost.log', '2026-01-02 03:04:05.100 [error] of VS Code\n');
    const log = new FaultLog(folder);
    assert.deepEqual((await log.take()).toSorted(), [
      'A page sent a message outside the contract: x',
      'extension host: 2026-01-02 03:04:05.100 [error] Error: broken\n    at x.js:1:2\n',
    ]);
  });

  it('is reported once', async () => {
    const log = new FaultLog(folder);
    await write('remoteexthost.log', '2026-01-02 03:04:05.000 [error] früh\n');
    assert.equal((await log.take()).length, 1);
    assert.deepEqual(await log.take(), []);
    await write('remoteexthost.log', '2026-01-02 03:04:06.000 [error] spät\n');
    assert.deepEqual(await log.take(), ['extension host: 2026-01-02 03:04:06.000 [error] spät\n']);
  });

  it('is read once its entry is complete, so that an error always has its stack', async () => {
    const log = new FaultLog(folder);
    await write(
      'remoteexthost.log',
      '2026-01-02 03:04:05.000 [info] Started\n2026-01-02 03:04:05.100 [error] Error: bro',
    );
    assert.deepEqual(await log.take(), []);
    await write('remoteexthost.log', 'ken\n    at x');
    assert.deepEqual(await log.take(), []);
    await write('remoteexthost.log', '.js:1:2\n');
    assert.deepEqual(await log.take(), [
      'extension host: 2026-01-02 03:04:05.100 [error] Error: broken\n    at x.js:1:2\n',
    ]);
  });

  it('is nothing before VS Code has written any', async () => {
    assert.deepEqual(await new FaultLog(join(folder, 'none')).take(), []);
  });
});
