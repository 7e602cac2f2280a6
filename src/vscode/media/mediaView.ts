import * as vscode from 'vscode';
import { showPage, type PageFolders } from '../platform/pages/pageHtml.ts';
import type { MediaPageDeps } from './mediaPageDeps.ts';
import { MediaPageHost } from './mediaPageHost.ts';

/** The gallery in the side bar. */
export class MediaView implements vscode.WebviewViewProvider {
  readonly #extensionUri: vscode.Uri;
  readonly #deps: () => MediaPageDeps;

  constructor(extensionUri: vscode.Uri, deps: () => MediaPageDeps) {
    this.#extensionUri = extensionUri;
    this.#deps = deps;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { webview } = view;
    const deps = this.#deps();
    const page = new MediaPageHost(webview, undefined, deps);
    view.onDidChangeVisibility(() => {
      if (!view.visible) page.hidden();
    });
    view.onDidDispose(() => page.dispose());
    showPage(view, mediaFolders(this.#extensionUri, deps), 'media');
  }
}

/** The gallery's pages show results, including videos. */
export function mediaFolders(extensionUri: vscode.Uri, { gallery }: Pick<MediaPageDeps, 'gallery'>): PageFolders {
  const results = vscode.Uri.file(gallery.folder.results);
  return { extensionUri, picturesUri: results, filmsUri: results };
}
