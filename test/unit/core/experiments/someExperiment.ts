import { experimentPlan } from '../../../../src/core/experiments/experimentPlan.ts';
import type { ModelInfo } from '../../../../src/api/wire/decodeModels.ts';
import type { Experiment } from '../../../../src/core/experiments/experiment.ts';

export function someExperiment(changes: Partial<Experiment> = {}): Experiment {
  return {
    id: 'e1',
    kind: 'measurement',
    prompts: [{ id: 'p1', messages: [{ role: 'user', content: 'Say hello' }] }],
    models: [{ id: 'local/echo' }],
    repeats: 1,
    order: 'interleaved',
    concurrency: [1],
    warmUp: 0,
    hasUniquePrefix: false,
    keepsReplies: false,
    limits: {},
    ...changes,
  };
}

/** For a model with a price of 1 per token for input and 2 for output. */
export function listedModel(changes: Partial<ModelInfo> = {}): ModelInfo {
  return { id: 'm', inputPricePerMillion: 1_000_000, outputPricePerMillion: 2_000_000, raw: {}, ...changes };
}

/** Maximum number of requests in flight in any stage. */
export function mostInFlight(experiment: Experiment): number {
  return Math.max(
    0,
    ...experimentPlan(experiment).map((lanes) => lanes.reduce((sum, { capacity }) => sum + capacity, 0)),
  );
}
