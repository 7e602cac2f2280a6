import * as vscode from 'vscode';
import { eventually } from './eventually.ts';

/** Waits until VS Code reports changes in the folder: it misses those from before it watches a new one. */
export async function watched(folder: vscode.Uri): Promise<void> {
  const watcher = vscode.workspace.createFileSystemWatcher('**/*');
  const probe = vscode.Uri.joinPath(folder, 'probe.txt');
  let isReported = false;
  const report = (uri: vscode.Uri) => (isReported ||= uri.toString() === probe.toString());
  const listening = [watcher.onDidCreate(report), watcher.onDidChange(report)];
  try {
    let turn = 0;
    await eventually('a change that VS Code reports', async () => {
      turn += 1;
      await vscode.workspace.fs.writeFile(probe, new TextEncoder().encode(String(turn)));
      return isReported;
    });
  } finally {
    for (const each of [...listening, watcher]) each.dispose();
    await vscode.workspace.fs.delete(probe);
  }
}
