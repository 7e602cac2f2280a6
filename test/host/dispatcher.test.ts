import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startRawServer, answer } from '../unit/api/rawServer.ts';
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

  it('is the same after every command, and after requests', async () => {
    const server = await startRawServer((socket) => socket.write(answer(401, '')));
    try {
      process.env['SERVICE_API_KEY'] = 'any-key';
      await setUserSettings({
        'parlance.services': [{ baseUrl: `${server.origin}/v1` }],
        'parlance.chat.model': 'maker/model',
      });
      const { commands } = vscode.extensions.getExtension('parlance.parlance')?.packageJSON.contributes ?? {};
      assert.ok(commands.length > 10);
      for (const { command } of commands) {
        await run(command);
        assert.deepEqual(sameAsBefore(), [true, true], command);
      }
      assert.ok(server.requests.length > 0, 'no request was made');
    } finally {
      await server.close();
    }
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
