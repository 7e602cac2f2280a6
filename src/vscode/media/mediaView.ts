import * as vscode from 'vscode';
import { mediaHtml, mediaWebviewOptions } from './mediaHtml.ts';
import { MediaPage, type MediaPageDeps } from './mediaPage.ts';

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
    webview.options = mediaWebviewOptions(this.#extensionUri, vscode.Uri.file(deps.gallery.folder.results));
    const page = new MediaPage(webview, undefined, deps);
    view.onDidChangeVisibility(() => {
      if (!view.visible) page.hidden();
    });
    view.onDidDispose(() => page.dispose());
    webview.html = mediaHtml(webview, this.#extensionUri);
  }
}
