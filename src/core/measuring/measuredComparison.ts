import * as l10n from '@vscode/l10n';
import {
  type ComparedModel,
  type DotName,
  dotNames,
  type MeasuredComparison,
  type MeasuredResult,
  type SpreadView,
  type ChangeVerdict,
} from '../../shared/measuring.ts';
import { isOfTokens } from '../../words/measuredWords.ts';
import { overlap } from '../experiments/distribution.ts';
import { type Experiment, modelKey } from '../experiments/experiment.ts';

export interface MeasuredRun {
  readonly experiment: Experiment;
  readonly result: MeasuredResult;
}

/** What has changed since an earlier run of the same kind. */
export function measuredComparison(today: MeasuredRun, former: MeasuredRun): MeasuredComparison {
  const notComparable = whyNotComparable(today.experiment, former.experiment);
  if (notComparable !== undefined) return { former: former.result, notComparable, models: [] };
  return { former: former.result, models: comparedModels(today.result, former.result) };
}

/** The first difference between the runs. Figures for different questions can't be compared. */
function whyNotComparable(today: Experiment, former: Experiment): string | undefined {
  const differs = (of: (experiment: Experiment) => unknown) => JSON.stringify(of(today)) !== JSON.stringify(of(former));
  if (differs(({ host }) => host)) return l10n.t('Not comparable: the service differs');
  if (differs(({ prompts }) => prompts.map(({ messages, options }) => ({ messages, options })))) {
    return l10n.t('Not comparable: the prompt differs');
  }
  if (differs(({ options }) => options?.maxTokens)) return l10n.t('Not comparable: max tokens differs');
  if (differs(({ hasUniquePrefix }) => hasUniquePrefix)) return l10n.t('Not comparable: the unique prefix differs');
  if (differs(({ order }) => order)) return l10n.t('Not comparable: the order differs');
  const keys = new Set(former.models.map(modelKey));
  const both = today.models.filter((model) => keys.has(modelKey(model)));
  // Unless one starts when the previous one has finished, the others are part of the load.
  const isOtherLoad = today.order !== 'oneAfterAnother' && Math.max(keys.size, today.models.length) > both.length;
  if (both.length === 0 || isOtherLoad) {
    return l10n.t('Not comparable: the models differ');
  }
  return former.concurrency.some((load) => today.concurrency.includes(load))
    ? undefined
    : l10n.t('Not comparable: the numbers of requests at once differ');
}

function comparedModels(today: MeasuredResult, former: MeasuredResult): readonly ComparedModel[] {
  return today.groups.flatMap((group) => {
    const model = today.models[group.model];
    const place = former.models.findIndex((each) => model !== undefined && modelKey(each) === modelKey(model));
    const before = former.groups.find((each) => each.model === place && each.load === group.load);
    if (before === undefined) return [];
    const verdicts: Partial<Record<DotName, ChangeVerdict>> = {};
    for (const name of dotNames) {
      // Estimated tokens can be off by more than what has changed.
      if (isOfTokens(name) && group.isEstimate !== before.isEstimate) continue;
      const [now, then] = [group.spreads[name], before.spreads[name]];
      if (now !== undefined && then !== undefined) verdicts[name] = changeVerdict(name, now, then);
    }
    return [{ model: group.model, former: place, load: group.load, verdicts }];
  });
}

/** A change is only claimed if the 95% intervals of the medians don't overlap. */
export function changeVerdict(name: DotName, now: SpreadView, then: SpreadView): ChangeVerdict {
  const change = then.median === 0 ? 0 : (now.median - then.median) / then.median;
  if (now.interval === undefined || then.interval === undefined) return { kind: 'tooFew', change };
  if (overlap(now.interval, then.interval)) return { kind: 'unclear', change };
  const isMore = now.median > then.median;
  // More tokens per second are better, more seconds are worse.
  return { kind: isMore === (name === 'tokensPerSecond') ? 'faster' : 'slower', change };
}
