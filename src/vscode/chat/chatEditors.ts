import * as vscode from 'vscode';
import * as v from 'valibot';
import { panelTypes } from '../settings/contributions.ts';
import { type PageFolders, showPage } from '../platform/pages/pageHtml.ts';
import { tabIcon } from '../platform/pages/tabIcon.ts';
import { ChatPageHost, type ChatPageDeps } from './chatPageHost.ts';
import { conversationIdSchema } from '../../core/chat/conversationId.ts';

// The page's own state: after a restart it identifies the tab's conversation.
const pageState = v.object({ conversationId: conversationIdSchema });

/** The chats that are open in editor tabs, each with its own conversation. */
export class ChatEditors implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #folders: PageFolders;
  readonly #deps: ChatPageDeps;
  readonly #panels = new Map<ChatPageHost, vscode.WebviewPanel>();
  #disposed = false;

  constructor(folders: PageFolders, deps: ChatPageDeps) {
    this.#folders = folders;
    this.#deps = {
      ...deps,
      onDidChange: (page) => {
        const panel = this.#panels.get(page);
        if (panel !== undefined) panel.title = page.title === '' ? vscode.l10n.t('New Chat') : page.title;
        deps.onDidChange(page);
      },
    };
  }

  /** The page of the tab that has the focus. */
  get active(): ChatPageHost | undefined {
    for (const [page, panel] of this.#panels) if (panel.active) return page;
    return undefined;
  }

  /** One that can be seen, wherever the focus is. */
  get visible(): ChatPageHost | undefined {
    for (const [page, panel] of this.#panels) if (panel.visible) return page;
    return undefined;
  }

  /** Brings a tab's message box to the front, because the focus might be elsewhere in the window. */
  focus(page: ChatPageHost): void {
    this.#panels.get(page)?.reveal();
    page.focusComposer();
  }

  pages(): readonly ChatPageHost[] {
    return [...this.#panels.keys()];
  }

  /** Shows the tab of this conversation, or opens one. */
  open(conversationId: string): void {
    for (const page of this.#panels.keys()) {
      if (page.conversationId === conversationId) return this.focus(page);
    }
    const panel = vscode.window.createWebviewPanel(
      panelTypes.chatEditor,
      vscode.l10n.t('New Chat'),
      vscode.ViewColumn.Active,
    );
    this.#adopt(panel, conversationId).focusComposer();
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const parsed = v.safeParse(pageState, state);
    this.#adopt(panel, parsed.success ? parsed.output.conversationId : crypto.randomUUID());
    return Promise.resolve();
  }

  dispose(): void {
    this.#disposed = true;
    for (const page of this.#panels.keys()) page.dispose();
  }

  #adopt(panel: vscode.WebviewPanel, conversationId: string): ChatPageHost {
    panel.iconPath = tabIcon(this.#folders.extensionUri, 'chatEditor');
    const page = new ChatPageHost(panel.webview, conversationId, this.#deps);
    this.#panels.set(page, panel);
    panel.onDidChangeViewState(() => {
      if (!panel.visible) page.hidden();
      this.#deps.onDidChange(page);
    });
    panel.onDidDispose(() => {
      this.#panels.delete(page);
      page.dispose();
      if (!this.#disposed) this.#deps.onDidChange(page);
    });
    showPage(panel, this.#folders, 'chat');
    return page;
  }
}
