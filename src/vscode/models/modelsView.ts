import * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import { type CatalogTrouble, troubleOf } from '../../core/problems/catalogTrouble.ts';
import {
  groupModels,
  isFiltered,
  isOneRanking,
  visibleModels,
  type ModelListView,
  type ModelSort,
} from '../../core/models/modelGroups.ts';
import { speedOf } from '../../core/models/measuredModel.ts';
import type { ModelIndex } from '../../core/models/modelIndex.ts';
import type { Problem } from '../../shared/problem.ts';
import { contextKeys, viewIds } from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { ModelListState } from './modelListState.ts';
import { bringUpToDate, type ModelSources } from './modelSources.ts';
import type { ServiceState } from './serviceItem.ts';
import { ModelTree, type ShownModels, type TreeNode } from './modelTree.ts';
import type { Services } from '../service/services.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { agoText } from '../../words/moment.ts';
import { setContext } from '../platform/setContext.ts';
import { abilityText } from '../../core/models/kindText.ts';

/** Which welcome the empty view shows. `listed` shows none. */
type ModelsState = 'listed' | 'asking' | 'empty' | 'filtered' | 'allHidden' | CatalogTrouble;

export interface ModelsViewDeps extends ModelSources {
  readonly view: vscode.TreeView<TreeNode>;
  readonly list: ModelListState;
  /** The default model. */
  readonly defaultModel: () => string | undefined;
  readonly onDidChangeDefaultModel: vscode.Event<unknown>;
  readonly onDidChangeConnection: vscode.Event<unknown>;
  readonly services: Pick<Services, 'all'>;
  /** @param service its ID; the main one if absent */
  readonly explain: (error: unknown, service?: string) => Problem;
  /** The user sees models in the view. Called on every redraw. */
  readonly onSeen: () => void;
  readonly onUnexpected: (error: unknown) => void;
}

/** The Models view: what the tree shows, what the view says about it, and when the list is fetched. */
export class ModelsView implements vscode.Disposable {
  readonly #deps: ModelsViewDeps;
  readonly #own = new DisposableList();
  /** The rows. */
  readonly tree: ModelTree;
  readonly #view: vscode.TreeView<TreeNode>;
  #state: ModelsState | undefined;
  /** The results of the last failures, by service. */
  readonly #problems = new Map<string, { readonly cause: unknown; readonly words: Problem }>();
  #progress: Promise<unknown> | undefined;
  #isDue = false;
  #areRowsDue = false;
  /** The state that the rows were last drawn for. */
  #drawn: ModelIndex | undefined;
  /** VS Code restores a view with its window, which isn't a request by the user to fetch the list. */
  #wasSeen = false;

  constructor(deps: ModelsViewDeps) {
    this.#deps = deps;
    const own = this.#own;
    this.tree = own.add(new ModelTree(() => this.#shown()));
    this.#view = deps.view;
    const changed = () => this.#changed();
    own.add({ dispose: deps.marks.onDidChange(changed) });
    // Rows of services say how each is doing, and so does the only row until there are models.
    const hasOtherRows = (): boolean => deps.services.all.length > 1 || deps.catalog.index.models.length === 0;
    own.add({
      dispose: deps.catalog.onDidChange(() => this.#changed(deps.catalog.index !== this.#drawn || hasOtherRows())),
    });
    own.add(deps.list.onDidChange(changed));
    own.add(deps.measured.onDidChange(changed));
    own.add(deps.votes.onDidChange(changed));
    own.add(deps.onDidChangeDefaultModel(changed));
    own.add(deps.refreshAfterMinutes.onDidChange(() => this.#look()));
    own.add(deps.onDidChangeConnection(() => this.#look()));
    own.add(this.#view.onDidChangeVisibility(() => this.#look()));
    this.#look();
  }

  get isVisible(): boolean {
    return this.#view.visible;
  }

  /** The selected model in the tree. */
  get selected(): string | undefined {
    const node = this.#view.selection[0];
    return node?.type === 'model' ? node.entry.model.id : undefined;
  }

  dispose(): void {
    this.#own.dispose();
  }

  /**
   * Called when the view becomes visible: reads what is stored, and, from the second time on, fetches a list that's too
   * old.
   */
  #look(): void {
    if (!this.#view.visible) return;
    this.#changed();
    const { catalog, marks, onUnexpected } = this.#deps;
    const look = this.#wasSeen ? bringUpToDate(this.#deps) : Promise.all([marks.load(), catalog.ensure(Infinity)]);
    this.#wasSeen = true;
    look.catch(onUnexpected);
  }

  #shown(): ShownModels {
    const { catalog, marks, list, measured, votes } = this.#deps;
    const figures = (id: string) => measured.figures(id);
    const { index } = catalog;
    const fetchingFrom = this.#fetchingFrom(index);
    return {
      groups: groupModels(index, marks.view, list.view, (id) => speedOf(figures(id))),
      view: list.view,
      isFavorite: (id) => marks.isFavorite(id),
      isHidden: (id) => marks.isHidden(id),
      defaultModel: this.#deps.defaultModel(),
      figures,
      votes: (id) => votes.ranked(id),
      services: this.#services(index),
      ...(fetchingFrom !== undefined && { fetchingFrom }),
    };
  }

  #fetchingFrom(index: ModelIndex): string | undefined {
    if (index.models.length > 0 || !this.#deps.catalog.isRefreshing) return undefined;
    const hosts = this.#deps.services.all.map(({ endpoint }) => endpoint.host).filter((host) => host !== '');
    return hosts.length > 0 ? hosts.join(', ') : undefined;
  }

  /** Each with its own state and age; none if there's only one, which the view itself describes. */
  #services(index: ModelIndex): readonly ServiceState[] {
    const { catalog, services, marks, list } = this.#deps;
    if (services.all.length < 2) return [];
    const { fits } = visibleModels(marks.view, list.view);
    const counts = Map.groupBy(index.models.filter(fits), ({ service }) => service);
    return services.all.map(({ id, name, entry }) => {
      const own = catalog.of(id);
      const error = own?.error;
      const problem = error === undefined ? undefined : this.#words(error.cause, id);
      const limitMs = this.#deps.refreshAfterMinutes.value * 60_000;
      const isOld = error !== undefined || (limitMs > 0 && own?.isOlderThan(limitMs) === true);
      return {
        id,
        name,
        baseUrl: entry.value.baseUrl,
        count: counts.get(id)?.length ?? 0,
        isAsking: own?.isRefreshing ?? false,
        ...(problem !== undefined && { trouble: { title: problem.title, detail: problem.detail } }),
        ...(own?.fetchedAt !== undefined && isOld && { age: agoText(own.fetchedAt, Date.now()) }),
      };
    });
  }

  /**
   * Several changes in one turn cause one redraw. Unchanged rows aren't redrawn, because a click on one of their
   * buttons would be lost.
   */
  #changed(rowsToo = true): void {
    this.#areRowsDue ||= rowsToo;
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (!this.#own.disposed) this.#draw();
    });
  }

  #draw(): void {
    if (this.#areRowsDue) {
      this.#drawn = this.#deps.catalog.index;
      this.tree.refresh();
    }
    this.#areRowsDue = false;
    // A hidden view is only updated when it's shown.
    if (!this.#view.visible) return;
    this.#showProgress();
    const state = this.#stateNow();
    const filtered = isFiltered(this.#deps.list.view);
    this.#view.description = this.#description(state, filtered);
    this.#view.message = this.#message(state);
    setContext(contextKeys.modelsFiltered, filtered);
    setContext(contextKeys.modelsGrouped, this.#deps.list.view.isGrouped && !isOneRanking(this.#deps.list.view));
    setContext(contextKeys.modelsShowHidden, this.#deps.list.view.showsHidden);
    if (state !== this.#state) setContext(contextKeys.modelsState, state);
    this.#state = state;
    if (this.tree.shown.groups.shown > 0) this.#deps.onSeen();
  }

  #stateNow(): ModelsState {
    const { groups, total } = this.tree.shown.groups;
    if (groups.length > 0) return 'listed';
    const [row] = this.tree.getChildren();
    // Each service's row says what it has.
    if (row !== undefined) return row.type === 'fetching' ? 'asking' : 'listed';
    if (total > 0) return isFiltered(this.#deps.list.view) ? 'filtered' : 'allHidden';
    const { error, fetchedAt, isRefreshing } = this.#deps.catalog;
    if (isRefreshing) return 'asking';
    if (error !== undefined) return error.cause instanceof ApiError ? troubleOf(error.cause.failure) : 'other';
    return fetchedAt === undefined ? 'asking' : 'empty';
  }

  /** Next to the title: how many of the models are shown, or why there are none. A welcome can't say that. */
  #description(state: ModelsState, filtered: boolean): string {
    const { shown, total } = this.tree.shown.groups;
    if (total > 0) {
      if (!filtered) return '';
      const count = vscode.l10n.t('{0} of {1}', shown, total);
      // An empty view has no message that would name the filter.
      return state === 'filtered' ? [count, ...filterWords(this.#deps.list.view)].join(' · ') : count;
    }
    const { error } = this.#deps.catalog;
    if (this.tree.shown.services.length > 0) return '';
    return error === undefined || state === 'asking' ? '' : this.#words(error.cause).title;
  }

  /** A view with a message shows no welcome, so an empty view has no message. */
  #message(state: ModelsState): string {
    const { catalog, list } = this.#deps;
    if (state !== 'listed') return '';
    const lines: string[] = [];
    const { error, fetchedAt } = catalog;
    if (fetchedAt !== undefined && this.tree.shown.services.length === 0) {
      const age = agoText(fetchedAt, Date.now());
      const limitMs = this.#deps.refreshAfterMinutes.value * 60_000;
      if (error !== undefined)
        lines.push(vscode.l10n.t('{0}. This list is from {1}.', this.#words(error.cause).title, age));
      else if (limitMs > 0 && !catalog.isRefreshing && catalog.isOlderThan(limitMs))
        lines.push(vscode.l10n.t('This list is from {0}.', age));
    }
    lines.push(...viewWords(list.view));
    return lines.join(' ');
  }

  /** Worded once, no matter how often it's drawn. @param service its ID; the main one if absent */
  #words(cause: unknown, service = ''): Problem {
    const known = this.#problems.get(service);
    if (known !== undefined && known.cause === cause) return known.words;
    const words = this.#deps.explain(cause, service === '' ? undefined : service);
    this.#problems.set(service, { cause, words });
    return words;
  }

  #showProgress(): void {
    const { catalog } = this.#deps;
    if (!catalog.isRefreshing || this.#progress !== undefined) return;
    const done = new Promise<void>((resolve) => {
      const stop = catalog.onDidChange(() => {
        if (catalog.isRefreshing) return;
        stop();
        resolve();
      });
    });
    this.#progress = done;
    void plainWindow.withProgress({ location: { viewId: viewIds.models } }, () => done);
    void done.then(() => (this.#progress = undefined));
  }
}

/** What differs from the full list, so that a forgotten filter doesn't hide a model. */
function viewWords(view: ModelListView): readonly string[] {
  const { sort, showsHidden } = view;
  const wanted = filterWords(view);
  return [
    ...(wanted.length === 0 ? [] : [vscode.l10n.t('Filter: {0}.', wanted.join(' · '))]),
    ...(sort === 'name' ? [] : [vscode.l10n.t('Sorted by {0}.', sortText(sort))]),
    ...(showsHidden ? [vscode.l10n.t('Hidden models are shown.')] : []),
  ];
}

/** What the filter requires: the text, then the abilities. */
function filterWords({ text, abilities }: ModelListView): readonly string[] {
  return [
    ...(text.trim() === '' ? [] : [vscode.l10n.t('"{0}"', text.trim())]),
    ...(abilities.length === 0 ? [] : [abilities.map(abilityText).join(', ')]),
  ];
}

function sortText(sort: ModelSort): string {
  switch (sort) {
    case 'name':
      return vscode.l10n.t('name');
    case 'context':
      return vscode.l10n.t('context window');
    case 'price':
      return vscode.l10n.t('price');
    case 'firstToken':
      return vscode.l10n.t('time to first token');
    case 'speed':
      return vscode.l10n.t('tokens per second');
  }
}
