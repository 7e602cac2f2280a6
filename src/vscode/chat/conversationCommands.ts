import * as vscode from 'vscode';
import { conversationMarkdown } from '../../core/conversationMarkdown.ts';
import { commandIds } from '../contributions.ts';
import { DisposableList } from '../disposables.ts';
import type { ChatEditors } from './chatEditors.ts';
import type { ChatPage } from './chatPage.ts';
import type { ChatView } from './chatView.ts';
import { pickConversation } from './conversationPick.ts';
import type { ConversationStore } from './conversationStore.ts';
import type { OpenConversations } from './openConversations.ts';

export interface ConversationCommandsDeps {
  readonly view: ChatView;
  readonly editors: ChatEditors;
  readonly store: ConversationStore;
  readonly conversations: OpenConversations;
}

/** The commands about chats: open, new, list, rename, delete, export, stop. */
export function registerConversationCommands(deps: ConversationCommandsDeps): vscode.Disposable {
  const { view, editors, store, conversations } = deps;
  const own = new DisposableList();
  const register = (id: string, run: () => Promise<unknown>) => own.add(vscode.commands.registerCommand(id, run));
  /** The chat a command is about: the tab with the focus, else the view. */
  const current = (): ChatPage | undefined => editors.active ?? view.page;

  register(commandIds.openChat, async () => (await view.reveal()).focusComposer());
  register(commandIds.newChat, async () => {
    const page = editors.active ?? (await view.reveal());
    await page.show(crypto.randomUUID());
    page.focusComposer();
  });
  register(commandIds.openChatInEditor, async () => editors.open(inEditor(view) ?? crypto.randomUUID()));
  register(commandIds.stopReply, async () => current()?.session?.stop());
  register(commandIds.renameConversation, async () => withCurrent((id) => rename(id, conversations)));
  register(commandIds.exportConversation, async () => withCurrent((id) => exportMarkdown(id, conversations)));
  register(commandIds.deleteConversation, async () => withCurrent(remove));
  register(commandIds.showConversations, showList);
  return own;

  async function showList(): Promise<void> {
    const choice = await pickConversation(store, current()?.conversationId);
    if (choice === undefined) return;
    const { act, summary } = choice;
    switch (act) {
      case 'open': {
        const page = editors.active ?? (await view.reveal());
        await page.show(summary.id);
        page.focusComposer();
        return;
      }
      case 'openInEditor':
        editors.open(summary.id);
        return;
      case 'rename':
        await rename(summary.id, conversations);
        return showList();
      case 'export':
        return exportMarkdown(summary.id, conversations);
      case 'delete':
        await remove(summary.id);
        return showList();
    }
  }

  async function withCurrent(run: (id: string) => Promise<void>): Promise<void> {
    const session = current()?.session;
    if (session === undefined || session.conversation.isEmpty) {
      void vscode.window.showInformationMessage(vscode.l10n.t('There is no conversation open.'));
      return;
    }
    await run(session.conversation.id);
  }

  async function remove(id: string): Promise<void> {
    const open = await conversations.open(id);
    const title = open.session.conversation.title;
    await open.session.stop();
    open.dispose();
    await conversations.settled(id);
    await store.delete(id);
    for (const page of [view.page, ...editors.pages()]) {
      if (page?.conversationId === id) await page.show(crypto.randomUUID());
    }
    void offerUndo(id, title);
  }

  async function offerUndo(id: string, title: string): Promise<void> {
    const undo = vscode.l10n.t('Undo');
    const chosen = await vscode.window.showInformationMessage(vscode.l10n.t('Deleted “{0}”.', title), undo);
    if (chosen !== undo) return;
    await store.restore(id);
    const page = await view.reveal();
    await page.show(id);
  }
}

/** The view's conversation, when it has messages: an empty one is of no use in a tab. */
function inEditor(view: ChatView): string | undefined {
  const session = view.page?.session;
  return session === undefined || session.conversation.isEmpty ? undefined : session.conversation.id;
}

async function rename(id: string, conversations: OpenConversations): Promise<void> {
  const open = await conversations.open(id);
  try {
    const title = await vscode.window.showInputBox({
      title: vscode.l10n.t('Rename Conversation'),
      value: open.session.conversation.title,
      prompt: vscode.l10n.t('Leave it empty to use the beginning of the first message.'),
    });
    if (title !== undefined) open.session.rename(title.trim());
  } finally {
    open.dispose();
  }
}

async function exportMarkdown(id: string, conversations: OpenConversations): Promise<void> {
  const open = await conversations.open(id);
  try {
    const { conversation } = open.session;
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const name = `${safeName(conversation.title)}.md`;
    const target = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Export as Markdown'),
      ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
      filters: { Markdown: ['md'] },
    });
    if (target === undefined) return;
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(conversationMarkdown(conversation)));
    await vscode.window.showTextDocument(target);
  } finally {
    open.dispose();
  }
}

/** A file name from a title: letters, digits, spaces and dashes of any script, and nothing a file system reads. */
function safeName(title: string): string {
  const name = title
    .replace(/[^\p{L}\p{N} _-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 60)
    .trim();
  return name === '' ? 'conversation' : name;
}
