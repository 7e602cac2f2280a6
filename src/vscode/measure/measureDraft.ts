import { costsOfServices, experimentForecast } from '../../core/experiments/experimentForecast.ts';
import { measureDefaults } from '../../core/measuring/measureDefaults.ts';
import {
  type PlannedMeasurement,
  plannedMeasurement,
  type TakenPrompt,
} from '../../core/measuring/plannedMeasurement.ts';
import type { MeasurePlanView } from '../../shared/protocol/measureProtocol.ts';
import type { MeasureEstimate, MeasureForm, TakenWorkload } from '../../shared/measuring.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import type { MeasureMemory } from './measureMemory.ts';

export interface MeasureDraftDeps {
  readonly experiments: () => Promise<Pick<Experiments, 'forecast' | 'store'>>;
  readonly memory: Pick<MeasureMemory, 'form' | 'keep'>;
  /** Host of the service that has the model. */
  readonly hostOf: (model: ModelRef) => string;
  /** Whether spending this much more would exceed a daily budget. @param costs by the IDs of services */
  readonly isOverBudget: (costs: ReadonlyMap<string, number>) => Promise<boolean>;
  /** True if the user agrees to send this much. */
  readonly agrees: (estimate: MeasureEstimate) => Promise<boolean>;
}

/** The form, and the run that it would make. */
export class MeasureDraft {
  /** The selected prompt file and request. */
  readonly taken = new Map<TakenWorkload, TakenPrompt>();
  readonly #deps: MeasureDraftDeps;
  /** Every model that has been in the form because the user selected it. */
  readonly #chosen = new Set<string>();
  #form: MeasureForm = measureDefaults;
  #loading: Promise<void> | undefined;

  constructor(deps: MeasureDraftDeps) {
    this.#deps = deps;
  }

  /** Settles once the form has its last values. Until then, the draft can't be used. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  get form(): MeasureForm {
    return this.#form;
  }

  keep(form: MeasureForm): void {
    this.#form = form;
    this.#remember();
    // Never rejects. The page needn't wait for the disk.
    void this.#deps.memory.keep(form);
  }

  /** Keeps what the page sends. It can leave out models, but isn't trusted to name any that the user didn't select. */
  take(form: MeasureForm): void {
    this.keep({ ...form, models: form.models.filter((model) => this.#chosen.has(model.id)) });
  }

  async planView(): Promise<MeasurePlanView> {
    const { experiment, faults } = await this.#plan();
    const taken = Object.fromEntries([...this.taken].map(([from, { name }]) => [from, name]));
    if (experiment === undefined) return { faults, taken, isOverBudget: false };
    const { forecast } = await this.#deps.experiments();
    const isOverBudget = await this.#deps.isOverBudget(costsOfServices(experiment, forecast));
    return { estimate: estimateOf(experimentForecast(experiment, forecast)), faults, taken, isOverBudget };
  }

  /**
   * @param isWanted asked last, because the tab can be closed while the user is asked
   * @returns the new run's ID, or undefined if the form has faults or the user declines
   */
  async create(isWanted: () => boolean): Promise<string | undefined> {
    const { experiment } = await this.#plan();
    if (experiment === undefined) return undefined;
    const { forecast, store } = await this.#deps.experiments();
    if (!(await this.#deps.agrees(estimateOf(experimentForecast(experiment, forecast))))) return undefined;
    if (!isWanted()) return undefined;
    await store.create(experiment);
    return experiment.id;
  }

  async #load(): Promise<void> {
    this.#form = await this.#deps.memory.form();
    this.#remember();
  }

  #remember(): void {
    for (const model of this.#form.models) this.#chosen.add(model.id);
  }

  async #plan(): Promise<PlannedMeasurement> {
    const { forecast } = await this.#deps.experiments();
    const { workload } = this.#form;
    const taken = workload === 'promptFile' || workload === 'request' ? this.taken.get(workload) : undefined;
    const { hostOf } = this.#deps;
    return plannedMeasurement({ form: this.#form, taken, hostOf }, crypto.randomUUID(), forecast);
  }
}

function estimateOf(forecast: ReturnType<typeof experimentForecast>): MeasureEstimate {
  const { requests, promptTokens, replyTokens, cost, isCostAtLeast } = forecast;
  return { requests, tokens: promptTokens + replyTokens, cost, isCostAtLeast };
}
