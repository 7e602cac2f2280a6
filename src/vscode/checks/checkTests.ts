import * as vscode from 'vscode';
import { type CheckCell, cellCount } from '../../core/checks/checkResult.ts';
import type { CheckModel } from '../../core/checks/wantedModels.ts';
import { Paced } from '../../shared/paced.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import { DisposableList } from '../platform/disposables.ts';
import { lazy } from '../platform/lazy.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { useTranslations } from '../platform/useTranslations.ts';
import { checkCellText, failureMessages, notRunMessage } from './checkMessages.ts';
import type { CheckResultFiles } from './checkResultFiles.ts';
import { CheckRun, type CheckRunDeps } from './checkRun.ts';
import { type CheckLeaf, CheckTree, type CheckTreeDeps, leafIdsOf } from './checkTree.ts';
import { isChecksFile, loadChecks, type LoadedChecks } from './checksFiles.ts';
import { checksPattern } from './checksNames.ts';
import { deleteOldReplies, withoutQuotes } from './keptReplies.ts';
import { mayRunChecks, type RunLimits } from './mayRunChecks.ts';
import { RunningChecks } from './runningChecks.ts';
import { watchChecks } from './watchChecks.ts';

const MOST_FILES = 500;
const PAUSE_MS = 300;

export interface CheckTestsDeps extends Omit<CheckTreeDeps, 'keysWithResults'> {
  /** Part of what is sent: results with other values are outdated. */
  readonly chatDefaults: () => ChatOptions;
  /** Opened when checks are run. */
  readonly run: () => Promise<CheckRunDeps>;
  readonly experiments: () => Promise<Experiments>;
  readonly results: CheckResultFiles;
  /** Whether the text of replies stays on disk. */
  readonly keepsReplies: () => boolean;
  readonly limits: () => RunLimits;
  readonly chooseModels: (chosen: readonly CheckModel[]) => Promise<readonly CheckModel[] | undefined>;
  /** The models to use, if the services of some are known not to chat. Undefined if the user cancels. */
  readonly served: (models: readonly ModelRef[]) => Promise<readonly ModelRef[] | undefined>;
  /** Reads the favorites and the model lists that are stored, so that `models` knows them. */
  readonly loadModels: () => Promise<unknown>;
  /** Fetches the model lists of these services that are missing; of all services if undefined. Never rejects. */
  readonly fetchLists: (services: ReadonlySet<string> | undefined) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
  /** Says why something can't be done. */
  readonly tell: (error: unknown) => void;
}

/** Files of checks in the Testing view. Nothing runs automatically. */
export class CheckTests implements vscode.Disposable {
  readonly #own = new DisposableList();
  readonly #deps: CheckTestsDeps;
  readonly #controller: vscode.TestController;
  readonly tree: CheckTree;
  readonly #read = this.#own.add(new vscode.EventEmitter<vscode.Uri>());
  /** A file was read again, or is gone, or its models might have changed. */
  readonly onDidRead = this.#read.event;
  readonly #changed = this.#own.add(new vscode.EventEmitter<vscode.Uri>());
  /** A file was read again, or has new results or new states: during a run very often. */
  readonly onDidChange = this.#changed.event;
  readonly #moved = this.#own.add(new vscode.EventEmitter<{ readonly from: vscode.Uri; readonly to: vscode.Uri }>());
  readonly onDidRename = this.#moved.event;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #reads = 0;
  /** By file, the last read that was shown. A slow one mustn't bring back what a later one found gone or changed. */
  readonly #lastRead = new Map<string, number>();
  /** Every file that was shown. */
  readonly #seen = new Map<string, vscode.Uri>();
  readonly #runProfile: vscode.TestRunProfile;
  readonly #running = new RunningChecks();
  #chosen: readonly CheckModel[] = [];
  #discovered: Promise<void> | undefined;
  /** Without them, `favorites` and patterns match no models. Loaded once there's a file that could have them. */
  readonly #modelsLoaded = lazy(() => this.#deps.loadModels().catch(this.#deps.onError));

  /** Once in a window is enough. */
  readonly #swept = lazy(() => this.#deps.results.sweep(isGone).catch(this.#deps.onError));

  /** Once: the Testing view looks for files again with each refresh. */
  readonly #tellOfMore = lazy(async () => {
    const text = vscode.l10n.t(
      'Only {0} check files are shown, and this workspace has more. Leave some out with the setting files.exclude, or open one of its folders.',
      MOST_FILES,
    );
    await plainWindow.showWarningMessage(text);
  });

  constructor(deps: CheckTestsDeps) {
    useTranslations();
    this.#deps = deps;
    const own = this.#own;
    this.#controller = own.add(vscode.tests.createTestController('parlance.checks', vscode.l10n.t('Prompt Checks')));
    this.tree = new CheckTree(this.#controller, {
      ...deps,
      keysWithResults: (checks, loaded) => this.#keysWithResults(checks, loaded),
    });
    this.#controller.refreshHandler = () => this.#discoverAgain();
    // Nothing is found before that.
    own.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void this.#discoverAgain().catch(deps.onError)));
    const { Run } = vscode.TestRunProfileKind;
    const run = (request: vscode.TestRunRequest, token: vscode.CancellationToken) => this.#run(request, token, []);
    this.#runProfile = own.add(this.#controller.createRunProfile(vscode.l10n.t('Run Checks'), Run, run, true));
    const selected = own.add(
      this.#controller.createRunProfile(vscode.l10n.t('Run with Selected Models'), Run, async (request, token) => {
        if (this.#chosen.length === 0) await this.#choose();
        if (this.#chosen.length > 0) await this.#run(request, token, this.#chosen);
      }),
    );
    selected.configureHandler = () => void this.#choose().catch(deps.onError);
    this.#watch();
  }

  /** Every file of checks. Searched for once; after that, the watcher reports changes. */
  discovered(): Promise<void> {
    return (this.#discovered ??= this.#discover());
  }

  /** Runs the given items like the Testing view does, or all. */
  async runItems(items: readonly vscode.TestItem[] | undefined, models: readonly CheckModel[] = []): Promise<void> {
    const source = new vscode.CancellationTokenSource();
    try {
      const request = new vscode.TestRunRequest(
        items === undefined ? undefined : [...items],
        undefined,
        this.#runProfile,
      );
      await this.#run(request, source.token, models);
    } finally {
      source.dispose();
    }
  }

  /** The current result of a case with a model; none if the case has changed since. */
  cell({ uri }: LoadedChecks, { check, fingerprint }: CheckLeaf['loaded'], key: string): CheckCell | undefined {
    const unsaved = this.#unsaved.size === 0 ? undefined : this.#unsaved.get(leafIdsOf(uri, check.id)(key));
    const cell = unsaved?.cell ?? this.#deps.results.cell(uri, check.id, key);
    return cell?.fingerprint === fingerprint ? cell : undefined;
  }

  #keysWithResults(checks: LoadedChecks, loaded: CheckLeaf['loaded']): readonly string[] {
    const keys = this.#deps.results.modelKeys(checks.uri, loaded.check.id);
    return keys.filter((key) => this.cell(checks, loaded, key) !== undefined);
  }

  /** How many of a file's cells are running, by their keys; undefined if it isn't running. */
  running(uri: vscode.Uri): ReadonlySet<string> | undefined {
    return this.#running.started(uri);
  }

  stop(uri: vscode.Uri): void {
    this.#running.stop(uri);
  }

  /** Reads a file again, and shows it. */
  async refresh(uri: vscode.Uri): Promise<LoadedChecks | undefined> {
    if (!vscode.workspace.isTrusted) return undefined;
    this.#reads += 1;
    const read = this.#reads;
    try {
      const checks = await loadChecks(uri, this.#deps.chatDefaults(), this.tree.file(uri));
      await this.#modelsLoaded();
      if (this.#own.disposed) return undefined;
      await this.#deps.results.read(uri);
      if (!this.#isNewest(uri, read)) return this.tree.file(uri);
      this.#seen.set(uri.toString(), uri);
      const before = this.tree.file(uri);
      this.tree.show(checks);
      const changed = before === undefined ? [] : this.tree.changedSince(before);
      if (changed.length > 0) this.#controller.invalidateTestResults(changed);
      this.#showCounts(checks);
      this.#read.fire(uri);
      this.#changed.fire(uri);
      return checks;
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError)) this.#deps.onError(error);
      if (!this.#isNewest(uri, read)) return this.tree.file(uri);
      this.tree.remove(uri);
      this.#read.fire(uri);
      this.#changed.fire(uri);
      return undefined;
    }
  }

  /** Reads all files again, because what is sent has changed. */
  chatDefaultsChanged(): void {
    for (const { uri } of this.tree.files) this.#refreshLater(uri);
  }

  /** Shows all files again, because the available models or the favorites changed. */
  modelsChanged(): void {
    this.tree.modelsChanged();
    for (const checks of this.tree.files) {
      this.#showCounts(checks);
      this.#read.fire(checks.uri);
      this.#changed.fire(checks.uri);
    }
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#own.dispose();
  }

  #discoverAgain(): Promise<void> {
    return (this.#discovered = this.#discover());
  }

  async #discover(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    // Files that are shown during the search might be newer than its result.
    const before = this.tree.files;
    const all = await vscode.workspace.findFiles(checksPattern, '**/node_modules/**', MOST_FILES + 1);
    const found = all.slice(0, MOST_FILES);
    if (all.length > found.length) void this.#tellOfMore();
    for (const { uri } of before) if (!found.some((each) => each.toString() === uri.toString())) this.tree.remove(uri);
    await Promise.all(found.map((uri) => this.refresh(uri)));
  }

  #watch(): void {
    const { onError } = this.#deps;
    const watch = watchChecks({
      files: () => this.tree.files,
      seen: () => [...this.#seen.values()],
      changed: (uri) => this.#refreshLater(uri),
      deleted: (uri) => void this.#deleted(uri).catch(onError),
      renamed: (uri, to) => void this.#renamed(uri, to).catch(onError),
    });
    this.#own.add(watch);
  }

  async #deleted(uri: vscode.Uri): Promise<void> {
    const { results } = this.#deps;
    const own = new Set(results.experimentsOf(uri));
    await results.remove(uri);
    if (own.size > 0) await this.#deleteOldReplies([...own]);
  }

  async #renamed(uri: vscode.Uri, to: vscode.Uri): Promise<void> {
    this.#seen.delete(uri.toString());
    await this.#deps.results.move(uri, to);
    if (!isChecksFile(to)) return;
    await this.refresh(to);
    this.#moved.fire({ from: uri, to });
  }

  /** @param own experiments that have ended, whose results are written */
  async #deleteOldReplies(own: readonly string[]): Promise<void> {
    const { experiments, keepsReplies, results } = this.#deps;
    await this.#swept();
    await deleteOldReplies(own, keepsReplies(), { store: (await experiments()).store, results });
  }

  #isNewest(uri: vscode.Uri, read: number): boolean {
    const key = uri.toString();
    if ((this.#lastRead.get(key) ?? 0) > read) return false;
    this.#lastRead.set(key, read);
    return true;
  }

  #refreshLater(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.#timers.get(key));
    const refresh = () => {
      this.#timers.delete(key);
      void this.refresh(uri);
    };
    this.#timers.set(key, setTimeout(refresh, PAUSE_MS));
  }

  async #readAgain({ include }: vscode.TestRunRequest): Promise<void> {
    const asked = include?.map(({ uri }) => uri) ?? this.tree.files.map(({ uri }) => uri);
    const uris = new Map(asked.flatMap((uri) => (uri === undefined ? [] : [[uri.toString(), uri]])));
    await Promise.all([...uris.values()].map((uri) => this.refresh(uri)));
  }

  async #choose(): Promise<void> {
    const chosen = await this.#deps.chooseModels(this.#chosen);
    if (chosen !== undefined) this.#chosen = chosen;
  }

  async #run(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    wanted: readonly CheckModel[],
  ): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    let models = wanted;
    try {
      await this.discovered();
      const runDeps = await this.#deps.run();
      // A file that was saved a moment ago hasn't been reported yet.
      await this.#readAgain(request);
      await this.#deps.fetchLists(this.tree.servicesOf(request, models));
      const asked = this.tree.asked(request);
      const planned = models.length === 0 ? asked.leaves : this.tree.withModels(asked, models);
      const before = [...new Map(planned.map(({ model }) => [model.id, model])).values()];
      const served = await this.#deps.served(before.map(({ id }) => id));
      if (served === undefined) return;
      const isServed = before.every(({ id }) => served.includes(id));
      if (!isServed) models = served.map((id) => before.find((model) => model.id === id) ?? { id });
      const leaves = isServed ? planned : this.tree.withModels(asked, models);
      const runs: { run?: vscode.TestRun } = {};
      const started = new Set<string>();
      const checkRun = new CheckRun(runDeps, {
        started: (leaf) => {
          runs.run?.started(leaf.item);
          started.add(leaf.item.id);
          this.#changed.fire(leaf.checks.uri);
        },
        skipped: ({ item }) => {
          started.delete(item.id);
          runs.run?.skipped(item);
        },
        ended: (leaf, cell, replies) => {
          started.delete(leaf.item.id);
          this.#ended(runs.run, leaf, cell, replies);
        },
      });
      const runnable = leaves.filter(({ loaded }) => !('fault' in loaded.messages));
      const plans = checkRun.plan(runnable);
      if (
        runnable.length > 0 &&
        !(await mayRunChecks(runnable, plans, runDeps.experiments.forecast, this.#deps.limits()))
      )
        return;
      const run = this.#controller.createTestRun(request);
      runs.run = run;
      const abort = new AbortController();
      // The view's own Stop, and the run's.
      const stops = [token, run.token].map((each) => each.onCancellationRequested(() => abort.abort()));
      if (token.isCancellationRequested) abort.abort();
      const uris = new Set(leaves.map(({ checks: { uri } }) => uri.toString()));
      const running = { uris, started, abort: () => abort.abort() };
      this.#running.begin(running);
      for (const { item, loaded } of leaves) {
        if ('fault' in loaded.messages) run.skipped(item);
        else run.enqueued(item);
      }
      for (const each of this.tree.notRun(asked, models.length > 0)) run.errored(each.item, notRunMessage(each));
      try {
        await checkRun.run(plans, runnable, abort.signal);
      } finally {
        this.#running.end(running);
        await this.#saving.now();
        await this.#deleteOldReplies(checkRun.experiments).catch(this.#deps.onError);
        for (const stop of stops) stop.dispose();
        run.end();
        if (models.length > 0) this.tree.selectedEnded(leaves);
        for (const checks of this.tree.files.filter(({ uri }) => uris.has(uri.toString()))) {
          this.#showCounts(checks);
          this.#changed.fire(checks.uri);
        }
      }
    } catch (error) {
      this.#deps.tell(error);
    }
  }

  readonly #unsaved = new Map<string, { readonly leaf: CheckLeaf; readonly cell: CheckCell }>();
  /** The file of results is written as a whole: during a long run that's not done after each result. */
  readonly #saving = new Paced(
    () => this.#save().catch((error: unknown) => this.#deps.onError(error)),
    { leastMs: PAUSE_MS, share: 0.01 },
    globalThis,
  );

  #ended(
    run: vscode.TestRun | undefined,
    leaf: CheckLeaf,
    cell: CheckCell,
    replies: ReadonlyMap<string, string>,
  ): void {
    const { item, checks } = leaf;
    const { state } = cellCount(cell.attempts);
    const times = cell.attempts.flatMap(({ totalMs }) => totalMs ?? []);
    const duration = times.length === 0 ? undefined : times.reduce((sum, ms) => sum + ms, 0);
    item.description = checkCellText(cell);
    if (state === 'passed') run?.passed(item, duration);
    else if (state === 'undecided') run?.errored(item, failureMessages(leaf, cell, replies), duration);
    else run?.failed(item, failureMessages(leaf, cell, replies), duration);
    this.#unsaved.set(item.id, { leaf, cell });
    this.#changed.fire(checks.uri);
    this.#saving.soon();
  }

  async #save(): Promise<void> {
    const all = [...this.#unsaved.values()];
    for (const [, ofFile] of Map.groupBy(all, ({ leaf }) => leaf.checks.uri.toString())) {
      const [first] = ofFile;
      if (first === undefined) continue;
      const { uri, cases } = first.leaf.checks;
      const now = this.tree.file(uri);
      // The file might have changed since. While it has errors, nobody knows which cases it will have.
      const isComplete = now !== undefined && !now.file.remarks.some(({ severity }) => severity === 'error');
      const ids = new Set([...cases, ...(now?.cases ?? [])].map(({ check }) => check.id));
      const cells = ofFile.map(({ leaf, cell }) => ({
        caseId: leaf.loaded.check.id,
        modelKey: leaf.key,
        cell: this.#deps.keepsReplies() ? cell : withoutQuotes(cell),
      }));
      await this.#deps.results.write(uri, cells, (id) => !isComplete || ids.has(id));
      for (const saved of ofFile) {
        const { id } = saved.leaf.item;
        if (this.#unsaved.get(id) === saved) this.#unsaved.delete(id);
      }
    }
  }

  /** `2 of 4 models` on each case, and `3/3` on each model. */
  #showCounts(checks: LoadedChecks): void {
    for (const loaded of checks.cases) {
      const caseItem = this.tree.caseItem(checks.uri, loaded.check.id);
      if (caseItem === undefined) continue;
      const rows = this.tree.rows(caseItem);
      const cells = rows.map(({ key, item }) => {
        const cell = this.cell(checks, loaded, key);
        describe(item, cell === undefined ? '' : checkCellText(cell));
        return cell;
      });
      const passed = cells.filter((cell) => cell !== undefined && cellCount(cell.attempts).state === 'passed').length;
      const hasResults = cells.some((cell) => cell !== undefined);
      const shows = hasResults && rows.length > 1;
      describe(caseItem, shows ? vscode.l10n.t('{0} of {1} models', passed, rows.length) : '');
    }
  }
}

async function isGone(uri: string): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(vscode.Uri.parse(uri, true));
    return false;
  } catch (error) {
    // Anything else, for example a file system that isn't there, says nothing about the file.
    return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
  }
}

/** VS Code sends each description to the window that's set, even if it's the same. */
function describe(item: vscode.TestItem, description: string): void {
  if ((item.description ?? '') !== description) item.description = description;
}
