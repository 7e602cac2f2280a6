import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answer, type RawServer, startRawServer } from '../unit/api/rawServer.ts';
import { clearUserSettings, setUserSettings } from './userSettings.ts';

const slots = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];
const inSlots = (): readonly unknown[] => slots.map((slot) => Reflect.get(globalThis, slot) as unknown);
// All files are loaded before the first test activates the extension.
const beforeActivation = inSlots();

describe('The dispatcher that all fetches of the host share', () => {
  after(async () => {
    delete process.env['SERVICE_API_KEY'];
    await clearUserSettings();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // The commands have shown every view, and a visible Models view fetches models whenever the service changes.
    await vscode.commands.executeCommand('workbench.view.explorer');
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
  });

  let server: RawServer;
  before(async () => {
    server = await startRawServer((socket) => socket.write(answer(401, '')));
    process.env['SERVICE_API_KEY'] = 'any-key';
    await setUserSettings({
      'parlance.services': [{ baseUrl: `${server.origin}/v1` }],
      'parlance.chat.model': 'maker/model',
    });
  });
  after(() => server.close());

  const { commands } = vscode.extensions.getExtension('parlance.parlance')?.packageJSON.contributes ?? {};
  for (const { command } of commands) {
    it(`is the same after ${command}`, async () => {
      await run(command);
      assert.deepEqual(sameAsBefore(), [true, true]);
    });
  }

  it('is the same after requests, which these commands made', () => {
    assert.ok(server.requests.length > 0, 'no request was made');
    assert.deepEqual(sameAsBefore(), [true, true]);
  });
});

function sameAsBefore(): readonly boolean[] {
  return inSlots().map((value, index) => value === beforeActivation[index]);
}

/** Runs a command to its end and closes whatever it shows. Its messages don't matter here. */
async function run(command: string): Promise<void> {
  const running = Promise.allSettled([vscode.commands.executeCommand(command)]).then(() => 'over');
  const soon = () => new Promise((resolve) => setTimeout(resolve, 100));
  while ((await Promise.race([running, soon()])) !== 'over') {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  }
}
