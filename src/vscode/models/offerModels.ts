import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { commandsOf, viewIds } from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import { LateTree } from '../platform/lateTree.ts';
import { lazy } from '../platform/lazy.ts';
import type { Offering } from '../platform/offering.ts';
import type { TreeNode } from './modelTree.ts';
import type { ModelsDeps, RegisteredModels } from './registerModels.ts';

/** The Models view and its commands. */
export function offerModels(
  { commands, services }: Offering<Omit<ModelsDeps, 'view' | 'useForChat'>>,
  useForChat: (model: ModelRef) => Promise<void>,
): vscode.Disposable {
  const own = new DisposableList();
  const models: () => Promise<RegisteredModels> = lazy(async () => {
    const [{ registerModels }, shared] = await Promise.all([import('./registerModels.ts'), services()]);
    return own.add(registerModels({ ...shared, view, useForChat }));
  });
  const treeDataProvider = own.add(new LateTree<TreeNode>(async () => (await models()).tree));
  const view = own.add(
    vscode.window.createTreeView(viewIds.models, { treeDataProvider, showCollapseAll: true, canSelectMany: true }),
  );
  commands.take(Object.values(commandsOf.models), models);
  return own;
}
