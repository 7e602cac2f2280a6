import type * as vscode from 'vscode';
import { commandIds } from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { Log } from '../platform/log.ts';
import { pageLogOf } from '../platform/pages/pagePort.ts';
import type { Settings } from '../settings/settings.ts';
import { filterRequests, followServices } from './filterRequests.ts';
import { registerRequestCommands, type RequestCommandsDeps } from './requestCommands.ts';
import { RequestDocuments } from './requestDocuments.ts';
import { RequestPages, type RequestPagesDeps } from './requestPages.ts';
import { type RequestNode, RequestTree } from './requestTree.ts';
import { UsagePanel } from './usagePanel.ts';

export interface RequestsDeps
  extends
    Omit<RequestCommandsDeps, 'documents' | 'pages' | 'selection'>,
    Pick<RequestPagesDeps, 'extensionUri' | 'runAction' | 'lastEditor'> {
  readonly view: vscode.TreeView<RequestNode>;
  readonly settings: Pick<Settings, 'requestsDailyBudget' | 'requestsSaveContent'>;
  readonly log: Pick<Log, 'error' | 'debug'>;
}

export interface RegisteredRequests extends vscode.Disposable {
  readonly tree: RequestTree;
  readonly documents: RequestDocuments;
}

/** The Requests view, its documents and commands, and the usage page. */
export function registerRequests(deps: RequestsDeps): RegisteredRequests {
  const { history, settings, log } = deps;
  const own = new DisposableList();
  const documents = own.add(new RequestDocuments(history, () => deps.services.first.id));
  const tree = own.add(new RequestTree(history));
  tree.showIn(deps.view);
  const filter = { ...deps, tree };
  own.add(followServices(filter));
  deps.commands.handle(commandIds.filterRequests, () => filterRequests(filter));
  const pages = own.add(
    new RequestPages({
      ...deps,
      showDifferences: (left, right) => documents.showDifferences(left, right),
      savesContent: () => settings.requestsSaveContent.value,
      onError: (error) => log.error('A request page', error),
      pageLog: pageLogOf(log, 'request'),
    }),
  );
  const selection = async () => {
    if (deps.view.selection.length === 0) await tree.drawn();
    return deps.view.selection;
  };
  registerRequestCommands({ ...deps, documents, pages, selection });
  const budget = settings.requestsDailyBudget;
  const onError = (error: unknown) => log.error('Usage', error);
  const usage = own.add(new UsagePanel({ ...deps, budget, onError, pageLog: pageLogOf(deps.log, 'usage') }));
  deps.commands.handle(commandIds.showUsage, () => usage.show());
  return { tree, documents, dispose: () => own.dispose() };
}
