import * as vscode from 'vscode';
import type { ChecksFile } from '../../core/checks/checksFile.ts';
import { type CheckModel, modelsWanted } from '../../core/checks/wantedModels.ts';
import { modelKey } from '../../core/experiments/experiment.ts';
import type { ModelIndex } from '../../core/models/modelIndex.ts';
import { modelFromText } from '../../core/models/modelText.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { plainLabel } from '../platform/plainLabel.ts';
import type { LoadedCase, LoadedChecks } from './checksFiles.ts';

/** One case with one model: what the Testing view runs. */
export interface CheckLeaf {
  readonly checks: LoadedChecks;
  readonly loaded: LoadedCase;
  readonly model: CheckModel;
  readonly item: vscode.TestItem;
}

export interface CheckTreeDeps {
  readonly models: () => { readonly index: ModelIndex; readonly favorites: readonly string[] };
  readonly defaultModel: () => string | undefined;
}

/** File > case > model, as the items of a test controller. */
export class CheckTree {
  readonly #controller: vscode.TestController;
  readonly #deps: CheckTreeDeps;
  readonly #files = new Map<string, LoadedChecks>();
  readonly #leaves = new WeakMap<vscode.TestItem, Omit<CheckLeaf, 'checks' | 'item'>>();
  /** Models that were selected for a run. They stay until the window closes. */
  readonly #chosen = new Map<string, CheckModel>();
  /** Patterns are matched once for a file, not for each of its cases. */
  #wanted = new WeakMap<ChecksFile, readonly CheckModel[]>();

  constructor(controller: vscode.TestController, deps: CheckTreeDeps) {
    this.#controller = controller;
    this.#deps = deps;
  }

  get files(): readonly LoadedChecks[] {
    return [...this.#files.values()].toSorted((one, other) => (one.uri.path < other.uri.path ? -1 : 1));
  }

  file(uri: vscode.Uri): LoadedChecks | undefined {
    return this.#files.get(uri.toString());
  }

  fileItem(uri: vscode.Uri): vscode.TestItem | undefined {
    return this.#controller.items.get(uri.toString());
  }

  remove(uri: vscode.Uri): void {
    this.#files.delete(uri.toString());
    this.#controller.items.delete(uri.toString());
  }

  /** Updates a file. Unchanged parts keep their items, and therefore their results. */
  show(checks: LoadedChecks): void {
    const { uri, file } = checks;
    const id = uri.toString();
    this.#files.set(id, checks);
    const name = plainLabel(vscode.workspace.asRelativePath(uri, (vscode.workspace.workspaceFolders?.length ?? 0) > 1));
    const item = this.#controller.items.get(id) ?? this.#controller.createTestItem(id, name, uri);
    const wrong = file.remarks.find(({ severity }) => severity === 'error');
    item.error = wrong?.message;
    const cases = checks.cases.map((loaded) => this.#caseItem(item, checks, loaded));
    item.children.replace(cases);
    this.#controller.items.add(item);
  }

  /** Updates all files, because the available models or the favorites changed. */
  modelsChanged(): void {
    this.#wanted = new WeakMap();
    for (const checks of this.#files.values()) this.show(checks);
  }

  /** All cells of a request of the Testing view, each once. */
  leaves(request: Pick<vscode.TestRunRequest, 'include' | 'exclude'>): readonly CheckLeaf[] {
    const excluded = new Set(request.exclude);
    const found = new Map<string, CheckLeaf>();
    const collect = (item: vscode.TestItem): void => {
      if (excluded.has(item)) return;
      const leaf = this.#leaves.get(item);
      const checks = item.uri === undefined ? undefined : this.#files.get(item.uri.toString());
      if (leaf !== undefined && checks !== undefined) found.set(item.id, { ...leaf, checks, item });
      for (const [, child] of item.children) collect(child);
    };
    if (request.include === undefined) for (const [, item] of this.#controller.items) collect(item);
    else for (const item of request.include) collect(item);
    return [...found.values()];
  }

  /** The same cases with these models instead of those of their files. */
  withModels(leaves: readonly CheckLeaf[], models: readonly CheckModel[]): readonly CheckLeaf[] {
    for (const model of models) this.#chosen.set(modelKey(model), model);
    const cases = new Map(leaves.map((leaf) => [leaf.item.parent ?? leaf.item, leaf]));
    return [...cases].flatMap(([caseItem, { checks, loaded }]) =>
      models.map((model): CheckLeaf => ({ checks, loaded, model, item: this.#modelItem(caseItem, loaded, model) })),
    );
  }

  caseItem(uri: vscode.Uri, caseId: string): vscode.TestItem | undefined {
    return this.fileItem(uri)?.children.get(caseItemId(uri, caseId));
  }

  /** The models that the file names, or the prompt's own, or the chat's default; then those selected for a run. */
  modelsOf({ file }: LoadedChecks, { options }: LoadedCase): readonly CheckModel[] {
    const wanted = this.#wanted.get(file) ?? modelsWanted(file.models, this.#deps.models());
    this.#wanted.set(file, wanted);
    const own = options.model === undefined ? this.#deps.defaultModel() : modelFromText(options.model);
    const models = file.models.length > 0 ? wanted : own === undefined ? [] : [{ id: own }];
    return [...new Map([...models, ...this.#chosen.values()].map((model) => [modelKey(model), model])).values()];
  }

  #caseItem(parent: vscode.TestItem, checks: LoadedChecks, loaded: LoadedCase): vscode.TestItem {
    const { check, messages } = loaded;
    const id = caseItemId(checks.uri, check.id);
    const item = parent.children.get(id) ?? this.#controller.createTestItem(id, plainLabel(check.name), checks.uri);
    const line = checks.lineOf(check.from);
    item.range = new vscode.Range(line, 0, line, 0);
    item.error = 'fault' in messages ? messages.fault : undefined;
    item.children.replace(this.modelsOf(checks, loaded).map((model) => this.#modelItem(item, loaded, model)));
    return item;
  }

  #modelItem(caseItem: vscode.TestItem, loaded: LoadedCase, model: CheckModel): vscode.TestItem {
    const id = leafId(caseItem.id, modelKey(model));
    const known = caseItem.children.get(id);
    const item = known ?? this.#controller.createTestItem(id, plainLabel(modelLabel(model.id)), caseItem.uri);
    item.range = caseItem.range;
    if (known === undefined) caseItem.children.add(item);
    this.#leaves.set(item, { loaded, model });
    return item;
  }
}

function caseItemId(uri: vscode.Uri, caseId: string): string {
  return JSON.stringify([uri.toString(), caseId]);
}

/** Of a case with a model. */
export function leafIdOf(uri: vscode.Uri, caseId: string, key: string): string {
  return leafId(caseItemId(uri, caseId), key);
}

function leafId(caseItem: string, key: string): string {
  return JSON.stringify([caseItem, key]);
}
