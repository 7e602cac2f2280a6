import { estimatedTokens } from '../../words/tokens.ts';
import {
  costOf,
  type ExperimentForecast,
  experimentForecast,
  type ForecastDeps,
  USUAL_REPLY_TOKENS,
} from '../experiments/experimentForecast.ts';
import type { ExperimentModel } from '../experiments/experiment.ts';
import { modelOfFile } from '../models/modelText.ts';
import type { PlannedChecks } from './checkPlan.ts';
import type { Expectation } from './expectation.ts';
import { rubricMessages } from './rubric.ts';

/** A judge's reply is a sentence and a number. */
const JUDGED_TOKENS = 60;
/** A rubric that a judge gets for each reply of a model. */
export interface PlannedRubric {
  readonly expectation: Pick<Expectation, 'value' | 'judge'>;
  /** The model that writes the judged replies. */
  readonly model: ExperimentModel;
  readonly repeat: number;
}

type Sums = Omit<ExperimentForecast, 'maxReplyTokens'>;

/** What all requests of a run cost: those to the models, and those to the judges. */
export function checksForecast(
  plans: readonly PlannedChecks[],
  rubrics: readonly PlannedRubric[],
  deps: ForecastDeps,
): Sums {
  const all = [
    ...plans.map(({ experiment }): Sums => experimentForecast(experiment, deps)),
    ...rubrics.map((rubric) => rubricForecast(rubric, deps)),
  ];
  const sum = (value: (of: Sums) => number) => all.reduce((total, each) => total + value(each), 0);
  return {
    requests: sum(({ requests }) => requests),
    promptTokens: sum(({ promptTokens }) => promptTokens),
    replyTokens: sum(({ replyTokens }) => replyTokens),
    cost: sum(({ cost }) => cost),
    isCostAtLeast: all.some(({ isCostAtLeast }) => isCostAtLeast),
    ...(all.every(({ maxCost }) => maxCost !== undefined) && { maxCost: sum(({ maxCost = 0 }) => maxCost) }),
  };
}

function rubricForecast({ expectation, model, repeat }: PlannedRubric, deps: ForecastDeps): Sums {
  const judge = deps.modelOf({
    id: modelOfFile(expectation.judge ?? '', (id) => deps.modelOf({ id }) !== undefined),
  });
  const about = rubricMessages(expectation, '').reduce((sum, { content }) => sum + estimatedTokens(content.length), 0);
  const judged = deps.replyTokensOf?.(model) ?? USUAL_REPLY_TOKENS;
  const longest = deps.modelOf(model)?.maxOutputTokens;
  const cost = costOf(judge, about + judged, JUDGED_TOKENS);
  const maxCost =
    longest === undefined || judge?.maxOutputTokens === undefined
      ? undefined
      : costOf(judge, about + longest, judge.maxOutputTokens);
  return {
    requests: repeat,
    promptTokens: repeat * (about + judged),
    replyTokens: repeat * JUDGED_TOKENS,
    cost: repeat * (cost ?? 0),
    isCostAtLeast: cost === undefined,
    ...(maxCost !== undefined && { maxCost: repeat * maxCost }),
  };
}
