import * as vscode from 'vscode';
import { eventually } from './eventually.ts';

/** An active terminal, named "talker", that shows these words. */
export async function talkingTerminal(words: string): Promise<vscode.Terminal> {
  const write = new vscode.EventEmitter<string>();
  let isOpen = false;
  const terminal = vscode.window.createTerminal({
    name: 'talker',
    pty: {
      onDidWrite: write.event,
      open: () => {
        isOpen = true;
        write.fire(`${words}\r\n`);
      },
      close: () => write.dispose(),
    },
  });
  terminal.show();
  await eventually('the terminal is open', () => isOpen && vscode.window.activeTerminal === terminal);
  // VS Code shows them some time after they were written, and only its copy command can tell.
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  await eventually('the terminal shows the words', async () => {
    await vscode.commands.executeCommand('workbench.action.terminal.selectAll');
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    return (await clipboard.readText()).includes(words);
  });
  await vscode.commands.executeCommand('workbench.action.terminal.clearSelection');
  await clipboard.writeText(before);
  return terminal;
}
