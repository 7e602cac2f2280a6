import * as v from 'valibot';
import * as vscode from 'vscode';
import { conversationIdSchema } from '../../core/chat/conversationId.ts';
import type { Comparison } from '../../core/compare/comparison.ts';
import { inline } from '../../words/inline.ts';
import { type PageFolders, showPage } from '../platform/pages/pageHtml.ts';
import { tabIcon } from '../platform/pages/tabIcon.ts';
import { panelTypes } from '../settings/contributions.ts';
import type { ComparePageDeps } from './comparePageDeps.ts';
import { ComparePageHost } from './comparePageHost.ts';

// The page's own state: after a restart it identifies the tab's comparison.
const pageState = v.object({ comparisonId: conversationIdSchema });

/** A comparison as it's on disk. */
export interface StoredComparison {
  readonly comparison: Comparison;
  /** ID of the question that it still hides. */
  readonly unvoted: string | undefined;
}

/** The comparisons that are open in editor tabs. */
export class CompareEditors implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #folders: PageFolders;
  readonly #deps: ComparePageDeps;
  readonly #restore: (id: string) => Promise<StoredComparison>;
  readonly #closed: (comparison: Comparison) => void;
  readonly #panels = new Map<ComparePageHost, vscode.WebviewPanel>();

  /**
   * @param restore reads a comparison, and creates a new one if none has that ID
   * @param closed called when a user has closed a tab
   */
  constructor(
    folders: PageFolders,
    deps: Omit<ComparePageDeps, 'onDidChange'>,
    restore: (id: string) => Promise<StoredComparison>,
    closed: (comparison: Comparison) => void,
  ) {
    this.#folders = folders;
    this.#restore = restore;
    this.#closed = closed;
    this.#deps = {
      ...deps,
      onDidChange: (comparison) => {
        const page = this.find(comparison.id);
        const panel = page && this.#panels.get(page);
        if (panel !== undefined) panel.title = tabTitle(comparison);
      },
    };
  }

  /** The page of the tab that has the focus. */
  get active(): ComparePageHost | undefined {
    for (const [page, panel] of this.#panels) if (panel.active) return page;
    return undefined;
  }

  pages(): readonly ComparePageHost[] {
    return [...this.#panels.keys()];
  }

  /** The page that shows this comparison, if it's open. */
  find(id: string): ComparePageHost | undefined {
    return [...this.#panels.keys()].find(({ comparison }) => comparison.id === id);
  }

  /** Shows the tab of this comparison, or opens one. */
  open(comparison: Comparison, unvoted?: string): ComparePageHost {
    for (const [page, panel] of this.#panels) {
      if (page.comparison.id !== comparison.id) continue;
      panel.reveal();
      return page;
    }
    const panel = vscode.window.createWebviewPanel(panelTypes.compare, tabTitle(comparison), vscode.ViewColumn.Active, {
      enableFindWidget: true,
    });
    return this.#adopt(panel, comparison, unvoted);
  }

  /** Closes the tab of this comparison, if there's one. Settles once it no longer sends anything. */
  async close(id: string): Promise<void> {
    for (const [page, panel] of this.#panels) {
      if (page.comparison.id !== id) continue;
      const ended = page.ended();
      panel.dispose();
      await ended;
    }
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const parsed = v.safeParse(pageState, state);
    const id = parsed.success ? parsed.output.comparisonId : crypto.randomUUID();
    const { comparison, unvoted } = await this.#restore(id);
    if (this.find(id) === undefined) return void this.#adopt(panel, comparison, unvoted);
    // It was opened in another tab before VS Code restored this one. Two would each have only the questions asked there.
    const wasActive = panel.active;
    panel.dispose();
    if (wasActive) this.open(comparison);
  }

  dispose(): void {
    for (const page of this.#panels.keys()) page.dispose();
  }

  #adopt(panel: vscode.WebviewPanel, comparison: Comparison, unvoted?: string): ComparePageHost {
    panel.iconPath = tabIcon(this.#folders.extensionUri, 'compare');
    const page = new ComparePageHost(panel.webview, comparison, this.#deps, unvoted);
    this.#panels.set(page, panel);
    panel.onDidChangeViewState(() => {
      if (!panel.visible) page.hidden();
    });
    panel.onDidDispose(() => {
      this.#panels.delete(page);
      page.closed();
      this.#closed(comparison);
    });
    showPage(panel, this.#folders, 'compare');
    return page;
  }
}

function tabTitle({ title }: Comparison): string {
  return title === '' ? vscode.l10n.t('Compare Models') : vscode.l10n.t('Compare: {0}', inline(title, 40));
}
