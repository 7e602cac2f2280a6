import * as vscode from 'vscode';
import { problemOfNothingToAdd } from '../../../core/problems/attachmentProblems.ts';
import { contextBlock } from '../../../core/chat/contextBlock.ts';
import type { Taken } from '../contextSnapshot.ts';

const marker = '\u2063parlance\u2063';

/**
 * What is selected in the active terminal. VS Code tells extensions no other way than by its copy
 * command, so the clipboard is borrowed for a moment and given back.
 */
export async function terminalContext(): Promise<Taken> {
  const terminal = vscode.window.activeTerminal;
  if (terminal === undefined) return problemOfNothingToAdd('terminal');
  const text = await selectedText();
  if (text.trim() === '') return problemOfNothingToAdd('terminal');
  return {
    kind: 'terminal',
    name: vscode.l10n.t('Terminal: {0}', terminal.name),
    detail: vscode.l10n.t('Selection in the terminal "{0}"', terminal.name),
    block: contextBlock({ heading: `Terminal: ${terminal.name}`, language: '', text }),
  };
}

async function selectedText(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  try {
    // Where the clipboard holds no text it may hold a picture, which nobody could give back: it is left alone
    // unless there is something to copy. Any text is replaced, so that an empty selection can be told apart.
    if (before !== '') await clipboard.writeText(marker);
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    const copied = await clipboard.readText();
    return copied === marker ? '' : copied;
  } finally {
    if (before !== '') await clipboard.writeText(before);
  }
}
