import * as vscode from 'vscode';
import { type CheckCell, cellCount } from '../../core/checks/checkResult.ts';
import type { CheckModel } from '../../core/checks/wantedModels.ts';
import { modelKey } from '../../core/experiments/experiment.ts';
import { Paced } from '../../shared/paced.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import { DisposableList } from '../platform/disposables.ts';
import { useTranslations } from '../platform/useTranslations.ts';
import { checkCellText, failureMessages } from './checkMessages.ts';
import type { CheckResultFiles } from './checkResultFiles.ts';
import { CheckRun, type CheckRunDeps } from './checkRun.ts';
import { type CheckLeaf, CheckTree, type CheckTreeDeps, leafIdOf } from './checkTree.ts';
import { isChecksFile, loadChecks, type LoadedChecks } from './checksFiles.ts';
import { checksPattern } from './checksPaths.ts';
import { deleteOldReplies, withoutQuotes } from './keptReplies.ts';
import { mayRunChecks, type RunLimits } from './mayRunChecks.ts';

const MOST_FILES = 200;
const PAUSE_MS = 300;

export interface CheckTestsDeps extends CheckTreeDeps {
  /** Opened when checks are run. */
  readonly run: () => Promise<CheckRunDeps>;
  readonly experiments: () => Promise<Experiments>;
  readonly results: CheckResultFiles;
  /** Whether what replies say stays on disk. */
  readonly keepsReplies: () => boolean;
  readonly limits: () => RunLimits;
  readonly chooseModels: () => Promise<readonly CheckModel[] | undefined>;
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
  /** A file was read again, or is gone. */
  readonly onDidRead = this.#read.event;
  readonly #changed = this.#own.add(new vscode.EventEmitter<vscode.Uri>());
  /** A file was read again, or has new results or new states: during a run very often. */
  readonly onDidChange = this.#changed.event;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #runProfile: vscode.TestRunProfile;
  readonly #running = new Map<string, { readonly started: Set<string>; readonly abort: () => void }>();
  #chosen: readonly CheckModel[] = [];
  #discovered: Promise<void> | undefined;

  constructor(deps: CheckTestsDeps) {
    useTranslations();
    this.#deps = deps;
    const own = this.#own;
    this.#controller = own.add(vscode.tests.createTestController('parlance.checks', vscode.l10n.t('Prompt Checks')));
    this.tree = new CheckTree(this.#controller, deps);
    this.#controller.refreshHandler = async () => {
      this.#discovered = this.#discover();
      await this.#discovered;
    };
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
    const unsaved = this.#unsaved.size === 0 ? undefined : this.#unsaved.get(leafIdOf(uri, check.id, key));
    const cell = unsaved?.cell ?? this.#deps.results.cell(uri, check.id, key);
    return cell?.fingerprint === fingerprint ? cell : undefined;
  }

  /** How many of a file's cells are running, by their keys; undefined if it isn't running. */
  running(uri: vscode.Uri): ReadonlySet<string> | undefined {
    return this.#running.get(uri.toString())?.started;
  }

  stop(uri: vscode.Uri): void {
    this.#running.get(uri.toString())?.abort();
  }

  /** Reads a file again, and shows it. */
  async refresh(uri: vscode.Uri): Promise<LoadedChecks | undefined> {
    if (!vscode.workspace.isTrusted) return undefined;
    try {
      const checks = await loadChecks(uri);
      if (this.#own.disposed) return undefined;
      await this.#deps.results.read(uri);
      this.tree.show(checks);
      this.#showCounts(checks);
      this.#read.fire(uri);
      this.#changed.fire(uri);
      return checks;
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError)) this.#deps.onError(error);
      this.tree.remove(uri);
      this.#read.fire(uri);
      this.#changed.fire(uri);
      return undefined;
    }
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#own.dispose();
  }

  async #discover(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    const found = await vscode.workspace.findFiles(checksPattern, '**/node_modules/**', MOST_FILES);
    for (const { uri } of this.tree.files)
      if (!found.some((each) => each.toString() === uri.toString())) this.tree.remove(uri);
    await Promise.all(found.map((uri) => this.refresh(uri)));
  }

  #watch(): void {
    const watcher = this.#own.add(vscode.workspace.createFileSystemWatcher(checksPattern));
    const prompts = this.#own.add(vscode.workspace.createFileSystemWatcher('**/*.prompt.md'));
    const later = (uri: vscode.Uri) => this.#refreshLater(uri);
    this.#own.add(watcher.onDidCreate(later));
    this.#own.add(watcher.onDidChange(later));
    this.#own.add(watcher.onDidDelete(later));
    const ofPrompt = (uri: vscode.Uri) => {
      for (const { uri: file, promptUri } of this.tree.files) if (promptUri?.path === uri.path) later(file);
    };
    this.#own.add(prompts.onDidChange(ofPrompt));
    this.#own.add(prompts.onDidCreate(ofPrompt));
    // By a user, in VS Code: a file that disappears in a switch of branches returns.
    this.#own.add(
      vscode.workspace.onDidDeleteFiles(({ files }) => {
        for (const uri of files) this.#deleted(uri).catch(this.#deps.onError);
      }),
    );
    this.#own.add(
      vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => {
        if (isChecksFile(uri)) later(uri);
        else ofPrompt(uri);
      }),
    );
  }

  /** @param uri of a file, or of a folder with everything in it */
  async #deleted(uri: vscode.Uri): Promise<void> {
    const files = this.tree.files.filter((file) => `${file.uri.path}/`.startsWith(`${uri.path}/`));
    const own = new Set(files.flatMap((file) => this.#deps.results.experimentsOf(file.uri)));
    for (const file of files) await this.#deps.results.remove(file.uri);
    if (own.size > 0) await this.#deleteOldReplies([...own]);
  }

  /** @param own experiments that are over, whose results are written */
  async #deleteOldReplies(own: readonly string[]): Promise<void> {
    const { experiments, keepsReplies, results } = this.#deps;
    await deleteOldReplies(own, keepsReplies(), { store: (await experiments()).store, results });
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

  async #choose(): Promise<void> {
    const chosen = await this.#deps.chooseModels();
    if (chosen !== undefined) this.#chosen = chosen;
  }

  async #run(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    models: readonly CheckModel[],
  ): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    try {
      await this.discovered();
      const runDeps = await this.#deps.run();
      const asked = this.tree.leaves(request);
      const leaves = models.length === 0 ? asked : this.tree.withModels(asked, models);
      const runs: { run?: vscode.TestRun } = {};
      const checkRun = new CheckRun(runDeps, {
        started: (leaf) => this.#started(runs.run, leaf),
        ended: (leaf, cell, replies) => this.#ended(runs.run, leaf, cell, replies),
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
      const uris = [...new Set(leaves.map(({ checks: { uri } }) => uri.toString()))];
      for (const uri of uris) this.#running.set(uri, { started: new Set(), abort: () => abort.abort() });
      for (const { item, loaded } of leaves) {
        if ('fault' in loaded.messages) run.skipped(item);
        else run.enqueued(item);
      }
      try {
        await checkRun.run(plans, runnable, abort.signal);
      } finally {
        for (const uri of uris) this.#running.delete(uri);
        await this.#saving.now();
        await this.#deleteOldReplies(checkRun.experiments).catch(this.#deps.onError);
        for (const stop of stops) stop.dispose();
        run.end();
        for (const checks of this.tree.files.filter(({ uri }) => uris.includes(uri.toString()))) {
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

  #started(run: vscode.TestRun | undefined, { item, checks }: CheckLeaf): void {
    run?.started(item);
    this.#running.get(checks.uri.toString())?.started.add(item.id);
    this.#changed.fire(checks.uri);
  }

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
    const wasSent = cell.attempts.some(({ attempt }) => attempt !== '');
    this.#running.get(checks.uri.toString())?.started.delete(item.id);
    if (!wasSent && cell.attempts.every(({ faults: [fault] }) => fault?.reason === vscode.l10n.t('Stopped'))) {
      run?.skipped(item);
      return;
    }
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
      const ids = new Set(cases.map(({ check }) => check.id));
      const cells = ofFile.map(({ leaf, cell }) => ({
        caseId: leaf.loaded.check.id,
        modelKey: modelKey(leaf.model),
        cell: this.#deps.keepsReplies() ? cell : withoutQuotes(cell),
      }));
      await this.#deps.results.write(uri, cells, (id) => ids.has(id));
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
      const models = this.tree.leaves({ include: [caseItem], exclude: undefined });
      const cells = models.map(({ model, item }) => {
        const cell = this.cell(checks, loaded, modelKey(model));
        describe(item, cell === undefined ? '' : checkCellText(cell));
        return cell;
      });
      const passed = cells.filter((cell) => cell !== undefined && cellCount(cell.attempts).state === 'passed').length;
      const hasResults = cells.some((cell) => cell !== undefined);
      const shows = hasResults && models.length > 1;
      describe(caseItem, shows ? vscode.l10n.t('{0} of {1} models', passed, models.length) : '');
    }
  }
}

/** VS Code sends each description to the window that's set, even if it's the same. */
function describe(item: vscode.TestItem, description: string): void {
  if ((item.description ?? '') !== description) item.description = description;
}
