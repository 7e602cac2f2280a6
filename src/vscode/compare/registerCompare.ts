import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { type CompareStart, type NoQuestion, startOfRequest } from '../../core/compare/startOfRequest.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import { type ComparedColumn, type ComparedReply, Comparison } from '../../core/compare/comparison.ts';
import { StartingRuns } from '../../core/requests/startingRuns.ts';
import { problemOfInterruptedReply } from '../../core/problems/compareProblems.ts';
import { mayBeCharged } from '../../core/problems/problemDraft.ts';
import { mayChat } from '../../core/models/modelAbilities.ts';
import { maxColumns } from '../../shared/protocol/compareProtocol.ts';
import { estimatedTokens } from '../../words/tokens.ts';
import type { ProblemActionKind } from '../../shared/problem.ts';
import type { ContextDocuments } from '../attachments/contextDocuments.ts';
import type { LastEditor } from '../attachments/lastEditor.ts';
import { registerAttachments } from '../attachments/registerAttachments.ts';
import { maySend } from '../attachments/secretFile.ts';
import { selectionContext } from '../attachments/sources/documentContext.ts';
import type { PromptMenu } from '../chat/chatPageHost.ts';
import type { Chat } from '../chat/registerChat.ts';
import type { ReplyDocuments } from '../chat/replyDocuments.ts';
import { agreesToSend } from '../experiments/agreesToSend.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import type { ModelSources } from '../models/modelSources.ts';
import type { PickModel } from '../models/pickModel.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import type { Log } from '../platform/log.ts';
import { notePlaces } from '../platform/notePlaces.ts';
import type { Notifier } from '../platform/notify.ts';
import { pageLogOf } from '../platform/pages/pagePort.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import type { Explainer } from '../problems/explainer.ts';
import { fileTroubleNotice } from '../problems/fileTroubleNotice.ts';
import { requestIn } from '../requests/requestIn.ts';
import type { WithheldRequests } from '../requests/log/withheldRequests.ts';
import type { RequestHistory } from '../requests/requestHistory.ts';
import { lackTitle, type ServiceSupport } from '../service/serviceSupport.ts';
import type { Services } from '../service/services.ts';
import { givenRows, isRowLost, lostRowText } from '../settings/givenRows.ts';
import { commandIds } from '../settings/contributions.ts';
import type { Settings } from '../settings/settings.ts';
import { CompareEditors, type StoredComparison } from './compareEditors.ts';
import type { ComparePageDeps } from './comparePageDeps.ts';
import { KeptColumns } from './keptColumns.ts';
import { pickComparison } from './comparisonFiles.ts';
import { modelsToCompare } from './modelsToCompare.ts';
import { compareStart } from './compareStart.ts';
import { StoredComparisons } from './storedComparisons.ts';

export interface CompareDeps {
  readonly commands: CommandHandlers;
  readonly extensionUri: vscode.Uri;
  readonly models: ModelSources;
  readonly pickModel: PickModel;
  readonly history: Pick<RequestHistory, 'bodies'>;
  readonly withheld: WithheldRequests;
  readonly settings: Settings;
  readonly services: Services;
  readonly support: ServiceSupport;
  readonly explainer: Explainer;
  readonly log: Log;
  readonly notifier: Notifier;
  readonly warm: (model: ModelRef | undefined) => Promise<void>;
  readonly runAction: (action: ProblemActionKind, service?: string) => Promise<void>;
  readonly storageUri: vscode.Uri;
  readonly lastEditor: LastEditor;
  /** Shows attachments. */
  readonly documents: ContextDocuments;
  readonly continueInChat: Chat['continueInChat'];
  readonly propose: ComparePageDeps['propose'];
  readonly prompts: PromptMenu;
  readonly replies: ReplyDocuments;
  readonly experiments: Experiments;
}

export interface Compare extends vscode.Disposable {
  readonly editors: vscode.WebviewPanelSerializer;
  /** Settles when all attachments are on disk. */
  readonly flush: () => Promise<void>;
}

/** Comparisons of models: their tabs and commands. */
export function registerCompare(deps: CompareDeps): Compare {
  const own = new DisposableList();
  const { models, settings, services, explainer, log, experiments } = deps;
  const { catalog, marks, measured } = models;
  const onUnexpected = (error: unknown) => log.error('Compare Models', error);
  // A separate store, so that they aren't in any list of conversations.
  const attachments = registerAttachments(vscode.Uri.joinPath(deps.storageUri, 'comparisons'), deps, onUnexpected);
  own.add(attachments.files);
  deps.documents.alsoShow(attachments.store);
  const folders = { extensionUri: deps.extensionUri, picturesUri: vscode.Uri.file(attachments.store.folder) };
  const columns = new KeptColumns(
    vscode.Uri.joinPath(deps.storageUri, 'comparisons', 'columns').fsPath,
    fileTroubleNotice(() => vscode.l10n.t('Compare Models'), deps),
  );
  const votes = models.votes.store;
  const stored = new StoredComparisons({
    experiments: experiments.store,
    columns,
    attachments: attachments.store,
    votes,
    withheld: deps.withheld,
  });
  const explain = (failure: ApiFailure, { model, at, text }: ComparedReply) =>
    explainer.problem(failure, { model, at, hasPartialText: text !== '' });
  const editors = own.add(
    new CompareEditors(
      folders,
      {
        experiments,
        attachments,
        replies: deps.replies,
        continueInChat: deps.continueInChat,
        propose: deps.propose,
        lastEditor: deps.lastEditor,
        prompts: deps.prompts,
        measured,
        chatDefaults: () => settings.chatDefaults(),
        onDidChangeChatDefaults: settings.onDidChangeChatDefaults,
        onDidChangeModels: (listener) => catalog.onDidChange(listener),
        lackOf: (model) => {
          const { service } = refParts(model);
          return deps.support.lacking('chat').has(service) ? lackTitle(service, 'chat') : undefined;
        },
        checkSetup: (model) => services.check(model),
        agrees: (estimate) => agreesToSend(estimate, settings.modelsConfirmAboveCost.value),
        explain,
        explainInterrupted: ({ model, at }) => problemOfInterruptedReply(explainer.context({ model, at })),
        chargeNote: ({ model, at }) => mayBeCharged(explainer.context({ model, at })),
        explainError: (error) => explainer.problemOfError(error),
        pickModel: (current) => deps.pickModel(current),
        withheld: deps.withheld,
        votes,
        openComparison,
        newComparison: () => starting.start('', (shows) => begin({}, false, shows)),
        deleteComparison,
        warm: deps.warm,
        runAction: deps.runAction,
        onUnexpected,
        pageLog: pageLogOf(log, 'compare'),
        keepColumns: ({ id, columns: shown }) => void columns.keep(id, shown),
      },
      reopen,
      (comparison) => void stored.closed(comparison).catch(onUnexpected),
    ),
  );
  own.add(
    notePlaces.use(() =>
      editors.pages().flatMap((page) => {
        const closeness = page === editors.active ? 'active' : 'beside';
        return page.notes === undefined ? [] : [{ place: page.notes, closeness }];
      }),
    ),
  );
  const starting = new StartingRuns();
  deps.commands.handle(commandIds.compareModels, (...all: readonly unknown[]) => {
    if (isRowLost(givenRows(...all))) return void plainWindow.showInformationMessage(lostRowText());
    const [given, selected] = all;
    const start = compareStart(given, selected);
    const isOnSelection = given instanceof vscode.Uri;
    const key = requestIn(given)?.id ?? JSON.stringify([start, isOnSelection && given]);
    return starting.start(key, async (shows) => {
      await Promise.all([catalog.load(), marks.load(), deps.support.load()]);
      const asked = await comparedRequest(given, deps.history);
      if (asked !== undefined && 'refused' in asked) void plainWindow.showInformationMessage(asked.refused);
      else await begin(asked?.start ?? start, isOnSelection, shows);
    });
  });
  return {
    editors,
    flush: async () => {
      await Promise.all([attachments.drafts.settled(), columns.settled()]);
    },
    dispose: () => own.dispose(),
  };

  /** @param shows called once the user can see it */
  async function begin(start: CompareStart, isOnSelection: boolean, shows: () => void): Promise<void> {
    const { text = '', content, before, options } = start;
    const known = start.comparison === undefined ? undefined : editors.find(start.comparison);
    if (known !== undefined && content !== undefined) {
      shows();
      return known.ask(text, content, options);
    }
    const chosen = await modelsToCompare(start, {
      usual: usualModels,
      served: (begun) => deps.support.modelsFor('chat', begun),
      pickModel: (current) => deps.pickModel(current),
    });
    if (chosen === undefined) return;
    const comparison = new Comparison(crypto.randomUUID(), columnsOf(chosen), before);
    // A reload brings back what was selected here, even before the first question.
    void columns.keep(comparison.id, comparison.columns);
    if (isOnSelection) await addSelection(comparison.id);
    const page = editors.open(comparison);
    shows();
    if (chosen.length > maxColumns) {
      page.tell(
        vscode.l10n.t("Only the first {0} of {1} models are compared: more don't fit.", maxColumns, chosen.length),
      );
    }
    if (options !== undefined) page.setOptions(options);
    if (content !== undefined) return page.ask(text, content);
    page.setDraft(text);
    page.focusComposer();
  }

  async function addSelection(id: string): Promise<void> {
    const editor = attachments.editor();
    const taken = editor === undefined ? undefined : selectionContext(editor);
    if (editor === undefined || taken === undefined || !(await maySend(editor.document.uri))) return;
    const { block, ...facts } = taken;
    const kept = { ...facts, id: crypto.randomUUID(), tokens: estimatedTokens(block.length), at: Date.now() };
    await attachments.drafts.load(id);
    await attachments.drafts.add(id, kept, block);
  }

  async function openComparison(): Promise<void> {
    const chosen = await pickComparison(experiments.store);
    if (chosen?.act === 'open') {
      const { comparison, unvoted } = await reopen(chosen.id);
      editors.open(comparison, unvoted);
    } else if (chosen !== undefined) await deleteComparison(chosen.id);
  }

  async function deleteComparison(id: string): Promise<void> {
    const yes = vscode.l10n.t('Delete');
    const detail = vscode.l10n.t(
      'Its questions, replies, attachments, and votes are deleted immediately. Its requests stay in the request history.',
    );
    if ((await plainWindow.ask(vscode.l10n.t('Delete this comparison?'), { detail }, yes)) !== yes) return;
    await editors.close(id);
    switch (await stored.remove(id)) {
      case 'removed':
        return;
      case 'running':
        return void plainWindow.showInformationMessage(
          vscode.l10n.t("This comparison is running in another window, so it wasn't deleted."),
        );
      case 'unreadable':
        return void plainWindow.showWarningMessage(
          vscode.l10n.t(
            "This comparison wasn't deleted, because some files can't be read right now. Try again in a moment.",
          ),
        );
    }
  }

  async function reopen(id: string): Promise<StoredComparison> {
    const { comparison, columns: shown, mightLackQuestions } = await stored.open(id);
    if (mightLackQuestions) {
      void plainWindow.showWarningMessage(
        vscode.l10n.t(
          "Some files can't be read right now, so this comparison might be incomplete. Nothing was deleted. Close its tab, and open it again later.",
        ),
      );
    }
    if (comparison !== undefined) return { comparison, unvoted: await stored.unvotedTurn(comparison) };
    await Promise.all([catalog.load(), marks.load()]);
    return { comparison: new Comparison(id, shown ?? columnsOf(firstColumns())), unvoted: undefined };
  }

  /** The default model and the most recently used other one, so that the user can ask right away. */
  function firstColumns(): readonly string[] {
    return usualModels().slice(0, 2);
  }

  /**
   * Without models whose services are known not to support chat, except for the default, about which the user is asked.
   */
  function usualModels(): readonly string[] {
    const { model } = settings.chatDefaults();
    const { recent, favorites } = marks.view;
    const listed = catalog.index.models.map(({ model: { id } }) => id);
    const lacking = deps.support.lacking('chat');
    const able = (id: string) => {
      const known = catalog.index.find(id)?.model;
      const isServed = id === model || !lacking.has(refParts(id).service);
      return isServed && (known === undefined || mayChat(known));
    };
    const wanted = [...(model === undefined ? [] : [model]), ...recent, ...favorites, ...listed].filter(able);
    return [...new Set(wanted)];
  }
}

function columnsOf(models: readonly ModelRef[]): readonly ComparedColumn[] {
  return models.slice(0, maxColumns).map((model) => ({ id: crypto.randomUUID(), model }));
}

/**
 * The question of a request, or the reason why it can't be asked again, in words. Undefined for anything but a row of
 * the Requests view.
 */
async function comparedRequest(
  row: unknown,
  history: Pick<RequestHistory, 'bodies'>,
): Promise<{ readonly start: CompareStart } | { readonly refused: string } | undefined> {
  const request = requestIn(row);
  if (request === undefined) return undefined;
  const { id, model } = request;
  const start = startOfRequest((await history.bodies(id)).request, model);
  return typeof start === 'string' ? { refused: refusalText(start) } : { start };
}

function refusalText(reason: NoQuestion): string {
  switch (reason) {
    case 'noContent':
      return vscode.l10n.t("The content of this request isn't saved, so it can't be compared.");
    case 'noImages':
      return vscode.l10n.t("The images of this request weren't saved, so it can't be compared.");
    case 'noQuestion':
      return vscode.l10n.t("This request doesn't end with a question, so it can't be compared.");
  }
}
