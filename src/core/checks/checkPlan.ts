import type { ChatOptions } from '../../shared/chat.ts';
import { type Experiment, type ExperimentModel, modelKey } from '../experiments/experiment.ts';
import { experimentId } from '../experiments/experimentId.ts';
import type { PromptOptions } from '../prompts/promptDefinition.ts';
import type { CheckMessage } from './checksFile.ts';

/** One case with one model, ready to be sent. */
export interface PlannedCheck {
  /** Unique among the cases of a plan. */
  readonly caseKey: string;
  readonly title: string;
  /** What is sent, without the user's own system prompt. */
  readonly sent: readonly CheckMessage[];
  readonly options: PromptOptions;
  /** Whether the user's own system prompt is sent too. */
  readonly hasSystemPrompt: boolean;
  readonly repeat: number;
  readonly model: ExperimentModel;
}

export interface PlannedChecks {
  readonly experiment: Experiment;
  /** The case of each of the experiment's prompts, by the prompt's ID. */
  readonly caseKeys: ReadonlyMap<string, string>;
}

/** Requests in flight at once. Services on the same machine slow down with more. */
const CONCURRENCY = 4;

/**
 * Groups checks into experiments. An experiment sends each of its prompts to each of its models, so checks with the
 * same models and the same number of runs share one.
 */
export function checkPlan(
  checks: readonly PlannedCheck[],
  {
    title,
    defaults,
    hasOwnTemperature = false,
    newId,
  }: {
    readonly title: string;
    readonly defaults: ChatOptions;
    /** That of the defaults isn't the user's. */
    readonly hasOwnTemperature?: boolean;
    readonly newId: () => string;
  },
): readonly PlannedChecks[] {
  const byCase = Map.groupBy(checks, ({ caseKey }) => caseKey);
  const groups = Map.groupBy(byCase.values(), (same) =>
    JSON.stringify([same[0]?.repeat, same.map(({ model }) => modelKey(model)).toSorted()]),
  );
  const { model: _model, ...options } = defaults;
  return [...groups.values()].map((cases) => {
    const [first = []] = cases;
    const caseKeys = new Map<string, string>();
    const prompts = cases.flatMap(([check], at) => {
      if (check === undefined) return [];
      const id = `p${at}`;
      caseKeys.set(id, check.caseKey);
      const { model: _own, ...numbers } = check.options;
      const { title: name, sent, hasSystemPrompt } = check;
      return [
        {
          id,
          title: name,
          messages: [...sent],
          options: { ...numbers, ...(!hasSystemPrompt && { systemPrompt: '' }) },
        },
      ];
    });
    const experiment: Experiment = {
      id: experimentId('checks', newId()),
      kind: 'checks',
      title,
      prompts,
      models: first.map(({ model }) => model),
      repeats: first[0]?.repeat ?? 1,
      order: 'interleaved',
      concurrency: [CONCURRENCY],
      warmUp: 0,
      hasUniquePrefix: false,
      keepsReplies: true,
      limits: {},
      options,
      ...(hasOwnTemperature && { hasOwnTemperature }),
    };
    return { experiment, caseKeys };
  });
}
