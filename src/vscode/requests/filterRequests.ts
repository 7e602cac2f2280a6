import * as vscode from 'vscode';
import { serviceOf } from '../../core/requests/requestLog.ts';
import { hasSeveralServices, serviceName } from '../../words/modelLabel.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import type { Services } from '../service/services.ts';
import type { RequestHistory } from './requestHistory.ts';
import type { RequestNode, RequestTree } from './requestTree.ts';

export interface FilterRequestsDeps {
  readonly history: Pick<RequestHistory, 'requests'>;
  readonly services: Pick<Services, 'all' | 'onDidChange'>;
  readonly tree: Pick<RequestTree, 'service' | 'showOnly'>;
  readonly view: Pick<vscode.TreeView<RequestNode>, 'message'>;
}

/** Asks which service's requests to show. */
export async function filterRequests({ history, services, tree, view }: FilterRequestsDeps): Promise<void> {
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
export function followServices(deps: FilterRequestsDeps): vscode.Disposable {
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
