import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { experimentForecast } from '../../core/experiments/experimentForecast.ts';
import { measuredComparison, type MeasuredRun } from '../../core/measuring/measuredComparison.ts';
import { ResultBuilder } from '../../core/measuring/measuredResult.ts';
import { quickPreset } from '../../core/measuring/measureDefaults.ts';
import {
  type PlannedMeasurement,
  plannedMeasurement,
  type TakenPrompt,
} from '../../core/measuring/plannedMeasurement.ts';
import { cardProblem } from '../../core/problems/mediaProblems.ts';
import type { MeasurePlanView, ToMeasureHost, ToMeasurePage } from '../../shared/measureProtocol.ts';
import type {
  MeasuredComparison,
  MeasureEstimate,
  MeasureForm,
  ModelChoice,
  TakenWorkload,
} from '../../shared/measuring.ts';
import type { Problem, ProblemActionKind } from '../../shared/problem.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import { DisposableList } from '../platform/disposables.ts';
import { type PageLog, PagePort } from '../platform/pagePort.ts';
import { plainWindow } from '../platform/plainWindow.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { PickedPrompt } from './takenPrompt.ts';
import type { MeasureMemory } from './measureMemory.ts';
import { measureMessage } from './measureMessage.ts';
import { MeasureRun } from './measureRun.ts';

export interface MeasurePageDeps {
  readonly experiments: () => Promise<Experiments>;
  readonly memory: MeasureMemory;
  readonly explainer: Explainer;
  readonly pickModel: () => Promise<string | undefined>;
  readonly pickPrompt: (from: TakenWorkload) => Promise<PickedPrompt>;
  /** Settles once the last known model list is loaded. */
  readonly loadModels: () => Promise<unknown>;
  /** Settles when a request could be sent, or throws the reason why not. */
  readonly checkSetup: (model: ModelRef) => Promise<unknown>;
  /** Of the service in the settings. */
  readonly host: () => string;
  /** Whether spending this much more would exceed the daily budget. */
  readonly isOverBudget: (cost: number) => Promise<boolean>;
  /** True if the user confirms that this much is sent. */
  readonly agrees: (estimate: MeasureEstimate) => Promise<boolean>;
  readonly openRequest: (experiment: string, attempt: string) => Promise<void>;
  readonly save: (message: Extract<ToMeasureHost, { type: 'saveSvg' | 'savePng' }>) => Promise<void>;
  readonly exportRun: (run: MeasuredRun, message: Extract<ToMeasureHost, { type: 'exportRun' }>) => Promise<void>;
  readonly runAction: (action: ProblemActionKind) => Promise<void>;
  readonly onUnexpected: (error: unknown) => void;
  readonly pageLog: PageLog;
}

type Unnumbered<T> = T extends unknown ? Omit<T, 'seq'> : never;
type Handlers = { readonly [M in ToMeasureHost as M['type']]: (message: M) => Promise<void> | void };

/** The host's side of the page that measures models. */
export class MeasurePageHost implements vscode.Disposable {
  readonly #deps: MeasurePageDeps;
  readonly #own = new DisposableList();
  readonly #port: PagePort<ToMeasurePage, ToMeasureHost>;
  readonly #taken = new Map<TakenWorkload, TakenPrompt>();
  #form: MeasureForm;
  #seq = 0;
  #isOpen = false;
  #run: MeasureRun | undefined;
  /** Between the click and the first request. */
  #isStarting = false;
  #shown: string | undefined;
  #compared: string | undefined;

  constructor(webview: vscode.Webview, deps: MeasurePageDeps) {
    this.#deps = deps;
    this.#form = deps.memory.form();
    this.#port = new PagePort(webview, deps.pageLog);
    this.#own.add(this.#port.onMessage(measureMessage, (message) => void this.#receive(message)));
  }

  /** Fills in what the form is opened for, and leaves the rest unchanged. */
  async use({
    models,
    prompt,
  }: {
    models?: readonly ModelChoice[];
    prompt?: { from: TakenWorkload; taken: TakenPrompt };
  }) {
    if (prompt !== undefined) this.#taken.set(prompt.from, prompt.taken);
    await this.#setForm({
      ...this.#form,
      ...(models !== undefined && { models }),
      ...(prompt !== undefined && { workload: prompt.from }),
    });
  }

  /** Stops a run, because nobody sees its cost any longer. Its results are kept, and it can be resumed. */
  dispose(): void {
    this.#isOpen = false;
    this.#run?.stop();
    this.#own.dispose();
  }

  async #receive(message: ToMeasureHost): Promise<void> {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the mapped type ties each tag to its handler, which TypeScript can't see through the look-up
      await (this.#handlers[message.type] as (message: unknown) => Promise<void> | void)(message);
    } catch (error) {
      this.#deps.onUnexpected(error);
    }
  }

  readonly #handlers: Handlers = {
    ready: () => this.#start(),
    formChanged: async ({ form }) => {
      this.#form = form;
      await this.#deps.memory.keep(form);
      this.#post({ type: 'planned', plan: await this.#planView() });
    },
    addModel: async () => {
      const id = await this.#deps.pickModel();
      if (id === undefined || this.#form.models.some((model) => model.id === id && model.service === undefined)) return;
      await this.#setForm({ ...this.#form, models: [...this.#form.models, { id }] });
    },
    takePrompt: async ({ from }) => {
      const taken = await this.#deps.pickPrompt(from);
      if (taken === undefined) return;
      if ('refused' in taken) {
        void plainWindow.showInformationMessage(taken.refused);
        return;
      }
      this.#taken.set(from, taken.prompt);
      await this.#setForm({ ...this.#form, workload: from });
    },
    usePreset: () => this.#setForm(quickPreset(this.#form.models)),
    run: async ({ form }) => {
      this.#form = form;
      await this.#deps.memory.keep(form);
      await this.#begin(() => this.#create());
    },
    stop: () => this.#run?.stop(),
    resume: ({ id }) => this.#begin(() => Promise.resolve(id)),
    showRun: ({ id }) => this.#show(id),
    compareWith: async ({ id }) => {
      this.#compared = id === '' ? undefined : id;
      if (this.#shown !== undefined) await this.#show(this.#shown);
    },
    deleteRun: ({ id }) => this.#delete(id),
    exportRun: async (message) => {
      const run = await this.#measured(message.id);
      if (run !== undefined) await this.#deps.exportRun(run, message);
    },
    openRequest: async ({ attempt }) => {
      if (this.#shown !== undefined) await this.#deps.openRequest(this.#shown, attempt);
    },
    saveSvg: (message) => this.#deps.save(message),
    savePng: (message) => this.#deps.save(message),
    runAction: async ({ action, model }) => {
      if (action !== 'selectModel' && action !== 'useModel') return this.#deps.runAction(action);
      const id = model ?? (await this.#deps.pickModel());
      if (id !== undefined) await this.#setForm({ ...this.#form, models: [{ id }] });
    },
    copyText: async ({ text }) => vscode.env.clipboard.writeText(text),
  };

  async #start(): Promise<void> {
    await this.#deps.loadModels();
    const runs = await this.#runs();
    this.#shown ??= runs[0]?.id;
    const run = this.#run;
    const shown = run === undefined && this.#shown !== undefined ? await this.#measured(this.#shown) : undefined;
    const comparison = shown === undefined ? undefined : await this.#comparison(shown);
    const result = run?.result() ?? shown?.result;
    const plan = await this.#planView();
    this.#isOpen = true;
    this.#post({
      type: 'snapshot',
      snapshot: {
        form: this.#form,
        plan,
        runs,
        ...(run !== undefined && { progress: run.progress() }),
        ...(result !== undefined && { result }),
        ...(comparison !== undefined && { comparison }),
      },
    });
  }

  async #setForm(form: MeasureForm): Promise<void> {
    this.#form = form;
    await this.#deps.memory.keep(form);
    this.#post({ type: 'formSet', form });
    this.#post({ type: 'planned', plan: await this.#planView() });
  }

  async #plan(newId: string = crypto.randomUUID()): Promise<PlannedMeasurement> {
    const { forecast } = await this.#deps.experiments();
    const { workload } = this.#form;
    const taken = workload === 'promptFile' || workload === 'request' ? this.#taken.get(workload) : undefined;
    return plannedMeasurement({ form: this.#form, taken, host: this.#deps.host() }, newId, forecast);
  }

  async #planView(): Promise<MeasurePlanView> {
    const { experiment, faults } = await this.#plan();
    const taken = Object.fromEntries([...this.#taken].map(([from, { name }]) => [from, name]));
    if (experiment === undefined) return { faults, taken, isOverBudget: false };
    const estimate = estimateOf(experimentForecast(experiment, (await this.#deps.experiments()).forecast));
    return { estimate, faults, taken, isOverBudget: await this.#deps.isOverBudget(estimate.cost) };
  }

  /** @returns the new run's ID, or undefined if the form has faults or the user declines */
  async #create(): Promise<string | undefined> {
    const { experiment } = await this.#plan();
    if (experiment === undefined) return undefined;
    const { forecast, store } = await this.#deps.experiments();
    if (!(await this.#deps.agrees(estimateOf(experimentForecast(experiment, forecast))))) return undefined;
    await store.create(experiment);
    return experiment.id;
  }

  async #begin(id: () => Promise<string | undefined>): Promise<void> {
    if (this.#run !== undefined || this.#isStarting) return;
    this.#isStarting = true;
    let run: MeasureRun | undefined;
    try {
      for (const { id: model } of this.#form.models) await this.#deps.checkSetup(model);
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
    this.#shown = id;
    const onProgress: Parameters<typeof MeasureRun.start>[1]['onProgress'] = (progress, result) =>
      this.#post({ type: 'progressed', progress, result });
    return MeasureRun.start(experiment, { experiments, explain: this.#explain, onProgress });
  }

  #notStarted(problem: Problem | undefined): void {
    this.#post({ type: 'notStarted', problem });
  }

  async #show(id: string, isNew = false): Promise<void> {
    this.#shown = id;
    if (this.#run !== undefined) return;
    const run = await this.#measured(id);
    if (run === undefined) return;
    const comparison = await this.#comparison(run);
    this.#post({ type: 'resultShown', result: run.result, comparison, runs: await this.#runs(), isNew });
  }

  async #delete(id: string): Promise<void> {
    const yes = vscode.l10n.t('Delete');
    const detail = vscode.l10n.t('Its requests stay in the request history.');
    if ((await plainWindow.ask(vscode.l10n.t('Delete this measurement?'), { detail }, yes)) !== yes) return;
    await (await this.#deps.experiments()).store.remove(id);
    this.#shown = undefined;
    if (this.#compared === id) this.#compared = undefined;
    await this.#start();
  }

  async #measured(id: string): Promise<MeasuredRun | undefined> {
    const { store } = await this.#deps.experiments();
    const file = await store.open(id);
    const { experiment, createdAt = 0 } = file.log;
    if (experiment === undefined || experiment.kind !== 'measurement') return undefined;
    const builder = new ResultBuilder(experiment, createdAt, this.#explain);
    builder.addAll(file.log);
    return { experiment, result: builder.ended(file.log, store.states(file)) };
  }

  async #comparison(run: MeasuredRun): Promise<MeasuredComparison | undefined> {
    if (this.#compared === undefined || this.#compared === run.experiment.id) return undefined;
    const former = await this.#measured(this.#compared);
    return former === undefined ? undefined : measuredComparison(run, former);
  }

  async #runs() {
    const { store } = await this.#deps.experiments();
    return (await store.list('measurement')).map(({ experiment: { id, models }, createdAt: at }) => ({
      id,
      at,
      models: models.map((model) => model.id),
    }));
  }

  readonly #explain = (failure: Parameters<Explainer['problem']>[0], model?: ModelRef) =>
    this.#deps.explainer.problem(failure, { during: 'command', ...(model !== undefined && { model }) });

  #post(fact: Unnumbered<ToMeasurePage>): void {
    if (!this.#isOpen) return this.#port.skipped(fact);
    this.#seq += 1;
    this.#port.post({ ...fact, seq: this.#seq });
  }
}

function estimateOf(forecast: ReturnType<typeof experimentForecast>): MeasureEstimate {
  const { requests, promptTokens, replyTokens, cost, isCostAtLeast } = forecast;
  return { requests, tokens: promptTokens + replyTokens, cost, isCostAtLeast };
}
