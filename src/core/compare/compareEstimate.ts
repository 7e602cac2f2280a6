import * as l10n from '@vscode/l10n';
import type { CompareEstimate } from '../../shared/protocol/compareProtocol.ts';
import { costText } from '../../words/amount.ts';
import type { Experiment } from '../experiments/experiment.ts';
import { costOf, type ForecastDeps, Forecaster } from '../experiments/experimentForecast.ts';
import { plannedRequests } from '../experiments/experimentPlan.ts';

/**
 * What an experiment would cost if it were sent.
 * @param attached tokens of its prompt's attachments, whose content isn't read before it's sent
 */
export function compareEstimate(experiment: Experiment, deps: ForecastDeps, attached: number): CompareEstimate {
  const forecaster = new Forecaster(experiment, deps);
  const all = plannedRequests(experiment).map((request) => {
    const { promptTokens, cost, maxCost } = forecaster.of(request);
    const more = costOf(deps.modelOf(request.model), attached, 0) ?? 0;
    return { promptTokens: promptTokens + attached, cost, maxCost, more };
  });
  if (all.length === 0) return {};
  const promptTokens = Math.max(...all.map((each) => each.promptTokens));
  const priced = all.filter(({ cost }) => cost !== undefined);
  if (priced.length === 0) return { promptTokens };
  const isPartial = priced.length < all.length;
  const sum = (name: 'cost' | 'maxCost') => priced.reduce((total, each) => total + (each[name] ?? 0) + each.more, 0);
  // Attachments are estimated, so they have no maximum.
  const isLimited = attached === 0 && priced.every(({ maxCost }) => maxCost !== undefined);
  // Replies of the usual length: those that have a price could also cost less.
  if (isPartial || !isLimited) return { promptTokens, cost: costText(sum('cost'), { isEstimate: true, isPartial }) };
  return { promptTokens, cost: l10n.t('at most {0}', costText(sum('maxCost'))) };
}
