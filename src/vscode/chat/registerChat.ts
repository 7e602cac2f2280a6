import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { dataUrlBytes } from '../../api/operations/dataUrlBytes.ts';
import type { ChatPlace } from '../../core/prompts/promptDefinition.ts';
import type { Conversation, Reply } from '../../core/chat/conversation.ts';
import { waysOut } from '../../core/chat/measureConversation.ts';
import { isOverflowFailure } from '../../api/wire/errorCodes.ts';
import type { ContinuedBy, CarriedConversation } from '../../core/compare/continuedConversation.ts';
import { unsavedText } from '../../core/problems/fileTexts.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { Attachment } from '../../shared/attachment.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ConnectionView } from '../../shared/protocol/chatProtocol.ts';
import { problemOfLack } from '../../core/problems/problemOfLack.ts';
import { retryFirst } from '../../core/problems/retryFirst.ts';
import type { Problem, ProblemActionKind } from '../../shared/problem.ts';
import type { LastEditor } from '../attachments/lastEditor.ts';
import { type Attachments, registerAttachments } from '../attachments/registerAttachments.ts';
import { commandIds, contextKeys } from '../settings/contributions.ts';
import { givenRows } from '../settings/givenRows.ts';
import type { PickModel } from '../models/pickModel.ts';
import { chooseDefaultModel, setDefaultModel } from '../models/defaultModel.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { ServiceFactsFiles } from '../service/serviceFactsFiles.ts';
import type { ServiceSupport } from '../service/serviceSupport.ts';
import type { Services } from '../service/services.ts';
import type { Circumstances, Explainer } from '../problems/explainer.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import type { Log } from '../platform/log.ts';
import type { ModelSources } from '../models/modelSources.ts';
import type { WalkthroughSteps } from '../settings/walkthroughSteps.ts';
import type { Notifier } from '../platform/notify.ts';
import { notePlaces } from '../platform/notePlaces.ts';
import { pageLogOf } from '../platform/pages/pagePort.ts';
import type { Redactor } from '../platform/redactor.ts';
import type { RequestTap } from '../requests/requestTap.ts';
import type { Settings } from '../settings/settings.ts';
import type { StatusItem } from '../statusBar/statusItem.ts';
import { ChatEditors } from './chatEditors.ts';
import { ConnectionTime } from '../problems/connectionTime.ts';
import type { ChatPageDeps, ChatPageHost, PromptMenu } from './chatPageHost.ts';
import { ChatView } from './chatView.ts';
import { registerConversationCommands } from './conversationCommands.ts';
import { ConversationStore } from '../conversations/conversationStore.ts';
import { isWriterAlive } from '../conversations/watchRepliesElsewhere.ts';
import { recentModels } from './recentModels.ts';
import { compareCode } from './compareCode.ts';
import { compareReply } from './compareReply.ts';
import { ReplyDocuments } from './replyDocuments.ts';
import { OpenConversations } from '../conversations/openConversations.ts';
import { setContext } from '../platform/setContext.ts';

export interface ChatDeps {
  readonly commands: CommandHandlers;
  readonly extensionUri: vscode.Uri;
  /** Where conversations are stored. */
  readonly storageUri: vscode.Uri;
  readonly globalState: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  readonly lastEditor: LastEditor;
  readonly models: ModelSources;
  readonly pickModel: PickModel;
  readonly prompts: PromptMenu;
  readonly statusItem: Pick<StatusItem, 'showChat'>;
  readonly service: RequestTap;
  /** Opens a connection before a request. */
  readonly warm: (model: ModelRef | undefined) => Promise<void>;
  readonly settings: Settings;
  readonly services: Services;
  readonly support: ServiceSupport;
  readonly facts: Pick<ServiceFactsFiles, 'onDidChange'>;
  readonly explainer: Explainer;
  readonly redactor: Redactor;
  readonly log: Log;
  readonly notifier: Notifier;
  readonly runAction: (action: ProblemActionKind, service?: string) => Promise<void>;
  readonly walkthrough: Pick<WalkthroughSteps, 'done'>;
}

export interface Chat extends vscode.Disposable {
  readonly view: vscode.WebviewViewProvider;
  readonly editors: vscode.WebviewPanelSerializer;
  /** Attachments, for other composers of this window. */
  readonly attachments: Attachments;
  /** Attachments as documents. */
  readonly contexts: vscode.TextDocumentContentProvider;
  /** Replies that were opened as documents. */
  readonly replies: ReplyDocuments;
  /** Settles when everything is on disk. */
  readonly flush: () => Promise<void>;
  /** Stores this as a new conversation, and shows it. @param read a question's attachments, as stored */
  readonly continueInChat: (
    conversationBy: (by: ContinuedBy) => CarriedConversation,
    read: (attachment: Attachment) => Promise<string>,
  ) => Promise<void>;
  /** Shows a conversation in the side bar. False if it no longer exists. */
  readonly showConversation: (id: string, requestId?: string) => Promise<boolean>;
  /** Shows code of a reply next to the file in the editor. */
  readonly compareCode: (text: string) => Promise<void>;
  /** Uses the model in the user's current chat, and brings that to the front. */
  readonly useModel: (model: ModelRef) => Promise<void>;
  /** Adds what the user is looking at to the message in the chat in front. */
  readonly addSuggested: () => Promise<void>;
  /** Asks in the chat in front. The options are for a new one: a current chat keeps its own. */
  readonly ask: (text: string, place: ChatPlace, options: ChatOptions) => Promise<void>;
  /** The model of the chat in front. Undefined if there's none yet, or no model. */
  readonly currentModel: () => ModelRef | undefined;
}

/** The chat: its view, its editor tabs, and its commands. */
export function registerChat(deps: ChatDeps): Chat {
  const own = new DisposableList();
  const writer = crypto.randomUUID();
  const { settings, services, explainer, log } = deps;
  const onUnexpected = (error: unknown) => log.error('Chat', error);
  const attachments = registerAttachments(deps.storageUri, deps, onUnexpected);
  own.add(attachments.files);
  const store = new ConversationStore({
    folder: vscode.Uri.joinPath(deps.storageUri, 'conversations').fsPath,
    attachments: attachments.store,
    writer,
    onUnexpected,
    onDraftError: (error) => {
      log.error('Saving a draft', error);
      deps.notifier.error(unsavedText('draft', error, process.platform));
    },
    onError: (error, id) => {
      log.error('Saving a conversation', error);
      // Its page says so itself.
      if (id !== undefined && pagesInView().some(({ conversationId }) => conversationId === id)) return;
      deps.notifier.error(unsavedText('conversation', error, process.platform));
    },
  });
  const conversations = new OpenConversations({
    clientFor: (conversationId, model, stop) =>
      deps.service.from({ kind: 'chat', conversationId }, stop).forModel(model),
    attachments,
    store,
    writer,
    redact: (failure) => deps.redactor.cleanData(failure),
    onUnexpected,
  });

  let focused: ChatPageHost | undefined;
  /** The last one that had the focus. */
  let latest: ChatPageHost | undefined;
  const connectionTime = new ConnectionTime(deps.globalState);
  // Before any page is updated, because their texts depend on it.
  own.add(services.onDidChange(() => connectionTime.changed(Date.now())));

  /** A failure from a file might lack what its text needs. */
  const explain = (failure: ApiFailure, reply?: Reply, conversation?: Conversation): Problem => {
    const known = reply === undefined ? {} : circumstances(reply);
    // For similar IDs, from disk: a page that shows an old failure sends no request.
    if (failure.kind === 'modelNotFound') deps.models.catalog.load().catch(onUnexpected);
    try {
      const isTooLong = reply !== undefined && conversation !== undefined && isOverflowFailure(failure);
      const problem = explainer.problem(failure, {
        ...known,
        ...(isTooLong && { waysOut: waysOut(conversation, reply.model, attachments.models) }),
      });
      return connectionTime.isAfter(reply?.end?.at) ? retryFirst(problem) : problem;
    } catch (error) {
      onUnexpected(error);
      return explainer.problem({ kind: 'unexpected', message: '' }, known);
    }
  };

  const replies = own.add(new ReplyDocuments());
  const connectionChanged = own.add(new vscode.EventEmitter<void>());
  own.add(services.onDidChange(() => connectionChanged.fire()));
  own.add({ dispose: deps.facts.onDidChange(() => connectionChanged.fire()) });
  const pageDeps: ChatPageDeps = {
    replies,
    lastEditor: deps.lastEditor,
    conversations,
    store,
    attachments,
    writer,
    chatDefaults: () => settings.chatDefaults(),
    onDidChangeChatDefaults: settings.onDidChangeChatDefaults,
    connection,
    onDidChangeConnection: connectionChanged.event,
    checkSetup: (model) => services.check(model),
    warm: deps.warm,
    explain,
    pickModel: chooseModel,
    models: deps.models,
    support: deps.support,
    explainer,
    keepFirstModel,
    prompts: deps.prompts,
    recentModels: () => recentModels(deps.models),
    runAction: deps.runAction,
    compareReply: (session, replyId) => compareReply(session, replyId, attachments),
    isAlive: isWriterAlive,
    onUnexpected,
    pageLog: pageLogOf(log, 'chat'),
    onDidChange: () => updateContext(),
    onFocusMoved: moveFocus,
  };
  const folders = {
    extensionUri: deps.extensionUri,
    picturesUri: vscode.Uri.file(attachments.store.folder),
  };
  const view = own.add(new ChatView(folders, deps.workspaceState, pageDeps));
  const editors = own.add(new ChatEditors(folders, pageDeps));
  const pagesInView = (): readonly ChatPageHost[] =>
    [focused, editors.active, view.page, ...editors.pages()].flatMap((page) =>
      page?.notes === undefined ? [] : [page],
    );
  own.add(
    notePlaces.use(() =>
      pagesInView().flatMap((page) => {
        const closeness = page === focused ? 'focused' : page === editors.active ? 'active' : 'beside';
        return page.notes === undefined ? [] : [{ place: page.notes, closeness }];
      }),
    ),
  );
  registerConversationCommands({
    ...deps,
    view,
    editors,
    store,
    conversations,
    replies,
    current: () => chatInUse() ?? view.page,
    visible: visiblePage,
    chooseDefaultModel: () => chooseDefaultModel(deps.pickModel, settings.chatDefaults().model),
  });
  deps.commands.handle(commandIds.addContext, async () => (await chatInUseOrView()).attachments.addContext());
  deps.commands.handle(commandIds.addToChat, async (clicked?: unknown, selected?: unknown) => {
    const uris = givenRows(clicked, selected).filter((uri) => uri instanceof vscode.Uri);
    await (await chatInUseOrView()).attachments.addFiles(uris);
  });

  return {
    view,
    editors,
    attachments,
    contexts: attachments.documents,
    replies,
    dispose: () => own.dispose(),
    flush: async () => {
      await Promise.all([conversations.dispose(), store.settled(), attachments.drafts.settled()]);
    },
    compareCode: (text) => compareCode(text, deps.lastEditor, replies),
    showConversation: async (id, requestId) => {
      // Text that is written in a deleted conversation would be lost when that is permanently deleted.
      if (!(await store.list()).some((listed) => listed.id === id)) return false;
      const page = await view.reveal();
      await page.show(id);
      const reply = requestId === undefined ? undefined : page.session?.conversation.replyTo(requestId);
      if (reply !== undefined) await page.reveal(reply.id);
      return true;
    },
    continueInChat: async (conversationBy, read) => {
      const id = crypto.randomUUID();
      const by = { writer, pid: process.pid, newId: () => crypto.randomUUID() };
      const { records, attachments: carried, pictures } = conversationBy(by);
      // Each exists before the line that names it.
      for (const attachment of carried) {
        const content = pictures.get(attachment.id) ?? (await read(attachment));
        await attachments.store.save(
          id,
          attachment,
          (attachment.kind === 'picture' ? dataUrlBytes(content) : undefined) ?? content,
        );
      }
      const file = store.file(id);
      for (const record of records) file.append(record);
      await file.flush();
      const page = await view.reveal();
      await page.show(id);
      page.focusComposer();
    },
    useModel,
    addSuggested: async () => (await chatInUseOrView()).attachments.addSuggested(),
    ask,
    currentModel: () => {
      const page = chatInUse() ?? view.page;
      return page && (page.session?.conversation.options.model ?? settings.chatDefaults().model);
    },
  };

  async function ask(text: string, place: ChatPlace, options: ChatOptions): Promise<void> {
    // Otherwise the view, which the prompt brings to the front.
    const page = await chatInUseOrView();
    if (place === 'newChat') await page.startNew();
    await page.ask(text, place === 'newChat' ? options : {});
  }

  /** Returns the problem in words if a setting doesn't fit. */
  async function connection(model: ModelRef | undefined): Promise<ConnectionView> {
    const service = services.for(model);
    // For a model of a service that was removed, the next question explains what to do.
    if (service === undefined) return { state: 'needsModel', host: '' };
    const state = await service.endpoint.connection(model);
    const failure = await service.endpoint.misfit();
    const about = { service: service.id };
    if (failure !== undefined) return { ...state, problem: explainer.problem(failure, about) };
    const lack = state.state === 'ready' ? await deps.support.lackOf('chat', model) : undefined;
    return lack === undefined ? state : { ...state, lack: problemOfLack(lack) };
  }

  async function chooseModel(current: ModelRef | undefined): Promise<ModelRef | undefined> {
    const model = await deps.pickModel(current);
    if (model !== undefined) await keepFirstModel(model);
    return model;
  }

  async function useModel(model: ModelRef): Promise<void> {
    const page = await chatInUseOrView();
    await page.acts.useModel(model);
    page.focusComposer();
    await keepFirstModel(model);
  }

  /** The first model ever selected becomes the default for new conversations. */
  async function keepFirstModel(model: ModelRef): Promise<void> {
    if (settings.chatDefaults().model === undefined) await setDefaultModel(model);
  }

  /** If both are chats, the one that lost the focus last isn't the one that has it now. */
  function moveFocus(page: ChatPageHost, isHere: boolean): void {
    if (!isHere && focused !== page) return;
    focused = isHere ? page : undefined;
    if (isHere) latest = page;
    setContext(contextKeys.chatFocused, isHere);
    updateContext();
  }

  function updateContext(): void {
    const page = chatInUse() ?? view.page;
    if (isOpen(page)) deps.walkthrough.done(contextKeys.chatUsed);
    setContext(contextKeys.replyRunning, page?.session?.runningReplyId !== undefined);
    setContext(contextKeys.conversationOpen, isOpen(page));
    setContext(contextKeys.conversationOpenInView, isOpen(view.page));
    setContext(contextKeys.conversationOpenInTab, isOpen(editors.active ?? editors.visible));
    deps.statusItem.showChat(visiblePage()?.session?.conversation.options.model);
  }

  /**
   * The chat that the user is in, if any: the one with the focus, otherwise the view if it had it last, because a list
   * or a menu takes the focus from it, otherwise the tab in front.
   */
  function chatInUse(): ChatPageHost | undefined {
    return focused ?? (view.visible && latest === view.page ? latest : undefined) ?? editors.active;
  }

  /** Brings the view to the front, unless that's where the user is. */
  async function chatInUseOrView(): Promise<ChatPageHost> {
    const page = chatInUse() ?? view.page;
    return page === undefined || (page === view.page && page !== focused) ? view.reveal() : page;
  }

  /** The chat that the user sees: the one they are in, otherwise the view, otherwise any tab. */
  function visiblePage(): ChatPageHost | undefined {
    return chatInUse() ?? (view.visible ? view.page : editors.visible);
  }
}

function isOpen(page: ChatPageHost | undefined): boolean {
  return page?.session?.conversation.isEmpty === false;
}

function circumstances(reply: Reply): Circumstances {
  return {
    hasPartialText: reply.text !== '',
    model: reply.model,
    ...(reply.end !== undefined && { at: reply.end.at }),
    ...(reply.end?.attempts !== undefined && { attempts: reply.end.attempts }),
  };
}
