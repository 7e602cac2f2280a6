import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';

export async function run(command: string, ...given: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...given);
}

/** Runs a command that shows a list, and accepts its first row. */
export async function acceptingFirst(command: string, ...given: readonly unknown[]): Promise<void> {
  let isDone = false;
  const running = run(command, ...given).finally(() => (isDone = true));
  await eventually(`the list of ${command}`, () => {
    if (!isDone) void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    return isDone;
  });
  await running;
}

/** The newest request in the request history, as a user opens it. */
export async function openedRequest(): Promise<vscode.TextDocument> {
  // The diff of a proposed change might open at the same time and take the focus.
  const shown = () =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs.map(({ input }) => input))
      .findLast((input) => input instanceof vscode.TabInputText && input.uri.scheme === 'parlance-request');
  await eventually('the request', async () => {
    // Ask About Selection moves the focus to the chat, which closes a list that is already open in a desktop VS Code.
    if (shown() === undefined) await acceptingFirst('parlance.openRequest');
    return shown() !== undefined;
  });
  const input = shown();
  assert.ok(input instanceof vscode.TabInputText);
  return vscode.workspace.openTextDocument(input.uri);
}
