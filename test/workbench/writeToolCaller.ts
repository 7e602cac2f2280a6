import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const manifest = {
  name: 'tool-caller',
  publisher: 'parlance-test',
  version: '1.0.0',
  engines: { vscode: '^1.106.0' },
  main: './main.cjs',
  activationEvents: [],
  contributes: { commands: [{ command: 'toolCaller.call', title: 'Call a Tool', category: 'Test' }] },
};

const main = `const vscode = require('vscode');
exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.commands.registerCommand('toolCaller.call', async () => {
    const { name, input } = JSON.parse(await vscode.window.showInputBox({ title: 'Call a Tool', ignoreFocusOut: true }));
    try {
      const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
      const words = content.map((part) => part.value ?? part.mimeType).join(' ');
      vscode.window.showInformationMessage('gave: ' + words);
    } catch (error) {
      vscode.window.showInformationMessage('failed: ' + error.message);
    }
  }));
};
`;

/**
 * An extension that calls a language model tool like an agent: with a name and an input, both typed into a box as JSON.
 * A notification shows the result.
 * @param extensions the server's folder of installed extensions
 */
export async function writeToolCaller(extensions: string): Promise<void> {
  const folder = join(extensions, `${manifest.publisher}.${manifest.name}-${manifest.version}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.cjs'), main);
}
