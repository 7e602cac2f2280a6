import * as vscode from 'vscode';
import { fileNameFromTitle } from '../../core/chat/fileNameFromTitle.ts';
import { conversationMarkdown, replyMarkdown } from '../../core/chat/conversationMarkdown.ts';
import type { ModelCatalogs } from '../../core/models/modelCatalogs.ts';
import { saveTo } from '../disk/uriFile.ts';
import { commandIds } from '../settings/contributions.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { CommandHandlers } from '../platform/lateCommands.ts';
import type { Notifier } from '../platform/notify.ts';
import type { ChatEditors } from './chatEditors.ts';
import type { ChatPageHost } from './chatPageHost.ts';
import type { ChatView } from './chatView.ts';
import { pickConversation } from './conversationPick.ts';
import type { ConversationStore } from '../conversations/conversationStore.ts';
import type { ReplyDocuments } from './replyDocuments.ts';
import type { OpenConversations } from '../conversations/openConversations.ts';
import { showModelFile } from '../platform/documents/openModelText.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import type { Conversation } from '../../core/chat/conversation.ts';
import { modelLabel } from '../../words/modelLabel.ts';

// Notifications would cover the message box.
const SAID_MS = 6000;

export interface ConversationCommandsDeps {
  readonly commands: CommandHandlers;
  readonly view: ChatView;
  readonly editors: ChatEditors;
  readonly store: ConversationStore;
  readonly conversations: OpenConversations;
  readonly replies: ReplyDocuments;
  readonly explainer: Explainer;
  readonly notifier: Notifier;
  readonly models: { readonly catalog: Pick<ModelCatalogs, 'load' | 'index'> };
  /** The chat that a command means, if any. */
  readonly current: () => ChatPageHost | undefined;
  /** The chat that the user sees, if any. */
  readonly visible: () => ChatPageHost | undefined;
  /** Selects the default model. */
  readonly chooseDefaultModel: () => Promise<unknown>;
}

/** The commands for chats: open, new, list, rename, delete, export, stop. */
export function registerConversationCommands(deps: ConversationCommandsDeps): void {
  const { view, editors, store, conversations, explainer, notifier } = deps;
  const register = (id: string, run: (argument?: unknown) => Promise<unknown>) =>
    deps.commands.handle(id, (argument?: unknown) =>
      run(argument).catch((error: unknown) => notifier.problem(explainer.problemOfError(error, { during: 'command' }))),
    );
  /**
   * A click on a title doesn't move the focus, which might be in another chat.
   * @param inView the command in the view's title; a tab's title passes the tab
   */
  const registerForBoth = (id: string, inView: string, run: (page: ChatPageHost | undefined) => Promise<unknown>) => {
    register(id, (given) => run(isTab(given) ? (editors.active ?? editors.visible) : deps.current()));
    register(inView, () => run(view.page));
  };

  register(commandIds.openChat, async () => (await view.reveal()).focusComposer());
  registerForBoth(commandIds.newChat, commandIds.newChatInView, async (present) => {
    // An existing chat is cleared before the view is brought to the front, which takes a moment: text that is typed in
    // that moment is meant for the new chat.
    await present?.startNew();
    const page = present === undefined || present === view.page ? await view.reveal() : present;
    if (page !== present) await page.startNew();
    editors.focus(page);
  });
  registerForBoth(commandIds.openChatInEditor, commandIds.openChatInEditorInView, async (present) => {
    // The side bar's conversation, unless a tab already shows it or the user is in a tab; otherwise a new one.
    const id = present === view.page ? inEditor(view) : undefined;
    const isInTab = editors.pages().some((page) => page.conversationId === id);
    editors.open(id === undefined || isInTab ? crypto.randomUUID() : id);
  });
  register(commandIds.stopReply, async () => deps.current()?.session?.stop());
  const selectModel = async (page: ChatPageHost | undefined): Promise<unknown> =>
    page?.session === undefined ? deps.chooseDefaultModel() : page.acts.selectModel();
  // Like the status bar, which runs it: prompts and commit messages use the default, whatever a hidden chat uses.
  register(commandIds.selectModel, () => selectModel(deps.visible()));
  // By its key in the chat, and from the chat's own menu. From elsewhere, VS Code's list is closer.
  registerForBoth(commandIds.selectModelInChat, commandIds.selectModelInChatInView, async (page) =>
    page === undefined ? selectModel(page) : page.models.open(),
  );
  registerForBoth(commandIds.renameConversation, commandIds.renameConversationInView, async (page) =>
    withConversation(page, (id) => rename(id, conversations)),
  );
  registerForBoth(commandIds.exportConversation, commandIds.exportConversationInView, async (page) =>
    withConversation(page, (id) => exportMarkdown(id, conversations)),
  );
  registerForBoth(commandIds.deleteConversation, commandIds.deleteConversationInView, async (page) =>
    withConversation(page, (id) => remove(id, page)),
  );
  registerForBoth(commandIds.showConversations, commandIds.showConversationsInView, showList);
  registerForBoth(commandIds.openReply, commandIds.openReplyInView, async (page) =>
    openReply(page?.session?.conversation, deps.replies),
  );

  /** @param present where the chosen one is shown, unless it's closed by then */
  async function showList(present: ChatPageHost | undefined): Promise<void> {
    // The list is read from the files.
    await conversations.allSettled();
    const choice = await pickConversation(store, present?.conversationId, deps.models.catalog);
    if (choice === undefined) return;
    const { act, summary, searched } = choice;
    switch (act) {
      case 'open': {
        const page = editors.pages().find((each) => each === present) ?? (await view.reveal());
        await page.show(summary.id);
        // The match might be in a version that isn't shown.
        const found = searched.length < 2 ? undefined : page.session?.conversation.messageWith(searched);
        return found === undefined ? page.focusComposer() : page.reveal(found.id);
      }
      case 'openInEditor':
        editors.open(summary.id);
        return;
      case 'rename':
        await rename(summary.id, conversations);
        return showList(present);
      case 'export':
        return exportMarkdown(summary.id, conversations);
      case 'delete':
        await remove(summary.id, present, summary.draft);
        return showList(present);
      case 'showFile':
        return showFile(store.path(summary.id));
    }
  }

  /** The draft stays until the conversation is permanently deleted, so that Undo restores it too. */
  async function remove(id: string, asked: ChatPageHost | undefined, draft?: string): Promise<void> {
    const open = await conversations.open(id);
    const title = open.session.conversation.title || draft || vscode.l10n.t('Untitled');
    await open.session.delete();
    open.dispose();
    await conversations.settled(id);
    for (const page of [view.page, ...editors.pages()]) {
      if (page?.conversationId === id) await page.show(crypto.randomUUID());
    }
    // In the chat, where it doesn't cover the message box.
    if (asked?.sayDeleted(id, title) === true) return;
    const undo = async (): Promise<void> => (await view.reveal()).restore(id);
    notifier.info(vscode.l10n.t('Deleted "{0}".', title), [{ label: vscode.l10n.t('Undo'), run: undo }]);
  }
}

async function withConversation(page: ChatPageHost | undefined, run: (id: string) => Promise<void>): Promise<void> {
  const session = page?.session;
  if (session === undefined || session.conversation.isEmpty) {
    plainWindow.setStatusBarMessage(vscode.l10n.t('No conversation is open.'), SAID_MS);
    return;
  }
  await run(session.conversation.id);
}

/** What VS Code passes from the title of a webview's tab. */
function isTab(given: unknown): boolean {
  return given instanceof vscode.Uri && given.scheme === 'webview-panel';
}

/** The view's conversation, if it has messages: an empty one is useless in a tab. */
function inEditor(view: ChatView): string | undefined {
  const session = view.page?.session;
  return session === undefined || session.conversation.isEmpty ? undefined : session.conversation.id;
}

async function rename(id: string, conversations: OpenConversations): Promise<void> {
  const open = await conversations.open(id);
  try {
    const title = await plainWindow.showInputBox({
      title: vscode.l10n.t('Rename Conversation'),
      value: open.session.conversation.title,
      prompt: vscode.l10n.t('Leave this empty to use the beginning of the first message.'),
    });
    if (title !== undefined) open.session.rename(title.trim());
  } finally {
    open.dispose();
  }
}

/** In the file manager if that's on the same machine; otherwise the path is copied to the clipboard. */
async function showFile(path: string): Promise<void> {
  if (vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop) {
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(path));
    return;
  }
  await vscode.env.clipboard.writeText(path);
  plainWindow.setStatusBarMessage(vscode.l10n.t('File path copied: {0}', path), SAID_MS);
}

async function exportMarkdown(id: string, conversations: OpenConversations): Promise<void> {
  const open = await conversations.open(id);
  try {
    const { conversation } = open.session;
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const name = `${fileNameFromTitle(conversation.title, 'conversation')}.md`;
    const target = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Export as Markdown'),
      ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
      filters: { Markdown: ['md'] },
    });
    if (target === undefined) return;
    await saveTo(target, conversationMarkdown(conversation));
    await showModelFile(target);
  } finally {
    open.dispose();
  }
}

/**
 * The plain view of a conversation's last reply: an editor, which works with a screen reader by line and word, a
 * braille display, and a magnifier.
 */
async function openReply(conversation: Conversation | undefined, replies: ReplyDocuments): Promise<void> {
  const reply = conversation?.messages().findLast((message) => message.role === 'assistant');
  if (reply?.role !== 'assistant') {
    plainWindow.setStatusBarMessage(vscode.l10n.t("There's no reply to open."), SAID_MS);
    return;
  }
  // The model's name has slashes.
  const uri = replies.add(`${modelLabel(reply.model).replaceAll('/', ' ')}.md`, replyMarkdown(reply));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true });
}
