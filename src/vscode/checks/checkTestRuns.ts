import type * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import { type CheckCell, cellCount } from '../../core/checks/checkResult.ts';
import type { CheckModel } from '../../core/checks/wantedModels.ts';
import { modelKey } from '../../core/experiments/experiment.ts';
import { StartingRuns } from '../../core/requests/startingRuns.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { busyText } from '../../words/moment.ts';
import { failureMessages, notRunMessage } from './checkMessages.ts';
import { CheckRun, type CheckRunDeps } from './checkRun.ts';
import type { AskedChecks, CheckLeaf, CheckTree } from './checkTree.ts';
import type { LoadedChecks } from './checksFiles.ts';
import { checkCellText } from './results/checkCellText.ts';
import type { LiveResults } from './results/liveResults.ts';
import { mayRunChecks, type RunLimits } from './mayRunChecks.ts';
import { RunningCheck, type RunningChecks } from './runningChecks.ts';

/** What a run of the Testing view needs from Parlance. */
export interface CheckTestRunsDeps {
  /** Opened when checks are run. */
  readonly run: () => Promise<CheckRunDeps>;
  /** Rejects if the service of this model can't be asked; without one, the default model's. */
  readonly checkSetup: (model: ModelRef | undefined) => Promise<void>;
  readonly limits: () => RunLimits;
  /** The model to use for each, if the services of some are known not to support chat. Undefined if the user cancels. */
  readonly served: (models: readonly ModelRef[]) => Promise<ReadonlyMap<ModelRef, ModelRef> | undefined>;
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
  readonly running: RunningChecks;
  /** Reads again what a request is about. */
  readonly readAgain: (request: vscode.TestRunRequest) => Promise<void>;
  /** There are new results or new states. */
  readonly changed: (uri: vscode.Uri) => void;
  /** @param own experiments that are over, whose results are written */
  readonly deleteOldReplies: (own: readonly string[]) => Promise<void>;
}

/** Why a check isn't sent: the service of this model can't be asked. */
interface Obstacle {
  readonly failure: ApiFailure;
  readonly model: ModelRef;
}

/** Runs checks, and reports their progress and results in the Testing view. */
export class CheckTestRuns {
  readonly #deps: CheckTestRunsDeps;
  readonly #view: View;
  readonly #starting = new StartingRuns();

  constructor(deps: CheckTestRunsDeps, view: View) {
    this.#deps = deps;
    this.#view = view;
  }

  /** @param wanted models instead of those of the files, unless it's empty */
  run(request: vscode.TestRunRequest, token: vscode.CancellationToken, wanted: readonly CheckModel[]): Promise<void> {
    const ids = [request.include, request.exclude].map((items) => items?.map(({ id }) => id) ?? null);
    const key = JSON.stringify([...ids, wanted.map(modelKey)]);
    return this.#starting.start(key, (shows) => this.#run(request, token, wanted, shows));
  }

  async #run(
    request: vscode.TestRunRequest,
    token: vscode.CancellationToken,
    wanted: readonly CheckModel[],
    shows: () => void,
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
      const { leaves: planned, isSelected } = found;
      const runs: { run?: vscode.TestRun } = {};
      const running = new RunningCheck(planned.map(({ checks }) => checks.uri));
      const checkRun = new CheckRun(runDeps, {
        started: (leaf) => {
          runs.run?.started(leaf.item);
          running.started.add(leaf);
          this.#view.changed(running.uriOf(leaf));
        },
        waits: (leaf, until) => {
          if (until === undefined && !running.waits.delete(leaf)) return;
          if (until !== undefined) running.waits.set(leaf, until);
          leaf.item.description = until === undefined ? '' : busyText(until);
          this.#view.changed(running.uriOf(leaf));
        },
        skipped: (leaf) => {
          running.ended(leaf);
          runs.run?.skipped(leaf.item);
        },
        ended: (leaf, cell, replies) => {
          running.ended(leaf);
          this.#ended(runs.run, leaf, cell, { replies, uri: running.uriOf(leaf) });
        },
      });
      const wanting = planned.filter(isRunnable);
      const lacksModels = asked.withoutModel.some(({ loaded }) => !('fault' in loaded.messages));
      // Anything missing is reported before anything is sent.
      if (wanting.length === 0 && lacksModels) await this.#deps.checkSetup(undefined);
      const obstacles = await this.#obstacles(wanting);
      const sending = wanting.filter((leaf) => obstacles(leaf) === undefined);
      const plans = checkRun.plan(sending);
      const { forecast } = runDeps.experiments;
      if (sending.length > 0 && !(await mayRunChecks(sending, plans, forecast, this.#deps.limits()))) return;
      // Not before the user agreed: what isn't run isn't shown.
      const { leaves, ended } = tree.began(planned);
      const run = this.#view.controller.createTestRun(request);
      runs.run = run;
      const { abort } = running;
      // The view's own Stop, and the run's.
      const stops = [token, run.token].map((each) => each.onCancellationRequested(() => abort.abort()));
      if (token.isCancellationRequested) abort.abort();
      this.#view.running.begin(running);
      for (const { uri } of tree.files) if (running.isAbout(uri)) this.#view.changed(uri);
      shows();
      const ready: CheckLeaf[] = [];
      for (const leaf of leaves) {
        const obstacle = obstacles(leaf);
        if (!isRunnable(leaf)) run.skipped(leaf.item);
        else if (obstacle !== undefined) checkRun.leaveOut(leaf, obstacle.failure, obstacle.model);
        else {
          run.enqueued(leaf.item);
          ready.push(leaf);
        }
      }
      for (const each of tree.notRun(asked, isSelected)) run.errored(each.item, notRunMessage(each));
      try {
        await checkRun.run(plans, ready, abort.signal);
      } finally {
        await this.#over(running, checkRun.experiments);
        for (const stop of stops) stop.dispose();
        run.end();
        ended();
        for (const checks of tree.files.filter(({ uri }) => running.isAbout(uri))) this.#show(checks);
      }
    } catch (error) {
      this.#deps.tell(error);
    }
  }

  /**
   * What is sent.
   * @returns undefined if the user cancels
   * @param wanted models instead of those of the files, unless it's empty
   */
  async #leaves(
    asked: AskedChecks,
    wanted: readonly CheckModel[],
  ): Promise<{ readonly leaves: readonly CheckLeaf[]; readonly isSelected: boolean } | undefined> {
    const { tree } = this.#view;
    const isSelected = wanted.length > 0;
    const leaves = isSelected ? tree.withModels(asked, wanted) : asked.leaves;
    const served = await this.#deps.served([...new Set(leaves.map(({ model }) => model.id))]);
    return served && { leaves: tree.withReplaced(leaves, served), isSelected };
  }

  /**
   * Why a leaf's model or one of its judges can't be asked, which is reported once for each service.
   * @throws the reason if nothing could be sent
   */
  async #obstacles(leaves: readonly CheckLeaf[]): Promise<(leaf: CheckLeaf) => Obstacle | undefined> {
    const { tree } = this.#view;
    const errors = new Map<string, ApiError>();
    for (const [service, [model]] of Map.groupBy(tree.modelsSentTo(leaves), (id) => refParts(id).service)) {
      try {
        await this.#deps.checkSetup(model);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        errors.set(service, error);
      }
    }
    const [first] = errors.values();
    if (first === undefined) return () => undefined;
    const obstacleTo = (leaf: CheckLeaf): Obstacle | undefined => {
      for (const model of tree.modelsSentTo([leaf])) {
        const failure = errors.get(refParts(model).service)?.failure;
        if (failure !== undefined) return { failure, model };
      }
      return undefined;
    };
    if (leaves.every((leaf) => obstacleTo(leaf) !== undefined)) throw first;
    for (const error of errors.values()) this.#deps.tell(error);
    return obstacleTo;
  }

  #ended(
    run: vscode.TestRun | undefined,
    leaf: CheckLeaf,
    cell: CheckCell,
    { replies, uri }: { readonly replies: ReadonlyMap<string, string>; readonly uri: vscode.Uri },
  ): void {
    const { item } = leaf;
    const { state } = cellCount(cell.attempts);
    const times = cell.attempts.flatMap(({ totalMs }) => totalMs ?? []);
    const duration = times.length === 0 ? undefined : times.reduce((sum, ms) => sum + ms, 0);
    if (state === 'passed') run?.passed(item, duration);
    else if (state === 'undecided') run?.errored(item, failureMessages(leaf, cell, replies), duration);
    else run?.failed(item, failureMessages(leaf, cell, replies), duration);
    if (this.#view.results.add(leaf, cell, uri)) item.description = checkCellText(cell);
    this.#view.changed(uri);
  }

  async #over(running: RunningCheck, experiments: readonly string[]): Promise<void> {
    this.#view.running.end(running);
    await this.#view.results.saved();
    await this.#view.deleteOldReplies(experiments).catch(this.#deps.onError);
  }

  #show(checks: LoadedChecks): void {
    this.#view.tree.showResults(checks);
    this.#view.changed(checks.uri);
  }
}

function isRunnable({ loaded }: CheckLeaf): boolean {
  return !('fault' in loaded.messages);
}
