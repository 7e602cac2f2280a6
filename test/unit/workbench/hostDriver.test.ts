import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { HostDriver } from '../../workbench/hostDriver.ts';

describe('An extension host that is gone before it answers', () => {
  let driver: HostDriver;
  let host: Socket;

  beforeEach(async () => {
    driver = await HostDriver.start();
    host = connect(driver.port, '127.0.0.1');
    await driver.whenConnected();
  });
  afterEach(async () => {
    host.destroy();
    await driver.close();
  });

  async function gone(act: (from: HostDriver) => Promise<unknown>): Promise<unknown> {
    const done = act(driver);
    // It's awaited below.
    done.catch(() => undefined);
    await once(host, 'data');
    host.destroy();
    return done;
  }

  it('might have run the command, for example to reload its window', async () => {
    await gone((from) => from.run('workbench.action.reloadWindow'));
    assert.equal(driver.isConnected, false);
  });

  it('sends nothing more', () => gone((from) => from.settle()));

  for (const [what, act] of [
    ['changed the settings', (from) => from.changeSettings({ 'editor.tabSize': 2 })],
    ['opened the file', (from) => from.open('a.ts')],
    ['selected lines', (from) => from.select('a.ts', 1)],
    ['run a command to its end', (from) => from.runToEnd('parlance.newChat')],
    ['measured its memory', (from) => from.memoryInUse()],
  ] as const satisfies readonly (readonly [string, (from: HostDriver) => Promise<unknown>])[])
    it(`has not ${what}`, () => assert.rejects(gone(act), /could not do .*: it was gone before it answered/));
});
