import * as v from 'valibot';
import * as vscode from 'vscode';
import { type FormValues, type MediaKind, mediaKinds } from '../../shared/media.ts';
import { kindWords } from '../../words/mediaWords.ts';
import { panelTypes } from '../settings/contributions.ts';
import { showPage } from '../platform/pages/pageHtml.ts';
import { tabIcon } from '../platform/pages/tabIcon.ts';
import type { MediaPageDeps } from './mediaPageDeps.ts';
import { MediaPageHost } from './mediaPageHost.ts';
import { mediaFolders } from './mediaView.ts';

// The page's own state: after a restart it identifies the tab's form.
const pageState = v.object({ kind: v.picklist(mediaKinds) });

interface OpenForm {
  readonly panel: vscode.WebviewPanel;
  readonly page: MediaPageHost;
}

/** The forms in editor tabs, one for each kind. */
export class MediaStudio implements vscode.WebviewPanelSerializer {
  readonly #extensionUri: vscode.Uri;
  readonly #deps: () => MediaPageDeps;
  readonly #open = new Map<MediaKind, OpenForm>();

  constructor(extensionUri: vscode.Uri, deps: () => MediaPageDeps) {
    this.#extensionUri = extensionUri;
    this.#deps = deps;
  }

  /** Shows the tab of this kind, or opens one, and moves the focus there. @returns its page. */
  open(kind: MediaKind): MediaPageHost {
    const open = this.#open.get(kind);
    open?.panel.reveal();
    const { panel, page } = open ?? this.#adopt(newPanel(kind), kind);
    page.focusForm(() => panel.active);
    return page;
  }

  /** In the form of this kind that is open here, or else in the last one of any window. */
  async values(kind: MediaKind): Promise<FormValues> {
    const open = this.#open.get(kind)?.page.values;
    return open === undefined ? this.#deps().forms.values(kind) : open.read();
  }

  /** IDs of the copied files in the forms that are open here. */
  inputIds(): readonly string[] {
    return [...this.#open.values()].flatMap(({ page }) => page.values?.inputIds ?? []);
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const parsed = v.safeParse(pageState, state);
    // Another version of Parlance might have a kind that's unknown here.
    if (!parsed.success || this.#open.has(parsed.output.kind)) panel.dispose();
    else this.#adopt(panel, parsed.output.kind);
    return Promise.resolve();
  }

  #adopt(panel: vscode.WebviewPanel, kind: MediaKind): OpenForm {
    const deps = this.#deps();
    panel.title = kindWords(kind).generate;
    panel.iconPath = tabIcon(this.#extensionUri, kind);
    const page = new MediaPageHost(panel.webview, kind, deps);
    const open = { panel, page };
    this.#open.set(kind, open);
    let wasHidden = false;
    panel.onDidChangeViewState(() => {
      if (!panel.visible) page.hidden();
      // The user has gone back to its tab.
      else if (wasHidden && panel.active) page.focusForm(() => panel.active);
      wasHidden = !panel.visible;
    });
    panel.onDidDispose(() => {
      this.#open.delete(kind);
      page.dispose();
    });
    showPage(panel, mediaFolders(this.#extensionUri, deps), 'media');
    return open;
  }
}

function newPanel(kind: MediaKind): vscode.WebviewPanel {
  const { generate } = kindWords(kind);
  return vscode.window.createWebviewPanel(panelTypes.mediaStudio, generate, vscode.ViewColumn.Active);
}
