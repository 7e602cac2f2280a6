import type * as vscode from 'vscode';
import { type CheckCell, cellCount } from '../../core/checks/checkResult.ts';
import type { CheckModel } from '../../core/checks/wantedModels.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { failureMessages, notRunMessage } from './checkMessages.ts';
import { CheckRun, type CheckRunDeps } from './checkRun.ts';
import type { AskedChecks, CheckLeaf, CheckTree } from './checkTree.ts';
import type { LoadedChecks } from './checksFiles.ts';
import { checkCellText } from './results/checkCellText.ts';
import type { LiveResults } from './results/liveResults.ts';
import { mayRunChecks, type RunLimits } from './mayRunChecks.ts';
import { type RunningCheck, RunningChecks } from './runningChecks.ts';

/** What a run of the Testing view needs from Parlance. */
export interface CheckTestRunsDeps {
  /** Opened when checks are run. */
  readonly run: () => Promise<CheckRunDeps>;
  readonly limits: () => RunLimits;
  /** The models to use, if the services of some are known not to support chat. Undefined if the user cancels. */
  readonly served: (models: readonly ModelRef[]) => Promise<readonly ModelRef[] | undefined>;
  /** Fetches the model lists of these services that are missing; of all services if undefined. Never rejects. */
  readonly fetchLists: (services: ReadonlySet<string> | undefined) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
  /** Says why something can't be done. */
  readonly tell: (error: unknown) => void;
}

/** What a run needs from the Testing view. */
interface View {
  readonly controller: vscode.TestController;
  readonly tree: CheckTree;
  readonly results: LiveResults;
  /** Reads again what a request is about. */
  readonly readAgain: (request: vscode.TestRunRequest) => Promise<void>;
  /** There are new results or new states. */
  readonly changed: (uri: vscode.Uri) => void;
  /** @param own experiments that are over, whose results are written */
  readonly deleteOldReplies: (own: readonly string[]) => Promise<void>;
}

/** Runs checks, and reports their progress and results in the Testing view. */
export class CheckTestRuns {
  readonly #deps: CheckTestRunsDeps;
  readonly #view: View;
  readonly #running = new RunningChecks();

  constructor(deps: CheckTestRunsDeps, view: View) {
    this.#deps = deps;
    this.#view = view;
  }

  /** The items of a file that are running; undefined if no run is about it. */
  started(uri: vscode.Uri): ReadonlySet<string> | undefined {
    return this.#running.started(uri);
  }

  stop(uri: vscode.Uri): void {
    this.#running.stop(uri);
  }

  /** @param wanted models instead of those of the files, unless it's empty */
  async run(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    wanted: readonly CheckModel[],
  ): Promise<void> {
    try {
      const { tree } = this.#view;
      const runDeps = await this.#deps.run();
      // A file that was saved a moment ago hasn't been reported yet.
      await this.#view.readAgain(request);
      await this.#deps.fetchLists(tree.servicesOf(request, wanted));
      const asked = tree.asked(request);
      const found = await this.#leaves(asked, wanted);
      if (found === undefined) return;
      const { leaves, isSelected } = found;
      const runnable = leaves.filter(({ loaded }) => !('fault' in loaded.messages));
      const runs: { run?: vscode.TestRun } = {};
      const started = new Set<string>();
      const checkRun = new CheckRun(runDeps, {
        started: (leaf) => {
          runs.run?.started(leaf.item);
          started.add(leaf.item.id);
          this.#view.changed(leaf.checks.uri);
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
      const plans = checkRun.plan(runnable);
      const { forecast } = runDeps.experiments;
      if (runnable.length > 0 && !(await mayRunChecks(runnable, plans, forecast, this.#deps.limits()))) return;
      const run = this.#view.controller.createTestRun(request);
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
      for (const each of tree.notRun(asked, isSelected)) run.errored(each.item, notRunMessage(each));
      try {
        await checkRun.run(plans, runnable, abort.signal);
      } finally {
        await this.#over(running, checkRun.experiments);
        for (const stop of stops) stop.dispose();
        run.end();
        if (isSelected) tree.selectedEnded(leaves);
        for (const checks of tree.files.filter(({ uri }) => uris.has(uri.toString()))) this.#show(checks);
      }
    } catch (error) {
      this.#deps.tell(error);
    }
  }

  /**
   * What is sent. @returns undefined if the user cancels
   * @param wanted models instead of those of the files, unless it's empty
   */
  async #leaves(
    asked: AskedChecks,
    wanted: readonly CheckModel[],
  ): Promise<{ readonly leaves: readonly CheckLeaf[]; readonly isSelected: boolean } | undefined> {
    const { tree } = this.#view;
    const isSelected = wanted.length > 0;
    const planned = isSelected ? tree.withModels(asked, wanted) : asked.leaves;
    const before = [...new Map(planned.map(({ model }) => [model.id, model])).values()];
    const served = await this.#deps.served(before.map(({ id }) => id));
    if (served === undefined) return undefined;
    if (before.every(({ id }) => served.includes(id))) return { leaves: planned, isSelected };
    const models = served.map((id) => before.find((model) => model.id === id) ?? { id });
    return { leaves: tree.withModels(asked, models), isSelected: models.length > 0 };
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
    item.description = checkCellText(cell);
    if (state === 'passed') run?.passed(item, duration);
    else if (state === 'undecided') run?.errored(item, failureMessages(leaf, cell, replies), duration);
    else run?.failed(item, failureMessages(leaf, cell, replies), duration);
    this.#view.results.add(leaf, cell);
    this.#view.changed(checks.uri);
  }

  async #over(running: RunningCheck, experiments: readonly string[]): Promise<void> {
    this.#running.end(running);
    await this.#view.results.saved();
    await this.#view.deleteOldReplies(experiments).catch(this.#deps.onError);
  }

  #show(checks: LoadedChecks): void {
    this.#view.tree.showResults(checks);
    this.#view.changed(checks.uri);
  }
}
