import * as vscode from 'vscode';
import type { MeasuredFigures } from '../../core/models/measuredModel.ts';
import type { ModelGroup, ModelGroups, ModelListView } from '../../core/models/modelGroups.ts';
import type { IndexedModel } from '../../core/models/modelIndex.ts';
import { DisposableList } from '../platform/disposables.ts';
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

interface DrawnRow {
  readonly item: vscode.TreeItem;
  /** The source of its tooltip, which is created later. */
  readonly figures: MeasuredFigures | undefined;
}

/** What the tree shows. */
export interface ShownModels extends ModelItemContext {
  readonly groups: ModelGroups;
  readonly view: ModelListView;
}

/**
 * Maps the models to rows of a tree, from the current data at each change. An unchanged row isn't redrawn: while VS
 * Code redraws a row, a click on one of its buttons is lost.
 */
export class ModelTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #own = new DisposableList();
  readonly #changed = this.#own.add(new vscode.EventEmitter<TreeNode[] | undefined>());
  readonly #ask: () => ShownModels;
  #shown: ShownModels | undefined;
  /** What VS Code has drawn since the last complete redraw. */
  #drawn = new Map<TreeNode, DrawnRow>();
  /** How VS Code identifies a row until the next complete redraw, with the groups under undefined. */
  #nodes = new Map<TreeNode | undefined, TreeNode[]>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(ask: () => ShownModels) {
    this.#ask = ask;
  }

  /** Calculated once per change. */
  get shown(): ShownModels {
    this.#shown ??= this.#ask();
    return this.#shown;
  }

  refresh(): void {
    const before = this.#shown;
    this.#shown = undefined;
    if (before === undefined || this.#drawn.size === 0 || !hasSameRows(before, this.shown)) {
      this.#drawn = new Map();
      this.#nodes = new Map();
      this.#changed.fire(undefined);
      return;
    }
    const changed = [...this.#drawn].flatMap(([node, was]) => (isSameRow(was, this.#row(node)) ? [] : [node]));
    if (changed.length > 0) this.#changed.fire(changed);
  }

  getChildren(node?: TreeNode): TreeNode[] {
    const nodes = this.#nodes.get(node) ?? this.#childrenOf(node);
    this.#nodes.set(node, nodes);
    return nodes;
  }

  #childrenOf(node?: TreeNode): TreeNode[] {
    if (node === undefined) return this.shown.groups.groups.map((group) => ({ type: 'group', group }));
    if (node.type === 'model') return [];
    return node.group.models.map((entry) => ({ type: 'model', entry, parent: node }));
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.type === 'model' ? node.parent : undefined;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const row = this.#row(node);
    this.#drawn.set(node, row);
    return row.item;
  }

  #row(node: TreeNode): DrawnRow {
    return node.type === 'group'
      ? { item: groupItem(node.group, this.shown.view, this.shown.groups), figures: undefined }
      : {
          item: modelItem(node.entry, node.parent.group, this.shown),
          figures: this.shown.figures(node.entry.model.id),
        };
  }

  /** Tooltips are created on demand, because thousands of rows have one. */
  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node.type === 'model') item.tooltip = modelTooltip(node.entry, this.shown);
    return item;
  }

  dispose(): void {
    this.#own.dispose();
  }
}

function isSameRow(one: DrawnRow, other: DrawnRow): boolean {
  const text = ({ item, figures }: DrawnRow): string => JSON.stringify([item, figures], shown);
  return text(one) === text(other);
}

/** A model that the service doesn't list is created again each time. */
function isSameModel(one: IndexedModel, other: IndexedModel | undefined): boolean {
  if (one === other) return true;
  return !one.isListed && other?.isListed === false && JSON.stringify(one.model) === JSON.stringify(other.model);
}

/** Whether both have the same models in the same order, found in the same way. */
function hasSameRows(one: ShownModels, other: ShownModels): boolean {
  const groups = other.groups.groups;
  return (
    one.view === other.view &&
    one.groups.groups.length === groups.length &&
    one.groups.groups.every(({ kind, provider, service, models }, place) => {
      const group = groups[place];
      return (
        group?.kind === kind &&
        group.provider === provider &&
        group.service === service &&
        group.models.length === models.length &&
        group.models.every((model, index) => isSameModel(model, models[index]))
      );
    })
  );
}

/** For JSON: the tooltip is added to the item later. */
function shown(key: string, value: unknown): unknown {
  return key === 'tooltip' ? undefined : value;
}
