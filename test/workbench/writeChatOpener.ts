import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const manifest = {
  name: 'open-chat',
  publisher: 'parlance-start',
  version: '1.0.0',
  engines: { vscode: '^1.106.0' },
  main: './main.cjs',
  activationEvents: ['onStartupFinished'],
};

const main = `exports.activate = async ({ globalState }) => {
  if (globalState.get('opened')) return;
  await require('vscode').commands.executeCommand('parlance.openChat');
  await globalState.update('opened', true);
};
`;

/**
 * Opens the chat the first time that `npm start` shows VS Code: a side bar that is shown before the extensions are
 * known stays empty. Users don't get this.
 * @param extensions the server's folder of installed extensions
 */
export async function writeChatOpener(extensions: string): Promise<void> {
  const folder = join(extensions, `${manifest.publisher}.${manifest.name}-${manifest.version}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.cjs'), main);
}
