import * as vscode from 'vscode';
import type { ModelGroup, ModelGroups, ModelListView } from '../../core/modelGroups.ts';
import type { IndexedModel } from '../../core/modelIndex.ts';
import { DisposableList } from '../disposables.ts';
import { groupItem, modelItem, type ModelItemContext, modelTooltip } from './modelItem.ts';

export interface GroupNode {
  readonly type: 'group';
  readonly group: ModelGroup;
}

export interface ModelNode {
  readonly type: 'model';
  readonly entry: IndexedModel;
  readonly parent: GroupNode;
}

export type TreeNode = GroupNode | ModelNode;

/** What the tree shows. */
export interface ShownModels extends ModelItemContext {
  readonly groups: ModelGroups;
  readonly view: ModelListView;
}

/** Maps the models to rows of a tree; all it knows is asked for at each change. */
export class ModelTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #own = new DisposableList();
  readonly #changed = this.#own.add(new vscode.EventEmitter<void>());
  readonly #ask: () => ShownModels;
  #shown: ShownModels | undefined;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(ask: () => ShownModels) {
    this.#ask = ask;
  }

  /** Worked out once for each change. */
  get shown(): ShownModels {
    this.#shown ??= this.#ask();
    return this.#shown;
  }

  refresh(): void {
    this.#shown = undefined;
    this.#changed.fire();
  }

  getChildren(node?: TreeNode): TreeNode[] {
    if (node === undefined) return this.shown.groups.groups.map((group) => ({ type: 'group', group }));
    if (node.type === 'model') return [];
    return node.group.models.map((entry) => ({ type: 'model', entry, parent: node }));
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.type === 'model' ? node.parent : undefined;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return node.type === 'group'
      ? groupItem(node.group, this.shown.view, this.shown.groups)
      : modelItem(node.entry, node.parent.group, this.shown);
  }

  /** Tooltips are made when they are looked at: thousands of rows have one. */
  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node.type === 'model') item.tooltip = modelTooltip(node.entry, this.shown);
    return item;
  }

  dispose(): void {
    this.#own.dispose();
  }
}
