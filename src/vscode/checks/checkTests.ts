import * as vscode from 'vscode';
import type { CheckModel } from '../../core/checks/wantedModels.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import { DisposableList } from '../platform/disposables.ts';
import { lazy } from '../platform/lazy.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import { useTranslations } from '../platform/useTranslations.ts';
import type { CheckResultFiles } from './results/checkResultFiles.ts';
import { CheckTestRuns, type CheckTestRunsDeps } from './checkTestRuns.ts';
import { CheckTree, type CheckTreeDeps } from './checkTree.ts';
import { isChecksFile, loadChecks, type LoadedChecks } from './checksFiles.ts';
import { checksPattern } from './checksNames.ts';
import { deleteOldReplies } from './results/keptReplies.ts';
import { LiveResults } from './results/liveResults.ts';
import { RunningChecks } from './runningChecks.ts';
import { watchChecks } from './watchChecks.ts';

const MOST_FILES = 500;
const PAUSE_MS = 300;

export interface CheckTestsDeps extends Omit<CheckTreeDeps, 'cells'>, CheckTestRunsDeps {
  /** Part of what is sent: results with other values are outdated. */
  readonly chatDefaults: () => ChatOptions;
  readonly experiments: () => Promise<Experiments>;
  readonly results: CheckResultFiles;
  /** Whether the text of replies stays on disk. */
  readonly keepsReplies: () => boolean;
  readonly chooseModels: (chosen: readonly CheckModel[]) => Promise<readonly CheckModel[] | undefined>;
  /** Reads the favorites and the model lists that are stored, so that `models` knows them. */
  readonly loadModels: () => Promise<unknown>;
}

/** Files of checks in the Testing view. Nothing runs automatically. */
export class CheckTests implements vscode.Disposable {
  readonly #own = new DisposableList();
  readonly #deps: CheckTestsDeps;
  readonly #controller: vscode.TestController;
  readonly tree: CheckTree;
  readonly running = new RunningChecks();
  readonly results: LiveResults;
  readonly #runs: CheckTestRuns;
  readonly #read = this.#own.add(new vscode.EventEmitter<vscode.Uri>());
  /** A file was read again, or is gone, or its models might have changed. */
  readonly onDidRead = this.#read.event;
  readonly #changed = this.#own.add(new vscode.EventEmitter<vscode.Uri>());
  /** A file was read again, or has new results or new states, which happens very often during a run. */
  readonly onDidChange = this.#changed.event;
  readonly #moved = this.#own.add(new vscode.EventEmitter<{ readonly from: vscode.Uri; readonly to: vscode.Uri }>());
  readonly onDidRename = this.#moved.event;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #reads = 0;
  /** By file, the last read that was shown. A slow one must not bring back what a later one found gone or changed. */
  readonly #lastRead = new Map<string, number>();
  /** Every file that was shown. */
  readonly #seen = new Map<string, vscode.Uri>();
  readonly #runProfile: vscode.TestRunProfile;
  #chosen: readonly CheckModel[] = [];
  #discovered: Promise<void> | undefined;
  /** Without them, `favorites` and patterns match no models. Loaded once there's a file that could have them. */
  readonly #modelsLoaded = lazy(() => this.#deps.loadModels().catch(this.#deps.onError));

  /** Once in a window is enough. */
  readonly #swept = lazy(() => this.#deps.results.sweep(isGone).catch(this.#deps.onError));

  /** Shown only once, because the Testing view looks for files again with each refresh. */
  readonly #tellOfMore = lazy(async () => {
    const text = vscode.l10n.t(
      'Only {0} check files are shown, and this workspace has more. Exclude some with the setting files.exclude, or open one of its folders.',
      MOST_FILES,
    );
    await plainWindow.showWarningMessage(text);
  });

  constructor(deps: CheckTestsDeps) {
    useTranslations();
    this.#deps = deps;
    const own = this.#own;
    this.#controller = own.add(vscode.tests.createTestController('parlance.checks', vscode.l10n.t('Prompt Checks')));
    this.results = new LiveResults({ ...deps, files: deps.results, fileNow: (uri) => this.tree.file(uri) });
    this.tree = new CheckTree(this.#controller, {
      ...deps,
      cells: (checks, loaded) => this.results.of(checks, loaded),
    });
    this.#runs = new CheckTestRuns(deps, {
      controller: this.#controller,
      tree: this.tree,
      results: this.results,
      running: this.running,
      readAgain: (request) => this.#readAgain(request),
      changed: (uri) => this.#changed.fire(uri),
      deleteOldReplies: (over) => this.#deleteOldReplies(over),
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

  /** Deletes the results of files of checks, and the replies that are part of no other result. */
  async deleteResults(uris: readonly vscode.Uri[]): Promise<void> {
    const { experiments, results } = this.#deps;
    // What isn't saved yet would come back.
    await this.results.saved();
    const own = await Promise.all(uris.map((uri) => results.remove(uri)));
    for (const uri of uris) {
      const item = this.tree.fileItem(uri);
      if (item !== undefined) this.#controller.invalidateTestResults(item);
      await this.refresh(uri);
    }
    await deleteOldReplies(own.flat(), true, { store: (await experiments()).store, results });
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
      this.tree.show(checks);
      const changed = this.tree.changedIn(checks);
      if (changed.length > 0) this.#controller.invalidateTestResults(changed);
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
      renamed: (uri, to) => void this.#renamed(uri, to).catch(onError),
      onError,
    });
    this.#own.add(watch);
  }

  async #renamed(uri: vscode.Uri, to: vscode.Uri): Promise<void> {
    this.#seen.delete(uri.toString());
    this.running.renamed(uri, to);
    this.results.renamed(uri, to);
    // What is being saved under the old name moves too.
    await this.results.saved();
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
    models: readonly CheckModel[],
  ): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    try {
      await this.discovered();
      await this.#runs.run(request, token, models);
    } catch (error) {
      this.#deps.tell(error);
    }
  }
}

async function isGone(uri: string): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(vscode.Uri.parse(uri, true));
    return false;
  } catch (error) {
    // Anything else, for example a file system that isn't available, says nothing about the file.
    return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
  }
}
