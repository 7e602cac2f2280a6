import type { Experiment } from './experiment.ts';
import type { Forecaster } from './experimentForecast.ts';
import type { ExperimentLog } from './experimentLog.ts';
import { plannedRequests } from './experimentPlan.ts';
import type { SpentBefore } from './spending.ts';

/**
 * How long earlier runs took, in milliseconds. A run whose window was killed counts until its last line.
 * @param runId ID of the run that asks
 */
export function millisecondsBefore(log: ExperimentLog, runId: string): number {
  return log
    .runs()
    .filter(({ id }) => id !== runId)
    .reduce((sum, { startedAt, lastAt }) => sum + (lastAt - startedAt), 0);
}

/** What earlier runs used. Requests that might have been charged count with their maximum. */
export function spentBefore(
  { log, experiment }: { readonly log: ExperimentLog; readonly experiment: Experiment },
  forecaster: Forecaster,
): SpentBefore {
  const planned = new Map(plannedRequests(experiment).map((request) => [request.key, request]));
  const sum = { requests: 0, tokens: 0, cost: 0 };
  for (const { request: key, end } of log.attempts()) {
    const request = planned.get(key);
    if (request === undefined || end?.isUnsent === true) continue;
    sum.requests += 1;
    if (end?.isOpen === true) continue;
    const { promptTokens, replyTokens, isEstimate } = end?.sample ?? {};
    if (promptTokens !== undefined && replyTokens !== undefined && isEstimate !== true) {
      sum.tokens += promptTokens + replyTokens;
      sum.cost += end?.cost ?? 0;
    } else {
      const { most } = forecaster.of(request);
      sum.tokens += most.promptTokens + most.replyTokens;
      sum.cost += most.cost;
    }
  }
  return sum;
}
