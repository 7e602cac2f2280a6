import { measuredComparison, type MeasuredRun } from '../../core/measuring/measuredComparison.ts';
import { type ExplainFailure, ResultBuilder } from '../../core/measuring/measuredResult.ts';
import type { FormerRun } from '../../shared/protocol/measureProtocol.ts';
import type { MeasuredComparison } from '../../shared/measuring.ts';
import type { Experiments } from '../experiments/openExperiments.ts';

/** The measurements that are on disk. */
export class MeasureRecords {
  readonly #experiments: () => Promise<Experiments>;
  readonly #explain: ExplainFailure;

  constructor(experiments: () => Promise<Experiments>, explain: ExplainFailure) {
    this.#experiments = experiments;
    this.#explain = explain;
  }

  /** The newest first. */
  async list(): Promise<readonly FormerRun[]> {
    const { store } = await this.#experiments();
    return (await store.list('measurement')).map(({ experiment: { id, models }, createdAt: at }) => ({
      id,
      at,
      models: models.map((model) => model.id),
    }));
  }

  /** Undefined for one that was deleted. */
  async find(id: string): Promise<MeasuredRun | undefined> {
    const { store } = await this.#experiments();
    const file = await store.open(id);
    const { experiment, createdAt = 0 } = file.log;
    if (experiment === undefined || experiment.kind !== 'measurement') return undefined;
    const builder = new ResultBuilder(experiment, createdAt, this.#explain);
    builder.addAll(file.log);
    return { experiment, result: builder.ended(file.log, store.states(file), store.isRunning(file)) };
  }

  /** What has changed since an earlier run; undefined if there's none, or if it's the same run. */
  async compared(run: MeasuredRun, formerId: string | undefined): Promise<MeasuredComparison | undefined> {
    if (formerId === undefined || formerId === run.experiment.id) return undefined;
    const former = await this.find(formerId);
    return former === undefined ? undefined : measuredComparison(run, former);
  }

  /** @returns false while it runs, in this window or another */
  async remove(id: string): Promise<boolean> {
    return (await this.#experiments()).store.remove(id);
  }
}
