import * as vscode from 'vscode';
import { problemOfNothingToAdd } from '../../../core/problems/attachmentProblems.ts';
import { contextBlock } from '../../../core/chat/contextBlock.ts';
import type { Taken } from '../contextSnapshot.ts';

const marker = '\u2063parlance\u2063';

/**
 * The selection in the active terminal. VS Code only provides it through its copy command, so the clipboard is borrowed
 * for a moment and restored.
 */
export async function terminalContext(): Promise<Taken> {
  const terminal = vscode.window.activeTerminal;
  if (terminal === undefined) return problemOfNothingToAdd('terminal');
  const text = await terminalSelection();
  if (text.trim() === '') return problemOfNothingToAdd('terminal');
  return {
    kind: 'terminal',
    name: vscode.l10n.t('Terminal: {0}', terminal.name),
    detail: vscode.l10n.t('Selection in the terminal "{0}"', terminal.name),
    block: contextBlock({ heading: `Terminal: ${terminal.name}`, language: '', text }),
  };
}

async function terminalSelection(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  try {
    // If the clipboard has no text, it might have an image, which couldn't be restored, so it isn't touched unless
    // there's something to copy. Any text is replaced, in order to detect an empty selection.
    if (before !== '') await clipboard.writeText(marker);
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    const copied = await clipboard.readText();
    return copied === marker ? '' : copied;
  } finally {
    if (before !== '') await clipboard.writeText(before);
  }
}
