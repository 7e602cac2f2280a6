import * as vscode from 'vscode';
import { commandsOf, documentSchemes, viewIds } from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import { registerLateDocuments } from '../platform/documents/lateDocuments.ts';
import { LateTree } from '../platform/lateTree.ts';
import { lazy } from '../platform/lazy.ts';
import type { Offering } from '../platform/offering.ts';
import type { RegisteredRequests, RequestsDeps } from './registerRequests.ts';
import type { RequestNode } from './requestTree.ts';

/** The Requests view, its documents, and its commands. */
export function offerRequests(
  { commands, services }: Offering<Omit<RequestsDeps, 'view' | 'chat'>>,
  chat: RequestsDeps['chat'],
): vscode.Disposable {
  const own = new DisposableList();
  const requests: () => Promise<RegisteredRequests> = lazy(async () => {
    const [{ registerRequests }, shared] = await Promise.all([import('./registerRequests.ts'), services()]);
    return own.add(registerRequests({ ...shared, view, chat }));
  });
  const treeDataProvider = own.add(new LateTree<RequestNode>(async () => (await requests()).tree));
  const view = own.add(
    vscode.window.createTreeView(viewIds.requests, { treeDataProvider, showCollapseAll: true, canSelectMany: true }),
  );
  own.add(registerLateDocuments(documentSchemes.request, async () => (await requests()).documents));
  commands.take(Object.values(commandsOf.requests), requests);
  return own;
}
