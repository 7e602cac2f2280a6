import * as vscode from 'vscode';
import { givesReply, requestOperations } from '../../core/requests/requestOperations.ts';
import { type LoggedRequest, type RequestState, serviceOf } from '../../core/requests/requestLog.ts';
import {
  failureTitle,
  requestFacts,
  requestLines,
  requestName,
  requestTitle,
  rowFacts,
  rowTitle,
  stateWord,
} from '../../core/requests/requestWords.ts';
import type { ReplyMetrics } from '../../shared/chat.ts';
import { inline } from '../../words/inline.ts';
import { commandIds } from '../settings/contributions.ts';
import { Paced } from '../../shared/paced.ts';
import { DisposableList } from '../platform/disposables.ts';
import { localDay } from '../platform/localDay.ts';
import { Redraw } from './redraw.ts';
import type { RequestHistory } from './requestHistory.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { dayName, momentText, timeOfDayText } from '../../words/moment.ts';
import { numberText } from '../../words/numberText.ts';

/** How often the figures of a running request are updated, in milliseconds. */
const PROGRESS_MS = 1000;
/** During a measurement, a hundred requests can end in a second. */
const newsPace = { leastMs: 20, share: 0.05 };

interface DayNode {
  readonly type: 'day';
  readonly day: string;
  readonly requests: readonly LoggedRequest[];
  readonly isNewest: boolean;
}

export type RequestNode =
  | DayNode
  | RequestRow
  /** The row that loads older requests. */
  | { readonly type: 'older' }
  /** In place of all others, because VS Code takes the keyboard focus from a view without rows. */
  | { readonly type: 'none' };

/** Stays the same while its request continues and ends. */
interface RequestRow {
  readonly type: 'request';
  request: LoggedRequest;
}

/** The history as a tree: one branch per day, newest first. */
export class RequestTree implements vscode.TreeDataProvider<RequestNode>, vscode.Disposable {
  readonly #history: RequestHistory;
  readonly #own = new DisposableList();
  readonly #changed = this.#own.add(new vscode.EventEmitter<RequestNode | RequestNode[] | void>());
  /** Rows that were shown while their request was running. */
  readonly #running = new Set<RequestRow>();
  /** As VS Code has them, by the IDs of their requests. */
  readonly #rows = new Map<string, RequestRow>();
  /** What VS Code was given last, by ID and newest first. Absent until it has asked. */
  #listed: ReadonlyMap<string, LoggedRequest> | undefined;
  readonly #news = new Paced(() => this.#follow(), newsPace, globalThis);
  /** ID of the one service whose requests are shown; undefined for all. */
  #service: string | undefined;
  /** Rows were shown since the view was hidden or last said what it's for. */
  #hadRows = false;
  #isLookedAt = () => false;
  #clock: NodeJS.Timeout | undefined;
  readonly #redrawing = new Redraw();
  /** The days whose rows VS Code has asked for, or that were collapsed since. It opens the newest on its own. */
  readonly #isOpen = new Map<string, boolean>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(history: RequestHistory) {
    this.#history = history;
    this.#own.add(history.onDidChangeRequests(() => this.#news.soon()));
    this.#own.add({ dispose: () => this.#news.stop() });
    this.#own.add({ dispose: () => clearInterval(this.#clock) });
  }

  /** From now on, the figures of running requests are updated while the view is visible. */
  showIn(
    view: Pick<
      vscode.TreeView<RequestNode>,
      'visible' | 'onDidChangeVisibility' | 'onDidExpandElement' | 'onDidCollapseElement'
    >,
  ): void {
    this.#isLookedAt = () => view.visible;
    const follow =
      (isOpen: boolean) =>
      ({ element }: vscode.TreeViewExpansionEvent<RequestNode>) =>
        element.type === 'day' && this.#isOpen.set(element.day, isOpen);
    this.#own.add(view.onDidExpandElement(follow(true)));
    this.#own.add(view.onDidCollapseElement(follow(false)));
    this.#own.add(
      view.onDidChangeVisibility(() => {
        this.#followRunning();
        if (!view.visible && this.#hadRows && this.#listed?.size === 0) this.#redraw();
      }),
    );
  }

  /** ID of the one service whose requests are shown; undefined for all. */
  get service(): string | undefined {
    return this.#service;
  }

  showOnly(service: string | undefined): void {
    this.#service = service;
    this.#redraw();
  }

  /**
   * Resolves when no row is being redrawn. Until then, VS Code doesn't know which rows are selected, not even the one
   * that was just clicked.
   */
  async drawn(): Promise<void> {
    if (this.#isLookedAt()) await this.#redrawing.ended();
  }

  async getChildren(node?: RequestNode): Promise<RequestNode[]> {
    if (node?.type === 'day') {
      this.#isOpen.set(node.day, true);
      this.#redrawing.rowsGiven();
      // A request might have changed since VS Code was given its day.
      const rows: RequestRow[] = node.requests.map((request) => ({
        type: 'request',
        request: this.#listed?.get(request.id) ?? request,
      }));
      for (const row of rows) this.#rows.set(row.request.id, row);
      for (const row of rows) if (this.#history.stateOf(row.request) === 'running') this.#running.add(row);
      this.#followRunning();
      return rows;
    }
    if (node !== undefined) return [];
    this.#redrawing.rootsAsked();
    this.#running.clear();
    this.#rows.clear();
    const requests = await this.#shown();
    this.#listed = byId(requests);
    const days = byDay(requests);
    if (!days.some(({ day, isNewest }) => this.#isOpen.get(day) ?? isNewest)) this.#redrawing.rowsGiven();
    this.#hadRows ||= days.length > 0;
    if (this.#history.hasOlder) return [...days, { type: 'older' }];
    // Without a filter, VS Code shows what this view is for, but not in place of rows that might have the focus.
    return days.length === 0 && (this.#service !== undefined || this.#hadRows) ? [{ type: 'none' }] : days;
  }

  getTreeItem(node: RequestNode): vscode.TreeItem {
    switch (node.type) {
      case 'day':
        return dayItem(node);
      case 'request':
        return requestItem(node.request, this.#history.stateOf(node.request), this.#history.progress(node.request));
      case 'older':
        return olderItem();
      case 'none':
        return noneItem(this.#service !== undefined);
    }
  }

  dispose(): void {
    this.#own.dispose();
  }

  async #shown(): Promise<readonly LoggedRequest[]> {
    const requests = await this.#history.requests();
    return this.#service === undefined ? requests : requests.filter((each) => serviceOf(each) === this.#service);
  }

  /**
   * Only redraws the rows of requests that have changed, if there are no new ones: while VS Code redraws all, it
   * doesn't know which row a menu is about.
   */
  async #follow(): Promise<void> {
    if (this.#listed === undefined) return this.#redraw();
    const requests = await this.#shown();
    const before = [...this.#listed.keys()];
    if (requests.length !== before.length || requests.some(({ id }, place) => id !== before[place])) {
      return this.#redraw();
    }
    this.#listed = byId(requests);
    const changed = requests.flatMap((request) => {
      const row = this.#rows.get(request.id);
      if (row === undefined || row.request === request) return [];
      row.request = request;
      return [row];
    });
    if (changed.length > 0) this.#changed.fire(changed);
  }

  #redraw(): void {
    // A hidden view has no focus to keep.
    if (!this.#isLookedAt()) this.#hadRows = false;
    if (this.#redrawing.start() || !this.#isLookedAt()) this.#changed.fire();
  }

  #followRunning(): void {
    clearInterval(this.#clock);
    this.#clock = undefined;
    if (this.#running.size === 0 || !this.#isLookedAt()) return;
    this.#clock = setInterval(() => {
      for (const row of this.#running) {
        this.#changed.fire(row);
        // Its window was closed, so nobody else reports this.
        if (this.#history.stateOf(row.request) !== 'running') this.#running.delete(row);
      }
      if (this.#running.size === 0) this.#followRunning();
    }, PROGRESS_MS);
  }
}

function byId(requests: readonly LoggedRequest[]): ReadonlyMap<string, LoggedRequest> {
  return new Map(requests.map((request) => [request.id, request]));
}

function byDay(requests: readonly LoggedRequest[]): DayNode[] {
  const days = new Map<string, LoggedRequest[]>();
  for (const request of requests) {
    const day = localDay(request.at);
    const sameDay = days.get(day);
    if (sameDay === undefined) days.set(day, [request]);
    else sameDay.push(request);
  }
  return [...days].map(([day, sameDay], index) => ({ type: 'day', day, requests: sameDay, isNewest: index === 0 }));
}

function dayItem({ day, requests, isNewest }: DayNode): vscode.TreeItem {
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const name = dayName(requests[0]?.at ?? 0, Date.now());
  const item = new vscode.TreeItem(name, isNewest ? Expanded : Collapsed);
  item.id = day;
  item.contextValue = 'day';
  const count = requests.length;
  item.description = numberText(count);
  item.accessibilityInformation = {
    label:
      count === 1 ? vscode.l10n.t('{0}, 1 request', name) : vscode.l10n.t('{0}, {1} requests', name, numberText(count)),
  };
  return item;
}

function requestItem(request: LoggedRequest, state: RequestState, progress: ReplyMetrics): vscode.TreeItem {
  const item = new vscode.TreeItem(rowTitle(request));
  const time = timeOfDayText(request.at);
  const title = requestTitle(request);
  const name = requestName(request);
  // What isn't in the text that the row starts with.
  const model = title === name ? '' : inline(modelLabel(request.model ?? ''), 256);
  const facts = [rowFacts(request, state, state === 'running' ? progress : {}), model, time];
  item.id = request.id;
  item.description = facts.filter((fact) => fact !== '').join(' · ');
  item.iconPath = stateIcon(state);
  item.tooltip = [
    ...(title === name ? [] : [inline(title, 256)]),
    momentText(request.at),
    ...requestLines(request, state),
  ].join('\n');
  const failure = failureTitle(request) ?? '';
  const inFull = [...new Set([title, name]), stateWord(state, request), failure, time, requestFacts(request, state)];
  item.accessibilityInformation = { label: inFull.filter((fact) => fact !== '').join(', ') };
  item.contextValue = contextValue(request);
  // Without arguments: VS Code forgets those of a redrawn row, and a running one is redrawn each second. The selection
  // is the clicked row.
  item.command = { command: commandIds.showRequest, title: vscode.l10n.t('Show Request') };
  return item;
}

/** The context values that the menus' `when` clauses check. */
function contextValue(request: LoggedRequest): string {
  const { operation, origin, end } = request;
  return [
    'request',
    operation,
    ...(end === undefined ? [] : ['ended']),
    ...(origin.conversationId === undefined ? [] : ['inConversation']),
    ...(end?.requestId === undefined ? [] : ['withRequestId']),
    ...(givesReply(request) ? ['answer'] : []),
    // An audio file isn't stored, so it can't be sent again.
    ...(requestOperations[operation].again === undefined ? [] : ['repeatable']),
  ].join(' ');
}

function olderItem(): vscode.TreeItem {
  const item = new vscode.TreeItem(vscode.l10n.t('Load Older Requests'));
  item.iconPath = new vscode.ThemeIcon('chevron-down');
  item.id = 'older';
  item.command = { command: commandIds.loadOlderRequests, title: vscode.l10n.t('Load Older Requests') };
  return item;
}

function noneItem(isFiltered: boolean): vscode.TreeItem {
  const words = isFiltered ? vscode.l10n.t('No requests to this service') : vscode.l10n.t('No requests');
  const item = new vscode.TreeItem(words);
  item.id = 'none';
  return item;
}

function stateIcon(state: RequestState): vscode.ThemeIcon {
  switch (state) {
    case 'running':
      return new vscode.ThemeIcon('loading~spin');
    case 'done':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'incomplete':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    case 'stopped':
      return new vscode.ThemeIcon('circle-slash');
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'unknown':
      return new vscode.ThemeIcon('question');
  }
}
