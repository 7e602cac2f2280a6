import * as vscode from 'vscode';
import { commandsOf } from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import { lazy } from '../platform/lazy.ts';
import type { Offering } from '../platform/offering.ts';
import { checksPattern, openCheckRequestCommand } from './checksNames.ts';
import type { ChecksDeps, RegisteredChecks } from './registerChecks.ts';

/** Late enough not to slow down startup, in milliseconds. */
const LOOK_DELAY_MS = 1500;

/** Prompt checks. Loaded once the workspace has a file of them, or a command is run. */
export function offerChecks({ commands, services }: Offering<ChecksDeps>): vscode.Disposable {
  const own = new DisposableList();
  const checks: () => Promise<RegisteredChecks> = lazy(async () => {
    const [{ registerChecks }, shared] = await Promise.all([import('./registerChecks.ts'), services()]);
    return own.add(registerChecks(shared));
  });
  commands.take([...Object.values(commandsOf.checks), openCheckRequestCommand], checks);
  const load = async () => {
    if (vscode.workspace.isTrusted && !own.disposed) await checks();
  };
  const tell = async (cause: unknown) => (await services()).log.error('Checks', cause);
  const look = () => {
    load().catch((cause: unknown) => void tell(cause));
  };
  const lookForFiles = async () => {
    if (!vscode.workspace.isTrusted || vscode.workspace.workspaceFolders === undefined) return;
    const found = await vscode.workspace.findFiles(checksPattern, '**/node_modules/**', 1);
    if (found.length > 0) look();
  };
  const lookAround = () => {
    lookForFiles().catch((cause: unknown) => void tell(cause));
  };
  const timer = setTimeout(() => {
    const watcher = own.add(vscode.workspace.createFileSystemWatcher(checksPattern, false, true, true));
    own.add(watcher.onDidCreate(look));
    lookAround();
  }, LOOK_DELAY_MS);
  own.add({ dispose: () => clearTimeout(timer) });
  own.add(vscode.workspace.onDidGrantWorkspaceTrust(lookAround));
  return own;
}
