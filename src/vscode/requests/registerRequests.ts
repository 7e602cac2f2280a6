import * as vscode from 'vscode';
import { commandIds } from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { Log } from '../platform/log.ts';
import { pageLogOf } from '../platform/pages/pagePort.ts';
import type { Settings } from '../settings/settings.ts';
import { registerRequestCommands, type RequestCommandsDeps } from './requestCommands.ts';
import { RequestDocuments } from './requestDocuments.ts';
import { RequestPages, type RequestPagesDeps } from './requestPages.ts';
import { type RequestNode, RequestTree } from './requestTree.ts';
import { UsagePanel } from './usagePanel.ts';
import { serviceOf } from '../../core/requests/requestLog.ts';
import { hasSeveralServices, serviceName } from '../../words/modelLabel.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import type { Services } from '../service/services.ts';
import type { RequestHistory } from './requestHistory.ts';

interface FilterRequestsDeps {
  readonly history: Pick<RequestHistory, 'requests'>;
  readonly services: Pick<Services, 'all' | 'onDidChange'>;
  readonly tree: Pick<RequestTree, 'service' | 'showOnly'>;
  readonly view: Pick<vscode.TreeView<RequestNode>, 'message'>;
}

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

/** Asks which service's requests to show. */
async function filterRequests({ history, services, tree, view }: FilterRequestsDeps): Promise<void> {
  const requests = await history.requests();
  const counts = new Map(services.all.map(({ id }) => [id, 0]));
  // Those of a service that was removed are still here.
  for (const request of requests) counts.set(serviceOf(request), (counts.get(serviceOf(request)) ?? 0) + 1);
  const all: { label: string; id?: string; description?: string } = { label: vscode.l10n.t('All Services') };
  const rows = [
    all,
    ...[...counts].map(([id, count]) => ({ id, label: serviceName(id), description: String(count) })),
  ].map((row) => ({ ...row, ...(row.id === tree.service && { detail: vscode.l10n.t('current') }) }));
  const row = await plainWindow.showQuickPick(rows, { title: vscode.l10n.t('Filter Requests by Service') });
  if (row === undefined) return;
  show({ tree, view }, row.id);
}

/** The filter is named as the service is called now. With a single service, it would only hide requests. */
function followServices(deps: FilterRequestsDeps): vscode.Disposable {
  const { services, tree, view } = deps;
  return services.onDidChange(() => {
    if (tree.service !== undefined && !hasSeveralServices()) show(deps, undefined);
    else view.message = filterText(tree.service);
  });
}

function show({ tree, view }: Pick<FilterRequestsDeps, 'tree' | 'view'>, service: string | undefined): void {
  tree.showOnly(service);
  view.message = filterText(service);
}

/** VS Code treats an empty text as none. */
function filterText(service: string | undefined): string {
  return service === undefined ? '' : vscode.l10n.t('Filter: {0}.', serviceName(service));
}
