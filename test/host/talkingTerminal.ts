import * as vscode from 'vscode';
import { eventually } from './eventually.ts';

/** An active terminal, named "talker", that prints these words. */
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
  return terminal;
}
