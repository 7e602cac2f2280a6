import * as vscode from 'vscode';
import { showPage } from '../platform/pages/pageHtml.ts';
import { tabIcon } from '../platform/pages/tabIcon.ts';
import { panelTypes } from '../settings/contributions.ts';
import { MeasurePageHost, type MeasurePageDeps } from './measurePageHost.ts';

/** The only tab with the page that measures models. */
export class MeasurePanel implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #deps: MeasurePageDeps;
  #open: { readonly panel: vscode.WebviewPanel; readonly page: MeasurePageHost } | undefined;

  constructor(extensionUri: vscode.Uri, deps: MeasurePageDeps) {
    this.#extensionUri = extensionUri;
    this.#deps = deps;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Shows the tab, or opens it. @returns its page */
  open(): MeasurePageHost {
    if (this.#open !== undefined) {
      this.#open.panel.reveal();
      return this.#open.page;
    }
    return this.#adopt(vscode.window.createWebviewPanel(panelTypes.measure, title(), vscode.ViewColumn.Active));
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    if (this.#open === undefined) this.#adopt(panel);
    else panel.dispose();
    return Promise.resolve();
  }

  dispose(): void {
    this.#open?.panel.dispose();
  }

  #adopt(panel: vscode.WebviewPanel): MeasurePageHost {
    panel.title = title();
    panel.iconPath = tabIcon(this.#extensionUri, 'measure');
    const page = new MeasurePageHost(panel.webview, this.#deps);
    this.#open = { panel, page };
    panel.onDidDispose(() => {
      this.#open = undefined;
      page.dispose();
    });
    showPage(panel, { extensionUri: this.#extensionUri }, 'measure');
    return page;
  }
}

function title(): string {
  return vscode.l10n.t('Measure Models');
}
