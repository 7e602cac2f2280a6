import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import type { MeasuredRun } from '../../core/measuring/measuredComparison.ts';
import { quickPreset } from '../../core/measuring/measureDefaults.ts';
import type { TakenPrompt } from '../../core/measuring/plannedMeasurement.ts';
import { experimentFaults } from '../../core/experiments/experimentForecast.ts';
import { problemOfComparison } from '../../core/problems/compareProblems.ts';
import { cardProblem } from '../../core/problems/mediaProblems.ts';
import type { ToMeasureHost, ToMeasurePage } from '../../shared/protocol/measureProtocol.ts';
import type { MeasureForm, ModelChoice, TakenWorkload } from '../../shared/measuring.ts';
import { handleMessage, type Handlers, type Unnumbered } from '../../shared/protocol/pageMessage.ts';
import type { Problem, ProblemActionKind } from '../../shared/problem.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import { DisposableList } from '../platform/disposables.ts';
import { type PageLog, PagePort, type PageWebview } from '../platform/pages/pagePort.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import type { Explainer } from '../problems/explainer.ts';
import { MeasureDraft, type MeasureDraftDeps } from './measureDraft.ts';
import { measureMessageSchema } from './measureMessage.ts';
import { MeasureRecords } from './measureRecords.ts';
import { MeasureRun, type MeasureRunDeps } from './measureRun.ts';
import type { PickedPrompt } from './takenPrompt.ts';

export interface MeasurePageDeps extends MeasureDraftDeps {
  readonly experiments: () => Promise<Experiments>;
  readonly explainer: Explainer;
  readonly pickModel: () => Promise<string | undefined>;
  readonly pickPrompt: (from: TakenWorkload) => Promise<PickedPrompt>;
  /** Settles once the last known model list is loaded. */
  readonly loadModels: () => Promise<unknown>;
  /** Settles when a request could be sent, or throws the reason why not. */
  readonly checkSetup: (model: ModelRef) => Promise<unknown>;
  readonly openRequest: (experiment: string, attempt: string) => Promise<void>;
  readonly save: (message: Extract<ToMeasureHost, { type: 'saveSvg' | 'savePng' }>) => Promise<void>;
  readonly exportRun: (run: MeasuredRun, message: Extract<ToMeasureHost, { type: 'exportRun' }>) => Promise<void>;
  readonly runAction: (action: ProblemActionKind, service: string | undefined) => Promise<void>;
  readonly onUnexpected: (error: unknown) => void;
  readonly pageLog: PageLog;
}

/** The host's side of the page that measures models. */
export class MeasurePageHost implements vscode.Disposable {
  readonly #deps: MeasurePageDeps;
  readonly #own = new DisposableList();
  readonly #port: PagePort<ToMeasurePage, ToMeasureHost>;
  readonly #draft: MeasureDraft;
  readonly #records: MeasureRecords;
  #seq = 0;
  #isOpen = false;
  #run: MeasureRun | undefined;
  /** Between the click and the first request. */
  #isStarting = false;
  #shown: string | undefined;
  #compared: string | undefined;

  constructor(webview: PageWebview, deps: MeasurePageDeps) {
    this.#deps = deps;
    this.#draft = new MeasureDraft(deps);
    this.#records = new MeasureRecords(deps.experiments, this.#explain);
    this.#port = new PagePort(webview, deps.pageLog);
    this.#own.add(this.#port.onMessage(measureMessageSchema, (message) => void this.#receive(message)));
  }

  /** Fills in what the form is opened for, and leaves the rest unchanged. */
  async use({
    models,
    prompt,
  }: {
    models?: readonly ModelChoice[];
    prompt?: { from: TakenWorkload; taken: TakenPrompt };
  }) {
    await this.#draft.load();
    if (prompt !== undefined) this.#draft.taken.set(prompt.from, prompt.taken);
    await this.#setForm({
      ...this.#draft.form,
      ...(models !== undefined && { models }),
      ...(prompt !== undefined && { workload: prompt.from }),
    });
  }

  /** Stops a run, because nobody would see its cost. Its results are kept, and it can be resumed. */
  dispose(): void {
    this.#isOpen = false;
    this.#run?.stop();
    this.#own.dispose();
  }

  async #receive(message: ToMeasureHost): Promise<void> {
    try {
      await this.#draft.load();
      await handleMessage(this.#handlers, message);
    } catch (error) {
      this.#deps.onUnexpected(error);
    }
  }

  readonly #handlers: Handlers<ToMeasureHost, Promise<void> | void> = {
    ready: () => this.#start(),
    formChanged: async ({ form }) => {
      this.#draft.take(form);
      this.#post({ type: 'planned', plan: await this.#draft.planView() });
    },
    addModel: () => this.#addModel(),
    takePrompt: async ({ from }) => {
      const taken = await this.#deps.pickPrompt(from);
      if (taken === undefined) return;
      if ('refused' in taken) {
        void plainWindow.showInformationMessage(taken.refused);
        return;
      }
      this.#draft.taken.set(from, taken.prompt);
      await this.#setForm({ ...this.#draft.form, workload: from });
    },
    usePreset: () => this.#setForm(quickPreset(this.#draft.form)),
    run: async ({ form }) => {
      this.#draft.take(form);
      // The last typed text isn't checked yet, and otherwise nobody would see why nothing starts.
      this.#post({ type: 'planned', plan: await this.#draft.planView() });
      const models = this.#draft.form.models.map((model) => model.id);
      await this.#begin(models, () => this.#draft.create(() => !this.#own.disposed));
    },
    stop: () => this.#run?.stop(),
    resume: async ({ id }) => {
      const run = await this.#find(id);
      if (run === undefined || this.#run !== undefined) return;
      // Without a price, nothing would count toward its limit.
      const { forecast } = await this.#deps.experiments();
      const fault = experimentFaults(run.experiment, forecast).find(({ kind }) => kind === 'noPrice');
      if (fault !== undefined) return this.#notStarted(problemOfComparison(fault, vscode.l10n.t('Nothing was sent.')));
      const models = run.experiment.models.map((model) => model.id);
      await this.#begin(models, () => Promise.resolve(id));
    },
    showRun: ({ id }) => this.#show(id),
    compareWith: async ({ id }) => {
      if (id !== '' && (await this.#find(id)) === undefined) return;
      this.#compared = id === '' ? undefined : id;
      if (this.#shown !== undefined) await this.#show(this.#shown);
    },
    deleteRun: ({ id }) => this.#delete(id),
    exportRun: async (message) => {
      const run = await this.#find(message.id);
      if (run !== undefined) await this.#deps.exportRun(run, message);
    },
    openRequest: async ({ attempt }) => {
      if (this.#shown !== undefined) await this.#deps.openRequest(this.#shown, attempt);
    },
    saveSvg: (message) => this.#deps.save(message),
    savePng: (message) => this.#deps.save(message),
    runAction: async ({ action, service }) => {
      // The others stay: they took a while to select.
      await (action === 'selectModel' ? this.#addModel() : this.#deps.runAction(action, service));
    },
    copyText: async ({ text }) => vscode.env.clipboard.writeText(text),
  };

  async #start(): Promise<void> {
    await this.#deps.loadModels();
    const runs = await this.#records.list();
    const run = this.#run;
    // Another window might have deleted it.
    if (run === undefined && !runs.some((each) => each.id === this.#shown)) this.#shown = runs[0]?.id;
    const id = this.#shown;
    const shown = run === undefined && id !== undefined ? await this.#records.find(id) : undefined;
    const comparison = shown === undefined ? undefined : await this.#records.compared(shown, this.#compared);
    const plan = await this.#draft.planView();
    // In the meantime, the run has ended, one has started, or another one is shown, and the page might know already.
    if (this.#run !== run || this.#shown !== id) return this.#start();
    const result = run?.result() ?? shown?.result;
    this.#isOpen = true;
    this.#post({
      type: 'snapshot',
      snapshot: {
        form: this.#draft.form,
        plan,
        runs,
        ...(run !== undefined && { progress: run.progress() }),
        ...(result !== undefined && { result }),
        ...(comparison !== undefined && { comparison }),
      },
    });
  }

  async #addModel(): Promise<void> {
    const id = await this.#deps.pickModel();
    const { form } = this.#draft;
    if (id === undefined || form.models.some((model) => model.id === id)) return;
    await this.#setForm({ ...form, models: [...form.models, { id }] });
  }

  async #setForm(form: MeasureForm): Promise<void> {
    this.#draft.keep(form);
    this.#post({ type: 'formSet', form });
    this.#post({ type: 'planned', plan: await this.#draft.planView() });
  }

  async #begin(models: readonly ModelRef[], id: () => Promise<string | undefined>): Promise<void> {
    if (this.#run !== undefined || this.#isStarting) return;
    this.#isStarting = true;
    let run: MeasureRun | undefined;
    try {
      for (const model of models) await this.#deps.checkSetup(model);
      const wanted = await id();
      run = wanted === undefined ? undefined : await this.#startRun(wanted);
    } catch (error) {
      this.#notStarted(cardProblem(this.#deps.explainer.problemOfError(error, { during: 'command' })));
      return;
    } finally {
      this.#isStarting = false;
    }
    if (run === undefined) return this.#notStarted(undefined);
    this.#run = run;
    // The tab might have been closed in the meantime.
    if (this.#own.disposed) run.stop();
    this.#post({ type: 'progressed', progress: run.progress(), result: run.result() });
    await run.ended();
    this.#run = undefined;
    await this.#show(run.experiment.id, true);
  }

  async #startRun(id: string): Promise<MeasureRun | undefined> {
    const experiments = await this.#deps.experiments();
    const { experiment } = (await experiments.store.open(id)).log;
    if (experiment === undefined) return undefined;
    // The tab might have been closed while the user was asked, or while the key was looked up.
    if (this.#own.disposed) return undefined;
    this.#shown = id;
    const onProgress: MeasureRunDeps['onProgress'] = (progress, result) =>
      this.#post({ type: 'progressed', progress, result });
    const run = await MeasureRun.start(experiment, { experiments, explain: this.#explain, onProgress });
    if (run === undefined) this.#isRunningElsewhere();
    return run;
  }

  #isRunningElsewhere(): void {
    void plainWindow.showInformationMessage(vscode.l10n.t('This measurement is running in another window.'));
  }

  #notStarted(problem: Problem | undefined): void {
    this.#post({ type: 'notStarted', problem });
  }

  async #show(id: string, isNew = false): Promise<void> {
    // Its requests are the ones that the page can open.
    if (this.#run !== undefined) return;
    const run = await this.#find(id);
    if (run === undefined || this.#run !== undefined) return;
    this.#shown = id;
    const comparison = await this.#records.compared(run, this.#compared);
    this.#post({ type: 'resultShown', result: run.result, comparison, runs: await this.#records.list(), isNew });
  }

  /** Undefined for one that another window has deleted, which is said. */
  async #find(id: string): Promise<MeasuredRun | undefined> {
    const run = await this.#records.find(id);
    if (run === undefined) {
      void plainWindow.showInformationMessage(vscode.l10n.t('This measurement was deleted.'));
      await this.#forget(id);
    }
    return run;
  }

  async #forget(id: string): Promise<void> {
    if (this.#shown === id) this.#shown = undefined;
    if (this.#compared === id) this.#compared = undefined;
    await this.#start();
  }

  async #delete(id: string): Promise<void> {
    const yes = vscode.l10n.t('Delete');
    const detail = vscode.l10n.t('Its requests stay in the request history.');
    if ((await plainWindow.ask(vscode.l10n.t('Delete this measurement?'), { detail }, yes)) !== yes) return;
    if (!(await this.#records.remove(id))) return this.#isRunningElsewhere();
    await this.#forget(id);
  }

  readonly #explain = (failure: Parameters<Explainer['problem']>[0], model?: ModelRef) =>
    this.#deps.explainer.problem(failure, { during: 'command', ...(model !== undefined && { model }) });

  #post(fact: Unnumbered<ToMeasurePage>): void {
    if (!this.#isOpen) return this.#port.skipped(fact);
    this.#seq += 1;
    this.#port.post({ ...fact, seq: this.#seq });
  }
}
