import * as v from 'valibot';
import * as vscode from 'vscode';
import { type MediaKind, mediaKinds } from '../../shared/media.ts';
import { kindWords } from '../../words/mediaWords.ts';
import { panelTypes } from '../settings/contributions.ts';
import { showPage, pageOptions } from '../platform/pages/pageHtml.ts';
import { tabIcon } from '../platform/pages/tabIcon.ts';
import { MediaPageHost, type MediaPageDeps } from './mediaPageHost.ts';
import { mediaFolders } from './mediaView.ts';

// The page's own state: after a restart it identifies the tab's form.
const pageState = v.object({ kind: v.picklist(mediaKinds) });

/** The forms in editor tabs, one for each kind. */
export class MediaStudio implements vscode.WebviewPanelSerializer {
  readonly #extensionUri: vscode.Uri;
  readonly #deps: () => MediaPageDeps;
  readonly #open = new Map<MediaKind, { readonly panel: vscode.WebviewPanel; readonly page: MediaPageHost }>();

  constructor(extensionUri: vscode.Uri, deps: () => MediaPageDeps) {
    this.#extensionUri = extensionUri;
    this.#deps = deps;
  }

  /** Shows the tab of this kind, or opens one. @returns its page. */
  open(kind: MediaKind): MediaPageHost {
    const open = this.#open.get(kind);
    if (open !== undefined) {
      open.panel.reveal();
      return open.page;
    }
    return this.#adopt(
      vscode.window.createWebviewPanel(panelTypes.mediaStudio, kindWords(kind).generate, vscode.ViewColumn.Active),
      kind,
    );
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const parsed = v.safeParse(pageState, state);
    // Another version of Parlance might have a kind that's unknown here.
    if (!parsed.success || this.#open.has(parsed.output.kind)) panel.dispose();
    else this.#adopt(panel, parsed.output.kind);
    return Promise.resolve();
  }

  #adopt(panel: vscode.WebviewPanel, kind: MediaKind): MediaPageHost {
    const deps = this.#deps();
    panel.title = kindWords(kind).generate;
    panel.iconPath = tabIcon(this.#extensionUri, 'mediaStudio');
    const folders = mediaFolders(this.#extensionUri, deps);
    panel.webview.options = pageOptions(folders);
    const page = new MediaPageHost(panel.webview, kind, deps);
    this.#open.set(kind, { panel, page });
    panel.onDidChangeViewState(() => {
      if (!panel.visible) page.hidden();
    });
    panel.onDidDispose(() => {
      this.#open.delete(kind);
      page.dispose();
    });
    showPage(panel, folders, 'media');
    return page;
  }
}
