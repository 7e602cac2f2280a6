import * as vscode from 'vscode';
import { viewIds } from '../settings/contributions.ts';
import { type PageFolders, showPage } from '../platform/pages/pageHtml.ts';
import { isConversationId } from '../../core/chat/conversationId.ts';
import { ChatPageHost, type ChatPageDeps } from './chatPageHost.ts';
import { PageNotes } from './pageNotes.ts';

const STATE_KEY = 'parlance.chat.viewConversation';

/** The chat view in the side bar. It remembers its conversation per workspace. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  readonly #folders: PageFolders;
  readonly #state: vscode.Memento;
  readonly #deps: ChatPageDeps;
  /** VS Code replaces a view that is dragged elsewhere: its tasks continue, and its messages haven't been read. */
  readonly #notes = new PageNotes();
  #page: ChatPageHost | undefined;
  #view: vscode.WebviewView | undefined;
  #arrived: (() => void)[] = [];

  constructor(folders: PageFolders, state: vscode.Memento, deps: ChatPageDeps) {
    this.#folders = folders;
    this.#state = state;
    this.#deps = {
      ...deps,
      onDidChange: (page) => {
        void state.update(STATE_KEY, page.conversationId);
        deps.onDidChange(page);
      },
    };
  }

  /** The page, while the view exists. */
  get page(): ChatPageHost | undefined {
    return this.#page;
  }

  get visible(): boolean {
    return this.#view?.visible === true;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { webview } = view;
    const kept = this.#state.get<unknown>(STATE_KEY);
    const page = new ChatPageHost(
      webview,
      isConversationId(kept) ? kept : crypto.randomUUID(),
      this.#deps,
      this.#notes,
    );
    this.#page = page;
    this.#view = view;
    view.onDidChangeVisibility(() => {
      if (!view.visible) page.hidden();
      this.#deps.onDidChange(page);
    });
    view.onDidDispose(() => {
      page.dispose();
      if (this.#page !== page) return;
      this.#page = undefined;
      this.#view = undefined;
      this.#deps.onDidChange(page);
    });
    showPage(view, this.#folders, 'chat');
    for (const arrived of this.#arrived.splice(0)) arrived();
  }

  /** Brings the view to the front and returns its page, which might still be loading. */
  async reveal(): Promise<ChatPageHost> {
    await vscode.commands.executeCommand(`${viewIds.chat}.focus`);
    if (this.#page === undefined) await new Promise<void>((resolve) => this.#arrived.push(resolve));
    if (this.#page === undefined) throw new Error('The chat view closed while it was opening');
    return this.#page;
  }

  dispose(): void {
    this.#page?.dispose();
    this.#notes.dispose();
  }
}
