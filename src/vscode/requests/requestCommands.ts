import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { givesReply, requestOperations } from '../../core/requests/requestOperations.ts';
import { keyVariableOf } from '../../core/requests/code/codeRequest.ts';
import type { SentBody } from '../../core/requests/requestBody.ts';
import { type LoggedRequest, serviceOf } from '../../core/requests/requestLog.ts';
import { StartingRuns } from '../../core/requests/startingRuns.ts';
import { requestFacts, requestName, shortTitle } from '../../core/requests/requestWords.ts';
import { commandIds, viewIds } from '../settings/contributions.ts';
import { givenRows, isRowLost } from '../settings/givenRows.ts';
import type { EndpointSource } from '../service/endpoint.ts';
import type { Services } from '../service/services.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import type { Notifier } from '../platform/notify.ts';
import type { ChatOfRequests } from './chatOfRequests.ts';
import { type CopyForm, codeForms, pickCodeForm } from './codeForms.ts';
import { exportRequests } from './exportRequests.ts';
import type { RequestTap } from './requestTap.ts';
import { repeatRequest, wentElsewhere, whyNotRepeatable, type NotRepeatable } from './repeatRequest.ts';
import type { RequestDocuments } from './requestDocuments.ts';
import type { RequestPages } from './requestPages.ts';
import type { RequestHistory } from './requestHistory.ts';
import type { RequestNode } from './requestTree.ts';
import { pickRequest } from './pickRequest.ts';
import { requestIn } from './requestIn.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { hasSeveralServices, modelLabel } from '../../words/modelLabel.ts';
import { numberText } from '../../words/numberText.ts';

export interface RequestCommandsDeps {
  readonly commands: CommandHandlers;
  readonly history: RequestHistory;
  readonly documents: RequestDocuments;
  /** The rows that are selected in the view. */
  readonly selection: () => Promise<readonly RequestNode[]>;
  readonly service: RequestTap;
  readonly explainer: Explainer;
  readonly notifier: Notifier;
  /** Where requests are sent now. */
  readonly services: Pick<Services, 'find' | 'first' | 'all' | 'onDidChange'>;
  readonly pickModel: (current: string | undefined) => Promise<string | undefined>;
  readonly chat: () => Promise<ChatOfRequests>;
  readonly pages: Pick<RequestPages, 'show' | 'compare'>;
}

/**
 * The commands for recorded requests: on the rows, and with a list of requests for key bindings and the Command
 * Palette.
 */
export function registerRequestCommands(deps: RequestCommandsDeps): void {
  const { history, documents, notifier, explainer } = deps;
  /**
   * VS Code passes the row that was clicked, and all selected rows if it's one of them; from the title of the view, the
   * focused row, and all selected ones if there are several. If the list is just being redrawn, it passes undefined for
   * the row; the selected ones aren't the right ones then.
   */
  const register = (
    id: string,
    run: (requests: readonly LoggedRequest[], clicked: LoggedRequest | undefined, given: unknown) => Promise<unknown>,
  ) =>
    deps.commands.handle(id, async (...given: readonly unknown[]) => {
      const [clicked] = given;
      try {
        const rows = given.length === 0 ? await deps.selection() : isRowLost([clicked]) ? [] : givenRows(...given);
        await run(
          rows.flatMap((row) => requestIn(row) ?? []),
          requestIn(clicked),
          clicked,
        );
      } catch (error) {
        notifier.problem(explainer.problemOfError(error, { during: 'command' }));
      }
    });
  const registerForOne = (id: string, run: (request: LoggedRequest) => Promise<unknown>) =>
    register(id, async ([first], clicked) => {
      const request = clicked ?? first ?? (await pickRequest(history));
      if (request !== undefined) await run(history.find(request.id) ?? request);
    });

  register(commandIds.showRequests, async () => vscode.commands.executeCommand(`${viewIds.requests}.focus`));
  registerForOne(commandIds.showRequest, (request) => Promise.resolve(deps.pages.show(request)));
  registerForOne(commandIds.openRequest, (request) => documents.open(request, 'request'));
  registerForOne(commandIds.openResponse, (request) => documents.open(request, 'response'));
  registerForOne(commandIds.openRequestConversation, async ({ origin, end }) => {
    if (origin.conversationId === undefined) notifier.info(vscode.l10n.t("This request isn't part of a conversation."));
    else if (!(await (await deps.chat()).showConversation(origin.conversationId, end?.requestId))) {
      notifier.info(vscode.l10n.t('The conversation of this request was deleted.'));
    }
  });
  register(commandIds.copyRequestId, async (requests) => {
    const picked = requests.length > 0 ? undefined : await pickRequest(history);
    const chosen = picked === undefined ? requests : [picked];
    if (chosen.length === 0) return;
    const requestIds = chosen.flatMap(({ id, end }) => (history.find(id)?.end ?? end)?.requestId ?? []);
    if (requestIds.length === 0) notifier.info(vscode.l10n.t("The service didn't return an ID for this request."));
    else await vscode.env.clipboard.writeText(requestIds.join('\n'));
  });
  for (const { form, command } of codeForms) {
    registerForOne(command, (request) => copyAs(request, () => Promise.resolve(form)));
  }
  // A page passes its own request. In the Command Palette, there's no row.
  register(commandIds.copyRequestAsCode, async (_requests, clicked) => {
    const request = clicked ?? (await pickRequest(history));
    if (request !== undefined) await copyAs(request, pickCodeForm);
  });
  const starting = new StartingRuns();
  registerForOne(commandIds.runRequestAgain, (request) =>
    starting.start(request.id, (shows) => runAgain(request, { shows })),
  );
  register(commandIds.runRequestWithModel, async ([first], clicked, given) => {
    const request = clicked ?? first ?? (await pickRequest(history));
    if (request === undefined) return;
    const offered = modelIn(given);
    const model = offered ?? (await deps.pickModel(request.model));
    // The list names the service of each model if there are several.
    const isServiceSelected = offered === undefined && hasSeveralServices();
    if (model !== undefined) {
      const key = JSON.stringify([request.id, model]);
      await starting.start(key, (shows) => runAgain(request, { model, isServiceSelected, shows }));
    }
  });
  register(commandIds.compareResponses, async (requests) => {
    const [one = await pickRequest(history, isAnswer), ...others] = requests.filter(isAnswer);
    if (one === undefined) return;
    // With more than two rows selected, one of these.
    const fits = ({ id }: LoggedRequest): boolean => others.length === 0 || others.some((other) => other.id === id);
    const other =
      others.length === 1
        ? others[0]
        : await pickRequest(
            history,
            (request) => isAnswer(request) && request.id !== one.id && fits(request),
            vscode.l10n.t('Compare with {0}', shortTitle(one)),
          );
    if (other !== undefined) await compare(one, other);
  });
  register(commandIds.deleteRequests, remove);
  register(commandIds.clearRequestHistory, clear);
  register(commandIds.exportRequests, () => exportRequests(history));
  register(commandIds.loadOlderRequests, () => history.loadOlder());

  async function copyAs(request: LoggedRequest, formOf: () => Promise<CopyForm | undefined>): Promise<void> {
    const sent = (await history.bodies(request.id)).request;
    if (sent === undefined || (sent.method === 'POST' && sent.body === undefined)) {
      notifier.info(notRepeatableText('noBody'));
      return;
    }
    const form = await formOf();
    if (form === undefined) return;
    const { requestAsCode } = await import('./requestAsCode.ts');
    const keyVariable = keyVariableOf(serviceOf(request), deps.services.first.id);
    const headers = headersFor(request, sent);
    await vscode.env.clipboard.writeText(requestAsCode(form, request, sent, { keyVariable, headers }));
    const said =
      sent.isPartial === true
        ? vscode.l10n.t(
            "Copied without images, which aren't saved in the request history. Add them where the code indicates.",
          )
        : sent.isKeyless === true
          ? vscode.l10n.t('Copied')
          : vscode.l10n.t('Copied. The code reads the key from the environment variable {0}.', keyVariable);
    plainWindow.setStatusBarMessage(said, 6000);
  }

  /** The current ones of the service that it was sent to. */
  function headersFor(request: LoggedRequest, sent: SentBody): Readonly<Record<string, string>> {
    const service = deps.services.find(serviceOf(request));
    const addresses = service?.endpoint.addresses();
    if (service === undefined || addresses === undefined || 'kind' in addresses) return {};
    return wentElsewhere(sent, addresses) ? {} : service.entry.value.headers;
  }

  async function runAgain(request: LoggedRequest, { model, isServiceSelected = false, shows }: Rerun): Promise<void> {
    const sent = (await history.bodies(request.id)).request;
    const reason = whyNotRepeatable(request, sent);
    if (reason !== undefined) {
      notifier.info(notRepeatableText(reason));
      return;
    }
    const target = model === undefined ? serviceOf(request) : refParts(model).service;
    const addresses = deps.services.find(target)?.endpoint.addresses();
    const isToSelected = isServiceSelected && target !== serviceOf(request);
    if (!isToSelected && addresses !== undefined && !(await agreesToAddress(sent, addresses))) return;
    if (!(await agreesToCosts(request))) return;
    const isElsewhere = addresses !== undefined && !('kind' in addresses) && wentElsewhere(sent, addresses);
    const { prompt } = request.origin;
    const abort = new AbortController();
    const asked = { kind: 'again', repeats: request.id, ...(prompt !== undefined && { prompt }) } as const;
    // Another run of the same request might be under way.
    let againId = '';
    const calls = deps.service
      .from(
        asked,
        () => abort.abort(),
        (id) => (againId = id),
      )
      .to(target);
    const isDone = await plainWindow.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t(
          'Running the request again on {0}…',
          model === undefined ? requestName(request) : modelLabel(model),
        ),
        cancellable: true,
      },
      async (_progress, cancellation) => {
        const subscription = cancellation.onCancellationRequested(() => abort.abort());
        shows();
        try {
          await repeatRequest(calls, { request, sent, target, isElsewhere }, abort.signal, model);
          return true;
        } catch (error) {
          if (!abort.signal.aborted) tellFailed(error, request, model);
          return false;
        } finally {
          subscription.dispose();
        }
      },
    );
    if (!isDone) return;
    const again = history.find(againId);
    if (again === undefined) return;
    const buttons = [{ label: vscode.l10n.t('Show Request'), run: () => Promise.resolve(deps.pages.show(again)) }];
    if (isAnswer(request)) buttons.push({ label: vscode.l10n.t('Compare'), run: () => compare(request, again) });
    // Figures first, because VS Code cuts off the end of a notification.
    const facts = requestFacts(again, history.stateOf(again));
    notifier.info(vscode.l10n.t('{0}. {1} replied.', facts, requestName(again)), buttons);
  }

  function tellFailed(error: unknown, request: LoggedRequest, model = request.model): void {
    const selectModel = async () =>
      void (await vscode.commands.executeCommand(commandIds.runRequestWithModel, { request }));
    notifier.problem(
      explainer.problemOfError(error, { during: 'command', ...(model !== undefined && { model }) }),
      // A model list has none.
      request.model === undefined ? {} : { own: { selectModel } },
    );
  }

  /** The older reply on the left. */
  async function compare(one: LoggedRequest, other: LoggedRequest): Promise<void> {
    const [left, right] = one.at <= other.at ? [one, other] : [other, one];
    const answers = [await documents.answer(left), await documents.answer(right)];
    if (answers.includes(undefined)) {
      notifier.info(vscode.l10n.t("Can't compare: one of these requests has no saved response."));
      return;
    }
    deps.pages.compare(left, right);
  }

  async function remove(requests: readonly LoggedRequest[]): Promise<void> {
    const picked = requests.length > 0 ? undefined : await pickRequest(history, ({ end }) => end !== undefined);
    const ended = (picked === undefined ? requests : [picked]).filter((request) => {
      return history.stateOf(request) !== 'running';
    });
    if (ended.length === 0) {
      if (requests.length > 0)
        notifier.info(vscode.l10n.t("A request can't be deleted while it's running. Stop it first."));
      return;
    }
    const yes = vscode.l10n.t('Delete');
    const [question, detail] =
      ended.length === 1
        ? [
            vscode.l10n.t('Delete this request from the request history?'),
            vscode.l10n.t(
              "Its saved response and its speed are deleted from this machine too. Conversations and measurements aren't affected.",
            ),
          ]
        : [
            vscode.l10n.t('Delete {0} requests from the request history?', numberText(ended.length)),
            vscode.l10n.t(
              "Their saved responses and speeds are deleted from this machine too. Conversations and measurements aren't affected.",
            ),
          ];
    const whole = `${detail} ${costsText()}`;
    if ((await plainWindow.ask(question, { detail: whole }, yes)) === yes)
      await history.delete(ended.map(({ id }) => id));
  }

  async function clear(): Promise<void> {
    const yes = vscode.l10n.t('Clear');
    const question = vscode.l10n.t('Clear the request history?');
    const detail = vscode.l10n.t(
      "All saved requests, responses, and speeds are deleted from this machine. Conversations and measurements aren't affected.",
    );
    const whole = `${detail} ${costsText()}`;
    if ((await plainWindow.ask(question, { detail: whole }, yes)) === yes) await history.clear();
  }
}

/** A body that was sent to one service isn't sent to another one without asking. */
async function agreesToAddress(
  sent: SentBody | undefined,
  addresses: ReturnType<EndpointSource['addresses']>,
): Promise<boolean> {
  // The request itself reports what is missing.
  if (sent === undefined || 'kind' in addresses || !wentElsewhere(sent, addresses)) return true;
  const yes = vscode.l10n.t('Send');
  const before = new URL(sent.url);
  // Two services can have one host.
  const nameOf = ({ host, pathname }: URL) => (before.host === addresses.baseUrl.host ? `${host}${pathname}` : host);
  const question = vscode.l10n.t('Send this request to {0}?', nameOf(addresses.baseUrl));
  const detail = vscode.l10n.t(
    'It was originally sent to {0}. Everything in it will be sent to your current service.',
    nameOf(before),
  );
  return (await plainWindow.ask(question, { detail }, yes)) === yes;
}

/** Otherwise, a daily budget would start again. */
function costsText(): string {
  return vscode.l10n.t(
    "Today's costs still count in Show Usage and the daily budget. Costs from earlier days no longer do.",
  );
}

interface Rerun {
  /** Instead of its own. */
  readonly model?: ModelRef;
  /** The user has just selected a service along with the model. */
  readonly isServiceSelected?: boolean;
  /** Called when the user can see it. */
  readonly shows: () => void;
}

/** A chat costs little. An image or a video is generated and charged each time. */
async function agreesToCosts({ operation, model = '' }: LoggedRequest): Promise<boolean> {
  const question = requestOperations[operation].askAgain?.(model);
  if (question === undefined) return true;
  const yes = vscode.l10n.t('Run Again');
  const detail = vscode.l10n.t('The service will charge for it again.');
  return (await plainWindow.ask(question, { isQuestion: true, detail }, yes)) === yes;
}

function notRepeatableText(reason: NotRepeatable): string {
  switch (reason) {
    case 'noBody':
      return vscode.l10n.t(
        'No content is saved: there was none, parlance.requests.saveContent was off, or the request history was full.',
      );
    case 'fileLeftOut':
      return vscode.l10n.t("This request's images weren't saved, so it can't be run again.");
    case 'recording':
      return vscode.l10n.t("This request's audio wasn't saved, so it can't be run again.");
  }
}

function isAnswer(request: LoggedRequest): boolean {
  return request.end !== undefined && givesReply(request);
}

/** A page might pass the model. */
function modelIn(clicked: unknown): string | undefined {
  const isGiven = typeof clicked === 'object' && clicked !== null && 'model' in clicked;
  return isGiven && typeof clicked.model === 'string' ? clicked.model : undefined;
}
