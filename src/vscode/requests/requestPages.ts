import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { cardProblem } from '../../core/problems/mediaProblems.ts';
import { offeredModel } from '../../core/problems/offeredModel.ts';
import { type LoggedRequest, serviceOf } from '../../core/requests/requestLog.ts';
import { givesReply, requestOperations } from '../../core/requests/requestOperations.ts';
import { shortTitle } from '../../core/requests/requestWords.ts';
import { requestView } from '../../core/requests/requestView.ts';
import type { Problem, ProblemActionKind } from '../../shared/problem.ts';
import type { RequestAct, RequestToHost, RequestToPage, RequestView } from '../../shared/protocol/requestProtocol.ts';
import { timeOfDayText } from '../../words/moment.ts';
import { type CodeTarget, copyText, insertCode, openCode, openLink } from '../platform/codeActs.ts';
import { DisposableList, DisposableSlot } from '../platform/disposables.ts';
import { showPage } from '../platform/pages/pageHtml.ts';
import { type PageLog, PagePort } from '../platform/pages/pagePort.ts';
import { tabIcon } from '../platform/pages/tabIcon.ts';
import type { Explainer } from '../problems/explainer.ts';
import { commandIds, panelTypes } from '../settings/contributions.ts';
import { settings as settingList } from '../settings/settingList.ts';
import type { ChatOfRequests } from './chatOfRequests.ts';
import type { RequestBodies } from './log/logStore.ts';
import { whyNotRepeatable } from './repeatRequest.ts';
import type { RequestHistory } from './requestHistory.ts';
import { requestMessageSchema } from './requestMessage.ts';

/** How often the page of a running request is updated, in milliseconds. */
const PROGRESS_MS = 250;

export interface RequestPagesDeps {
  readonly extensionUri: vscode.Uri;
  readonly history: RequestHistory;
  readonly explainer: Explainer;
  readonly runAction: (action: ProblemActionKind, service: string) => Promise<void>;
  readonly chat: () => Promise<Pick<ChatOfRequests, 'compareCode'>>;
  readonly lastEditor: CodeTarget;
  readonly showDifferences: (left: LoggedRequest, right: LoggedRequest) => Promise<void>;
  readonly savesContent: () => boolean;
  readonly onError: (error: unknown) => void;
  readonly pageLog: PageLog;
}

/** A tab about one request, and one that compares two. Each shows what was requested last. */
export class RequestPages implements vscode.Disposable {
  readonly #deps: RequestPagesDeps;
  readonly #one = new DisposableSlot<RequestTab>();
  readonly #two = new DisposableSlot<RequestTab>();

  constructor(deps: RequestPagesDeps) {
    this.#deps = deps;
  }

  show({ id }: LoggedRequest): void {
    this.#open(this.#one, [id]);
  }

  /** The left one first. */
  compare(left: LoggedRequest, right: LoggedRequest): void {
    this.#open(this.#two, [left.id, right.id]);
  }

  dispose(): void {
    this.#one.dispose();
    this.#two.dispose();
  }

  #open(slot: DisposableSlot<RequestTab>, ids: readonly string[]): void {
    const open = slot.value;
    if (open !== undefined) return open.show(ids);
    const tab = new RequestTab(ids, this.#deps, () => {
      if (slot.value === tab) slot.set(undefined);
    });
    slot.set(tab);
  }
}

class RequestTab implements vscode.Disposable {
  readonly #deps: RequestPagesDeps;
  readonly #own = new DisposableList();
  readonly #panel: vscode.WebviewPanel;
  readonly #port: PagePort<RequestToPage, RequestToHost>;
  #ids: readonly string[];
  readonly #read = new Map<string, Promise<RequestBodies>>();
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;
  /** Counts the updates: the late result of an earlier one would otherwise replace the latest content. */
  #turn = 0;

  constructor(ids: readonly string[], deps: RequestPagesDeps, onClosed: () => void) {
    this.#deps = deps;
    this.#ids = ids;
    const { extensionUri, history, pageLog } = deps;
    const panel = vscode.window.createWebviewPanel(panelTypes.request, '', vscode.ViewColumn.Active);
    this.#panel = panel;
    panel.iconPath = tabIcon(extensionUri, 'request');
    this.#port = new PagePort(panel.webview, pageLog);
    this.#own.add(
      this.#port.onMessage(requestMessageSchema, (message) => void this.#receive(message).catch(deps.onError)),
    );
    const tell = () => this.#tell();
    this.#own.add(history.onDidChangeRequests(tell));
    this.#own.add(history.onDidChange(tell));
    this.#own.add({ dispose: () => clearTimeout(this.#timer) });
    panel.onDidChangeViewState(() => {
      // A covered page is destroyed, and sends `ready` when it's back.
      if (!panel.visible) this.#isReady = false;
    });
    panel.onDidDispose(() => {
      this.#own.dispose();
      onClosed();
    });
    this.#setTitle();
    showPage(panel, { extensionUri }, 'request');
  }

  show(ids: readonly string[]): void {
    this.#ids = ids;
    this.#read.clear();
    this.#setTitle();
    this.#panel.reveal();
    this.#tell();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #setTitle(): void {
    const [first] = this.#requests();
    if (first !== undefined)
      this.#panel.title = this.#ids.length > 1 ? vscode.l10n.t('Compare Replies') : shortTitle(first);
  }

  #requests(): readonly LoggedRequest[] {
    return this.#ids.flatMap((id) => this.#deps.history.find(id) ?? []);
  }

  #tell(): void {
    if (this.#isReady) this.#send().catch(this.#deps.onError);
  }

  async #send(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    clearTimeout(this.#timer);
    const views = await Promise.all(this.#requests().map((request) => this.#view(request)));
    if (turn !== this.#turn || !this.#isReady) return;
    const [left, right] = views;
    if (left === undefined || views.length < this.#ids.length) return this.#port.post({ type: 'gone' });
    if (right === undefined) this.#port.post({ type: 'request', request: left });
    else this.#port.post({ type: 'comparison', ...named(left, right) });
    if (views.some(({ state }) => state === 'running')) this.#timer = setTimeout(() => this.#tell(), PROGRESS_MS);
  }

  async #view(request: LoggedRequest): Promise<RequestView> {
    const { history, savesContent } = this.#deps;
    const { id, model, end } = request;
    const bodies = await this.#bodies(request);
    const figures = model === undefined ? undefined : history.figures(model);
    const { tokensPerSecond: rate, ratedCount: replies = 0 } = figures ?? {};
    return requestView(request, {
      state: history.stateOf(request),
      sent: bodies.request,
      received: end === undefined ? history.soFar(id) : bodies.response,
      progress: history.progress(request),
      usual: rate && { median: { value: rate.p50, from: rate.from }, replies },
      problem: this.#problem(request),
      acts: this.#acts(request, bodies),
      savesContent: savesContent(),
    });
  }

  /** Read from disk once while it's running, and once when it's over: the sent part doesn't change. */
  #bodies({ id, end }: LoggedRequest): Promise<RequestBodies> {
    const key = `${id} ${end === undefined ? 'running' : 'over'}`;
    const known = this.#read.get(key) ?? this.#deps.history.bodies(id);
    this.#read.set(key, known);
    known.catch(() => this.#read.delete(key));
    return known;
  }

  #problem(request: LoggedRequest): Problem | undefined {
    const { end, model } = request;
    if (end?.failure === undefined) return undefined;
    try {
      const problem = this.#deps.explainer.problem(end.failure, {
        at: end.at,
        service: serviceOf(request),
        ...(model !== undefined && { model }),
        ...(end.attempts !== undefined && { attempts: end.attempts }),
      });
      return cardProblem(problem);
    } catch {
      // A record from another version might lack part of this.
      return undefined;
    }
  }

  #acts(request: LoggedRequest, bodies: RequestBodies): readonly RequestAct[] {
    const { origin, model, end } = request;
    const state = this.#deps.history.stateOf(request);
    const canRepeat = state !== 'running' && whyNotRepeatable(request, bodies.request) === undefined;
    const acts: readonly (readonly [RequestAct, boolean])[] = [
      ['stop', state === 'running' && this.#deps.history.canStop(request.id)],
      ['runAgain', canRepeat],
      ['runWithModel', canRepeat && model !== undefined],
      ['compare', end !== undefined && givesReply(request) && bodies.response !== undefined],
      ['copyAsCode', bodies.request?.body !== undefined || requestOperations[request.operation].gives === 'list'],
      ['openConversation', origin.conversationId !== undefined],
      ['showJson', true],
      ['showRequestJson', bodies.request !== undefined],
    ];
    return acts.flatMap(([act, isOffered]) => (isOffered ? [act] : []));
  }

  async #receive(message: RequestToHost): Promise<void> {
    const { lastEditor, chat, showDifferences } = this.#deps;
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        // The page might be from a restored window, with a history that hasn't been read yet.
        await this.#deps.history.requests();
        this.#setTitle();
        return this.#send();
      case 'act':
        return this.#act(message.id, message.act);
      case 'swap':
        this.#ids = this.#ids.toReversed();
        return this.#tell();
      case 'showDifferences': {
        const [left, right] = this.#requests();
        if (left !== undefined && right !== undefined) await showDifferences(left, right);
        return;
      }
      case 'runAction':
        return this.#runAction(message.id, message.action, message.model);
      case 'copyText':
        if (await copyText(message.text)) this.#port.post({ type: 'copied' });
        return;
      case 'insertCode':
        return insertCode(message.text, lastEditor);
      case 'compareCode':
        return (await chat()).compareCode(message.text);
      case 'openCode':
        return openCode(message.text, message.language);
      case 'openLink':
        return openLink(message.href);
    }
  }

  async #act(id: string, act: RequestAct): Promise<void> {
    const request = this.#requests().find((each) => each.id === id);
    if (request === undefined) return;
    if (act === 'stop') return this.#deps.history.stop(request.id);
    if (act === 'openContentSetting') {
      await vscode.commands.executeCommand('workbench.action.openSettings', settingList.requestsSaveContent.id);
      return;
    }
    await vscode.commands.executeCommand(commandOf[act], { request });
  }

  /** Actions about a chat apply to this request here. */
  async #runAction(id: string, action: ProblemActionKind, model: ModelRef | undefined): Promise<void> {
    const request = this.#requests().find((each) => each.id === id);
    if (request === undefined) return;
    if (action === 'selectModel' || action === 'useModel') {
      // For a model that isn't offered, the user is asked.
      const offered = offeredModel(this.#problem(request), model);
      await vscode.commands.executeCommand(commandIds.runRequestWithModel, { request, model: offered });
    } else await this.#deps.runAction(action, serviceOf(request));
  }
}

const commandOf: Readonly<Record<Exclude<RequestAct, 'stop' | 'openContentSetting'>, string>> = {
  runAgain: commandIds.runRequestAgain,
  runWithModel: commandIds.runRequestWithModel,
  copyAsCode: commandIds.copyRequestAsCode,
  compare: commandIds.compareResponses,
  openConversation: commandIds.openRequestConversation,
  showRequestJson: commandIds.openRequest,
  showJson: commandIds.openResponse,
};

/** Two requests with the same model are distinguished by their times. */
function named(left: RequestView, right: RequestView): { readonly left: RequestView; readonly right: RequestView } {
  if (left.name !== right.name) return { left, right };
  return { left: withTime(left), right: withTime(right) };
}

function withTime(view: RequestView): RequestView {
  return { ...view, name: `${view.name} (${timeOfDayText(view.at)})` };
}
