import * as vscode from 'vscode';
import { commandIds, viewIds } from '../contributions.ts';
import { DisposableList } from '../disposables.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings.ts';
import { watchDailyBudget } from './dailyBudget.ts';
import { registerRequestCommands, type RequestCommandsDeps } from './requestCommands.ts';
import { RequestDocuments } from './requestDocuments.ts';
import { RequestTree } from './requestTree.ts';
import { UsagePanel } from './usagePanel.ts';

export interface RequestsDeps extends Omit<RequestCommandsDeps, 'documents' | 'view'> {
  readonly extensionUri: vscode.Uri;
  readonly globalState: vscode.Memento;
  readonly settings: Pick<Settings, 'requestsDailyBudget'>;
  readonly log: Pick<Log, 'error'>;
}

/** The view of recent requests, their documents and commands, and the usage page. */
export function registerRequests(deps: RequestsDeps): vscode.Disposable {
  const { history, settings, log } = deps;
  const own = new DisposableList();
  const documents = own.add(new RequestDocuments(history));
  const tree = own.add(new RequestTree(history));
  const view = own.add(
    vscode.window.createTreeView(viewIds.requests, {
      treeDataProvider: tree,
      showCollapseAll: true,
      canSelectMany: true,
    }),
  );
  tree.showIn(view);
  own.add(registerRequestCommands({ ...deps, documents, view }));
  const budget = () => settings.requestsDailyBudget.value;
  const onError = (error: unknown) => log.error('Usage', error);
  const usage = own.add(new UsagePanel({ ...deps, budget, onError }));
  own.add(vscode.commands.registerCommand(commandIds.showUsage, () => usage.show()));
  own.add(watchDailyBudget({ ...deps, budget, state: deps.globalState, onError }));
  return own;
}
