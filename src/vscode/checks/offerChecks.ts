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
    // From now on, they watch for files themselves.
    own.remove(watching);
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
  const watching = own.add(new DisposableList());
  const watch = async () => {
    const watcher = watching.add(vscode.workspace.createFileSystemWatcher(checksPattern, false, true, true));
    watching.add(watcher.onDidCreate(look));
    const { watchNewFolders } = await import('./newFolders.ts');
    watching.add(watchNewFolders({ found: look, onError: (cause) => void tell(cause) }));
    await lookForFiles();
  };
  const timer = setTimeout(() => void watch().catch((cause: unknown) => void tell(cause)), LOOK_DELAY_MS);
  own.add({ dispose: () => clearTimeout(timer) });
  own.add(vscode.workspace.onDidGrantWorkspaceTrust(lookAround));
  return own;
}
