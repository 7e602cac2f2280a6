import * as vscode from 'vscode';
import { type CaseCells, cellCount } from '../../core/checks/checkResult.ts';
import type { ChecksFile } from '../../core/checks/checksFile.ts';
import {
  type CheckModel,
  type CheckableModels,
  modelsWanted,
  namedCheckModel,
  servicesWanted,
} from '../../core/checks/wantedModels.ts';
import { modelKey, modelOfKey } from '../../core/experiments/experiment.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { plainLabel } from '../platform/plainLabel.ts';
import { checksPath, type LoadedCase, type LoadedChecks } from './checksFiles.ts';
import { checkCellText } from './results/checkCellText.ts';

/** A case in the Testing view. */
export interface ShownCase {
  readonly checks: LoadedChecks;
  readonly loaded: LoadedCase;
  readonly item: vscode.TestItem;
}

/** One case with one model: what the Testing view runs. The item is the model's. */
export interface CheckLeaf extends ShownCase {
  readonly model: CheckModel;
  /** The key of the model. */
  readonly key: string;
  /** False for a model that was only selected for a run: the case is sent to it on request only. */
  readonly isOwn: boolean;
}

/** What a request of the Testing view asks for. */
export interface AskedChecks {
  readonly leaves: readonly CheckLeaf[];
  /** Cases that no model is known for. */
  readonly withoutModel: readonly ShownCase[];
}

export interface CheckTreeDeps {
  readonly models: () => CheckableModels;
  readonly defaultModel: () => string | undefined;
  /** The current results of a case, by the model's key. */
  readonly cells: (checks: LoadedChecks, loaded: LoadedCase) => CaseCells;
}

/** Models by their keys, in order. */
export type KeyedModels = ReadonlyMap<string, CheckModel>;

/** File > case > model, as the items of a test controller. */
export class CheckTree {
  readonly #controller: vscode.TestController;
  readonly #deps: CheckTreeDeps;
  readonly #files = new Map<string, LoadedChecks>();
  readonly #cases = new WeakMap<vscode.TestItem, LoadedCase>();
  /** What each case sent and expected when it was last read, by its item's ID. */
  readonly #fingerprints = new Map<string, string>();
  /** Models that were selected for runs that haven't ended, by the case's item: for each run its own. */
  readonly #selected = new Set<ReadonlyMap<string, readonly CheckModel[]>>();
  /** Patterns are matched once for a file, not for each of its cases. */
  #wanted = new WeakMap<ChecksFile, KeyedModels>();
  /** Each model is shown below a thousand cases. */
  readonly #labels = new Map<ModelRef, string>();

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

  /** The files of checks for a prompt. */
  filesFor(prompt: vscode.Uri): readonly LoadedChecks[] {
    return this.files.filter(({ promptUri }) => promptUri?.toString() === prompt.toString());
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
    this.#wanted.delete(file);
    const name = plainLabel(checksPath(uri));
    const item = this.#controller.items.get(id) ?? this.#controller.createTestItem(id, name, uri);
    const wrong = file.remarks.find(({ severity }) => severity === 'error');
    item.error = wrong?.message;
    const cases = checks.cases.map((loaded) => this.#caseItem(item, checks, loaded));
    replaceChildren(item, cases);
    if (this.#controller.items.get(id) !== item) this.#controller.items.add(item);
  }

  /** Updates all files, because the available models or the favorites changed. */
  modelsChanged(): void {
    this.#wanted = new WeakMap();
    this.#labels.clear();
    for (const checks of this.#files.values()) this.show(checks);
  }

  /** All cells of a request of the Testing view, each once. */
  asked(request: Pick<vscode.TestRunRequest, 'include' | 'exclude'>): AskedChecks {
    const excluded = new Set(request.exclude);
    const leaves = new Map<string, CheckLeaf>();
    const withoutModel = new Map<string, ShownCase>();
    const collect = (item: vscode.TestItem, isNamed: boolean): void => {
      if (excluded.has(item) || !this.#isShown(item)) return;
      const leaf = this.#leafOf(item);
      if (leaf !== undefined && (leaf.isOwn || isNamed)) leaves.set(item.id, leaf);
      const loaded = this.#cases.get(item);
      const checks = item.uri === undefined ? undefined : this.#files.get(item.uri.toString());
      if (loaded !== undefined && checks !== undefined && this.ownModels(checks, loaded).size === 0)
        withoutModel.set(item.id, { checks, loaded, item });
      for (const [, child] of item.children) collect(child, false);
    };
    if (request.include === undefined) for (const [, item] of this.#controller.items) collect(item, false);
    else for (const item of request.include) collect(item, true);
    return { leaves: [...leaves.values()], withoutModel: [...withoutModel.values()] };
  }

  /**
   * IDs of the services whose model lists a request needs, including those for its judges, so that no other one can
   * hold it up. Undefined for all of them.
   * @param models that were selected instead of those of the files
   */
  servicesOf(
    request: Parameters<CheckTree['asked']>[0],
    models: readonly CheckModel[],
  ): ReadonlySet<string> | undefined {
    const { leaves, withoutModel } = this.asked(request);
    const shown = [...leaves, ...withoutModel];
    const files = new Set(shown.map(({ checks: { file } }) => file));
    const own = models.length > 0 ? models : leaves.map(({ model }) => model);
    const wanted = models.length > 0 ? [] : [...files].flatMap((file) => file.models);
    return servicesWanted(wanted, [...own.map(({ id }) => id), ...this.#judgesOf(shown)]);
  }

  /** What a run of these sends to: their models, and the judges of their replies. */
  modelsSentTo(leaves: readonly CheckLeaf[]): readonly ModelRef[] {
    return [...new Set([...leaves.map(({ model }) => model.id), ...this.#judgesOf(leaves)])];
  }

  /** The cases that can't be run. @param hasModel whether there's a model for each of them */
  notRun({ leaves, withoutModel }: AskedChecks, hasModel: boolean): readonly ShownCase[] {
    const faulty = leaves.flatMap(({ checks, loaded, item: { parent } }) =>
      parent !== undefined && 'fault' in loaded.messages ? [{ checks, loaded, item: parent }] : [],
    );
    const bare = withoutModel.filter(({ loaded }) => !hasModel || 'fault' in loaded.messages);
    return [...new Map([...faulty, ...bare].map((each) => [each.item.id, each])).values()];
  }

  /** The same cases with these models instead of those of their files. */
  withModels({ leaves, withoutModel }: AskedChecks, models: readonly CheckModel[]): readonly CheckLeaf[] {
    const ofLeaves = leaves.map((leaf) => [leaf.item.parent ?? leaf.item, leaf] as const);
    const cases = new Map<vscode.TestItem, ShownCase>([
      ...ofLeaves,
      ...withoutModel.map((bare) => [bare.item, bare] as const),
    ]);
    return [...cases].flatMap(([caseItem, { checks, loaded }]) =>
      models.map((model) => this.#leaf(caseItem, checks, loaded, model)),
    );
  }

  /** The same cases, each with another model in place of its own if there's one. */
  withReplaced(leaves: readonly CheckLeaf[], replacements: ReadonlyMap<ModelRef, ModelRef>): readonly CheckLeaf[] {
    const replaced = leaves.map((leaf) => {
      const { checks, loaded, item, model } = leaf;
      const id = replacements.get(model.id) ?? model.id;
      return id === model.id ? leaf : this.#leaf(item.parent ?? item, checks, loaded, { id });
    });
    return [...new Map(replaced.map((leaf) => [leaf.item.id, leaf])).values()];
  }

  /**
   * Shows what is about to run, including models that the files don't name.
   * @returns what runs, and what removes the rows that have no results in the end
   */
  began(leaves: readonly CheckLeaf[]): { readonly leaves: readonly CheckLeaf[]; readonly ended: () => void } {
    const selected = new Map<string, readonly CheckModel[]>();
    const shown = leaves.map((leaf) => {
      const { checks, loaded, model, isOwn, key } = leaf;
      const caseItem = this.caseItem(checks.uri, loaded.check.id);
      if (isOwn || caseItem === undefined) return leaf;
      selected.set(caseItem.id, [...(selected.get(caseItem.id) ?? []), model]);
      // Another run might have added it in the meantime.
      const item = this.#modelItem(caseItem, key, model);
      caseItem.children.add(item);
      return { ...leaf, item };
    });
    if (selected.size === 0) return { leaves: shown, ended: () => undefined };
    this.#selected.add(selected);
    const ended = () => {
      this.#selected.delete(selected);
      for (const uri of new Set(leaves.map(({ checks }) => checks.uri.toString()))) {
        const checks = this.#files.get(uri);
        if (checks !== undefined) this.show(checks);
      }
    };
    return { leaves: shown, ended };
  }

  /** Updates what the rows of a file say about their results: `2 of 4 models` on each case, and `3/3` on each model. */
  showResults(checks: LoadedChecks): void {
    for (const loaded of checks.cases) {
      const item = this.caseItem(checks.uri, loaded.check.id);
      if (item === undefined) continue;
      const rows = Array.from(item.children, ([, row]) => row);
      this.#describe(item, rows, this.#deps.cells(checks, loaded));
    }
  }

  caseItem(uri: vscode.Uri, caseId: string): vscode.TestItem | undefined {
    return this.fileItem(uri)?.children.get(caseItemId(uri, caseId));
  }

  /**
   * The cases of a file that have changed since this was asked last: their earlier results no longer apply. A file can
   * be empty for a moment while another program writes it, so cases are known from before they were gone.
   */
  changedIn({ uri, cases }: LoadedChecks): vscode.TestItem[] {
    return cases.flatMap(({ check, fingerprint }) => {
      const id = caseItemId(uri, check.id);
      const known = this.#fingerprints.get(id) ?? fingerprint;
      this.#fingerprints.set(id, fingerprint);
      return known === fingerprint ? [] : (this.caseItem(uri, check.id) ?? []);
    });
  }

  /** The case's own models, then others that it was run with. */
  modelsOf(checks: LoadedChecks, loaded: LoadedCase): KeyedModels {
    const own = this.ownModels(checks, loaded);
    const selected = this.#selectedFor(checks, loaded);
    const others = Object.keys(this.#deps.cells(checks, loaded)).filter((key) => !own.has(key));
    // As for nearly every case of a large file.
    if (selected.length === 0 && others.length === 0) return own;
    const found = others.flatMap((key) => modelOfKey(key) ?? []);
    return keyed([...own.values(), ...selected, ...found]);
  }

  #judgesOf(cases: readonly ShownCase[]): readonly ModelRef[] {
    const { index } = this.#deps.models();
    const judges = cases.flatMap(({ loaded }) => loaded.check.expectations.flatMap(({ judge }) => judge ?? []));
    return judges.map((judge) => namedCheckModel(judge, index));
  }

  #selectedFor({ uri }: LoadedChecks, { check }: LoadedCase): readonly CheckModel[] {
    if (this.#selected.size === 0) return [];
    const id = caseItemId(uri, check.id);
    return [...this.#selected].flatMap((each) => each.get(id) ?? []);
  }

  #leaf(caseItem: vscode.TestItem, checks: LoadedChecks, loaded: LoadedCase, model: CheckModel): CheckLeaf {
    const key = modelKey(model);
    const item = this.#modelItem(caseItem, key, model);
    return { checks, loaded, item, model, key, isOwn: this.ownModels(checks, loaded).has(key) };
  }

  /** The models that the file names, or the prompt's own, or the chat's default. */
  ownModels({ file }: LoadedChecks, { options }: LoadedCase): KeyedModels {
    if (file.models.length > 0) {
      const wanted = this.#wanted.get(file) ?? keyed(modelsWanted(file.models, this.#deps.models()));
      this.#wanted.set(file, wanted);
      return wanted;
    }
    const { model } = options;
    const own = model === undefined ? this.#deps.defaultModel() : namedCheckModel(model, this.#deps.models().index);
    return keyed(own === undefined ? [] : [{ id: own }]);
  }

  /** An item of a case that was renamed or deleted can still be asked for. */
  #isShown(item: vscode.TestItem): boolean {
    const { id, parent } = item;
    if (parent === undefined) return this.#controller.items.get(id) === item;
    return parent.children.get(id) === item && this.#isShown(parent);
  }

  #caseItem(parent: vscode.TestItem, checks: LoadedChecks, loaded: LoadedCase): vscode.TestItem {
    const { check, messages } = loaded;
    const id = caseItemId(checks.uri, check.id);
    const item = parent.children.get(id) ?? this.#controller.createTestItem(id, plainLabel(check.name), checks.uri);
    // All of its lines: once one of them is edited, VS Code no longer shows earlier failures there.
    const end = check.from + checks.text.slice(check.from, check.to).trimEnd().length;
    item.range = new vscode.Range(checks.lineOf(check.from), 0, checks.lineOf(Math.max(check.from, end - 1)), 0);
    item.error = 'fault' in messages ? messages.fault : undefined;
    this.#cases.set(item, loaded);
    const rows: vscode.TestItem[] = [];
    for (const [key, model] of this.modelsOf(checks, loaded)) rows.push(this.#modelItem(item, key, model));
    this.#describe(item, rows, this.#deps.cells(checks, loaded));
    replaceChildren(item, rows);
    return item;
  }

  #describe(caseItem: vscode.TestItem, rows: readonly vscode.TestItem[], cells: CaseCells): void {
    let [passed, count] = [0, 0];
    for (const item of rows) {
      const cell = cells[keyOfRow(caseItem, item)];
      describe(item, cell === undefined ? '' : checkCellText(cell));
      if (cell === undefined) continue;
      count += 1;
      if (cellCount(cell.attempts).state === 'passed') passed += 1;
    }
    const shows = count > 0 && rows.length > 1;
    describe(caseItem, shows ? vscode.l10n.t('{0} of {1} models', passed, rows.length) : '');
  }

  /** A new one isn't added to its case yet. */
  #modelItem(caseItem: vscode.TestItem, key: string, model: CheckModel): vscode.TestItem {
    const id = leafId(caseItem.id, key);
    const item = caseItem.children.get(id) ?? this.#controller.createTestItem(id, this.#label(model.id), caseItem.uri);
    item.range = caseItem.range;
    return item;
  }

  /** What an item stands for, if it's the row of a model. */
  #leafOf(item: vscode.TestItem): CheckLeaf | undefined {
    const { parent, uri } = item;
    const loaded = parent && this.#cases.get(parent);
    const checks = uri && this.#files.get(uri.toString());
    if (parent === undefined || loaded === undefined || checks === undefined) return undefined;
    const key = keyOfRow(parent, item);
    const model = this.modelsOf(checks, loaded).get(key);
    const isOwn = this.ownModels(checks, loaded).has(key);
    return model && { checks, loaded, item, model, key, isOwn };
  }

  #label(model: ModelRef): string {
    const label = this.#labels.get(model) ?? plainLabel(modelLabel(model));
    this.#labels.set(model, label);
    return label;
  }
}

/** Whenever a description is set, VS Code sends it to the window, even if it's the same. */
function describe(item: vscode.TestItem, description: string): void {
  if ((item.description ?? '') !== description) item.description = description;
}

function keyed(models: readonly CheckModel[]): KeyedModels {
  return new Map(models.map((model) => [modelKey(model), model]));
}

/** VS Code goes through all rows below replaced ones, even if they're the same. */
function replaceChildren({ children }: vscode.TestItem, items: readonly vscode.TestItem[]): void {
  const isSame = children.size === items.length && Array.from(children).every(([, item], at) => item === items[at]);
  if (!isSame) children.replace([...items]);
}

function caseItemId(uri: vscode.Uri, caseId: string): string {
  return JSON.stringify([uri.toString(), caseId]);
}

/** The item ID of a case with a model, by the model's key. */
export function leafIdsOf(uri: vscode.Uri, caseId: string): (key: string) => string {
  const caseItem = caseItemId(uri, caseId);
  return (key) => leafId(caseItem, key);
}

function leafId(caseItem: string, key: string): string {
  return `${caseItem} ${key}`;
}

/** The key of a row's model. */
function keyOfRow(caseItem: vscode.TestItem, { id }: vscode.TestItem): string {
  return id.slice(caseItem.id.length + 1);
}
