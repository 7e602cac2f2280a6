import * as vscode from 'vscode';
import type { MeasuredFigures } from '../../core/models/measuredModel.ts';
import {
  isFiltered,
  isOneRanking,
  type ModelGroup,
  type ModelGroups,
  type ModelListView,
} from '../../core/models/modelGroups.ts';
import { mainServiceId } from '../../shared/modelRef.ts';
import { fetchingItem, serviceItem, type ServiceState, troubleItem } from './serviceItem.ts';
import type { IndexedModel } from '../../core/models/modelIndex.ts';
import { DisposableList } from '../platform/disposables.ts';
import { groupItem, modelItem, type ModelItemContext, modelTooltip } from './modelItem.ts';

/** A service, if there are several. */
export interface ServiceNode {
  readonly type: 'service';
  /** Its ID. */
  readonly service: string;
}

/** Below a service without a list: what went wrong. */
interface TroubleNode {
  readonly type: 'trouble';
  readonly service: string;
  readonly parent: ServiceNode;
}

export interface GroupNode {
  readonly type: 'group';
  /** Replaced when only the models of favorites or of recently used ones change. */
  group: ModelGroup;
  /** Absent for a group of all services. */
  readonly parent?: ServiceNode;
}

export interface ModelNode {
  readonly type: 'model';
  readonly entry: IndexedModel;
  readonly parent: GroupNode;
}

/** In place of the models until the first list has arrived: an empty list would lose the focus. */
interface FetchingNode {
  readonly type: 'fetching';
}

export type TreeNode = ServiceNode | TroubleNode | GroupNode | ModelNode | FetchingNode;

interface DrawnRow {
  readonly item: vscode.TreeItem;
  /** The source of its tooltip, which is created later. */
  readonly figures: MeasuredFigures | undefined;
}

/** What the tree shows. */
export interface ShownModels extends ModelItemContext {
  readonly groups: ModelGroups;
  readonly view: ModelListView;
  /** In the user's order; none if there's only one. */
  readonly services: readonly ServiceState[];
  /** Hosts of the services, while the first list is being fetched. */
  readonly fetchingFrom?: string;
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
    const regrouped = this.#regroup();
    const changed = [...this.#drawn].flatMap(([node, was]) => (isSameRow(was, this.#row(node)) ? [] : [node]));
    const redrawn = new Set([...regrouped, ...changed]);
    if (redrawn.size > 0) this.#changed.fire([...redrawn]);
  }

  /** Gives favorites and recently used models their current rows. @returns the groups whose rows are others now */
  #regroup(): readonly GroupNode[] {
    return (this.#nodes.get(undefined) ?? []).flatMap((node) => {
      if (node.type !== 'group' || !isOfMarks(node.group)) return [];
      const group = this.shown.groups.groups.find(({ kind }) => kind === node.group.kind) ?? node.group;
      if (hasSameModels(node.group, group)) return [];
      for (const row of this.#nodes.get(node) ?? []) this.#drawn.delete(row);
      this.#nodes.delete(node);
      node.group = group;
      return [node];
    });
  }

  getChildren(node?: TreeNode): TreeNode[] {
    const nodes = this.#nodes.get(node) ?? this.#childrenOf(node);
    this.#nodes.set(node, nodes);
    return nodes;
  }

  #childrenOf(node?: TreeNode): TreeNode[] {
    if (node === undefined) {
      const rows = [...this.#groupsOf(undefined), ...this.#serviceNodes()];
      return rows.length > 0 || this.shown.fetchingFrom === undefined ? rows : [{ type: 'fetching' }];
    }
    switch (node.type) {
      case 'service':
        return this.#below(node);
      case 'group':
        return node.group.models.map((entry) => ({ type: 'model', entry, parent: node }));
      case 'trouble':
      case 'fetching':
      case 'model':
        return [];
    }
  }

  /** A filter hides services without a match, and a ranking hides those whose models are all in it. */
  #serviceNodes(): ServiceNode[] {
    const { services, view } = this.shown;
    const isNarrowed = isFiltered(view);
    return services
      .filter(({ trouble }) => !isOneRanking(view) || trouble !== undefined)
      .map(({ id }): ServiceNode => ({ type: 'service', service: id }))
      .filter((node) => !isNarrowed || this.#groupsOf(node).length > 0);
  }

  /** @param parent undefined for the groups of all services */
  #groupsOf(parent: ServiceNode | undefined): GroupNode[] {
    const { groups, services } = this.shown;
    const isAlone = services.length === 0;
    return groups.groups
      .filter((group) => (isAlone ? undefined : serviceOfGroup(group)) === parent?.service)
      .map((group) => ({ type: 'group', group, ...(parent !== undefined && { parent }) }));
  }

  #below(parent: ServiceNode): TreeNode[] {
    const { service } = parent;
    const groups = this.#groupsOf(parent);
    const [only] = groups;
    // Without groups, or with one that says nothing, the models themselves.
    if (groups.length === 1 && only !== undefined && (only.group.kind === 'all' || only.group.provider === '')) {
      return only.group.models.map((entry) => ({ type: 'model', entry, parent: only }));
    }
    if (groups.length > 0) return groups;
    const state = this.shown.services.find(({ id }) => id === service);
    return state?.trouble === undefined ? [] : [{ type: 'trouble', service, parent }];
  }

  getParent(node: TreeNode): TreeNode | undefined {
    if (node.type === 'service' || node.type === 'fetching') return undefined;
    if (node.type !== 'model') return node.parent;
    const service = node.parent.parent;
    return service !== undefined && this.getChildren(service).includes(node) ? service : node.parent;
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    const row = this.#row(node);
    this.#drawn.set(node, row);
    return row.item;
  }

  #row(node: TreeNode): DrawnRow {
    switch (node.type) {
      case 'group':
        return { item: groupItem(node.group, this.shown.view, this.shown.groups), figures: undefined };
      case 'model': {
        const { entry, parent } = node;
        return { item: modelItem(entry, parent.group, this.shown), figures: this.shown.figures(entry.model.id) };
      }
      case 'fetching':
        return { item: fetchingItem(this.shown.fetchingFrom ?? ''), figures: undefined };
      case 'service':
      case 'trouble': {
        const state = this.shown.services.find(({ id }) => id === node.service);
        const unknown = { id: node.service, name: '', baseUrl: '', count: 0, isAsking: false };
        return { item: itemOf(node.type, state ?? unknown, this.shown.view), figures: undefined };
      }
    }
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

function itemOf(type: 'service' | 'trouble', state: ServiceState, view: ModelListView): vscode.TreeItem {
  return type === 'service' ? serviceItem(state, view) : troubleItem(state);
}

/** The service that a group belongs to; undefined for favorites, recently used models, and one ranking of all. */
function serviceOfGroup({ kind, service = mainServiceId, isOfService = false }: ModelGroup): string | undefined {
  return kind === 'provider' || isOfService ? service : undefined;
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

function hasSameModels(one: ModelGroup, other: ModelGroup): boolean {
  return (
    one.models.length === other.models.length &&
    one.models.every((model, index) => isSameModel(model, other.models[index]))
  );
}

/** A group of what the user marked or used. Its row is never below a service's. */
function isOfMarks({ kind }: ModelGroup): boolean {
  return kind === 'favorites' || kind === 'recent';
}

/** Whether both have the same groups, and their services the same models in the same order, found in the same way. */
function hasSameRows(one: ShownModels, other: ShownModels): boolean {
  const groups = other.groups.groups;
  return (
    one.view === other.view &&
    one.fetchingFrom === other.fetchingFrom &&
    hasSameServices(one.services, other.services) &&
    one.groups.groups.length === groups.length &&
    one.groups.groups.every((before, place) => {
      const group = groups[place];
      return (
        group?.kind === before.kind &&
        group.provider === before.provider &&
        group.service === before.service &&
        (isOfMarks(group) || hasSameModels(before, group))
      );
    })
  );
}

/** Whether the same services have rows below them; what their own rows say is compared separately. */
function hasSameServices(one: readonly ServiceState[], other: readonly ServiceState[]): boolean {
  return troubled(one) === troubled(other);
}

function troubled(states: readonly ServiceState[]): string {
  return JSON.stringify(states.map(({ id, trouble }) => [id, trouble !== undefined]));
}

/** For JSON: the tooltip is added to the item later. */
function shown(key: string, value: unknown): unknown {
  return key === 'tooltip' ? undefined : value;
}
