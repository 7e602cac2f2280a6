import * as vscode from 'vscode';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { watchServiceNames, withService } from '../../words/modelLabel.ts';
import { contextKeys, panelTypes } from '../settings/contributions.ts';
import { DisposableList } from '../platform/disposables.ts';
import { tabIcon } from '../platform/pages/tabIcon.ts';
import { writeStaticPage } from '../platform/pages/writeStaticPage.ts';
import { modelDetailsHtml } from './modelDetailsHtml.ts';
import type { ModelSources } from './modelSources.ts';
import { setContext } from '../platform/setContext.ts';

export interface ModelDetailsDeps extends ModelSources {
  readonly extensionUri: vscode.Uri;
  readonly defaultModel: () => string | undefined;
  readonly onDidChangeDefaultModel: vscode.Event<unknown>;
}

/** One tab with everything known about one model. It has no scripts: its actions are in the title bar. */
export class ModelDetails implements vscode.Disposable {
  readonly #deps: ModelDetailsDeps;
  #panel: vscode.WebviewPanel | undefined;
  #model: ModelRef = '';
  #isDue = false;

  constructor(deps: ModelDetailsDeps) {
    this.#deps = deps;
  }

  /** The model whose tab has the focus. */
  get activeModel(): ModelRef | undefined {
    return this.#panel?.active === true ? this.#model : undefined;
  }

  show(id: ModelRef): void {
    this.#model = id;
    this.#panel ??= this.#open();
    this.#draw();
    this.#panel.reveal(undefined, false);
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #open(): vscode.WebviewPanel {
    const { catalog, marks, measured, extensionUri, onDidChangeDefaultModel } = this.#deps;
    const resources = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
    const panel = vscode.window.createWebviewPanel(panelTypes.modelDetails, '', vscode.ViewColumn.Active, {
      enableScripts: false,
      enableForms: false,
      enableCommandUris: false,
      enableFindWidget: true,
      localResourceRoots: [resources],
    });
    panel.iconPath = tabIcon(extensionUri, 'modelDetails');
    const own = new DisposableList();
    const changed = () => this.#changed();
    for (const stop of [catalog.onDidChange(changed), marks.onDidChange(changed)]) own.add({ dispose: stop });
    own.add(measured.onDidChange(changed));
    own.add(onDidChangeDefaultModel(changed));
    own.add({ dispose: watchServiceNames(changed) });
    panel.onDidDispose(() => {
      own.dispose();
      this.#panel = undefined;
    });
    return panel;
  }

  #changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  #draw(): void {
    const panel = this.#panel;
    if (panel === undefined) return;
    const { catalog, marks, measured, extensionUri } = this.#deps;
    const id = this.#model;
    const { service, model } = refParts(id);
    panel.title = withService(model.slice(model.lastIndexOf('/') + 1) || model, service);
    const figures = measured.figures(id);
    const fetchedAt = catalog.of(service)?.fetchedAt;
    const entry = catalog.index.findOrName(id);
    setContext(contextKeys.shownModelChats, entry.abilities.has('chat'));
    const details = {
      entry,
      isFavorite: marks.isFavorite(id),
      isHidden: marks.isHidden(id),
      isDefault: this.#deps.defaultModel() === id,
      ...(fetchedAt !== undefined && { fetchedAt }),
      ...(figures !== undefined && { figures }),
    };
    writeStaticPage(panel.webview, extensionUri, (page) => modelDetailsHtml({ ...page, ...details }));
  }
}
