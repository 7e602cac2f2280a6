import type { ModelRef } from '../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import { type MeasuredGroup, type MeasuredResult, type Workload, workloads } from '../../shared/measuring.ts';
import type { Problem } from '../../shared/problem.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { numberText } from '../../words/numberText.ts';
import { type Experiment, modelKey } from '../experiments/experiment.ts';
import type { ExperimentLog, PlannedState } from '../experiments/experimentLog.ts';
import { type PlannedRequest, plannedRequests } from '../experiments/experimentPlan.ts';
import type { EndInRun } from '../experiments/experimentFigures.ts';
import type { AttemptEnd, RunEnd } from '../experiments/experimentRecord.ts';
import { failureReach } from '../experiments/failureReach.ts';
import { quantile } from '../models/measuredModel.ts';
import { measuredGroup } from './measuredGroup.ts';

/**
 * Figures should be accurate to 2 ms or 2%. An event that waits longer than both here is measured wrong, and beyond 5
 * ms, so are all gaps.
 */
const mostHeldUp = { ms: 2, share: 0.02, gapMs: 5 };

export type ExplainFailure = (failure: ApiFailure, model?: ModelRef) => Pick<Problem, 'title' | 'detail'>;

/** The outcome of one request: how it ended, and how often the service asked to wait before. */
interface EndOfRequest {
  readonly end: EndInRun;
  readonly refusals: number;
}

/** The results of a run so far. Groups without new results aren't calculated again. */
export class ResultBuilder {
  readonly #experiment: Experiment;
  readonly #at: number;
  readonly #explain: ExplainFailure;
  readonly #planned: ReadonlyMap<string, PlannedRequest>;
  readonly #ends = new Map<string, EndOfRequest>();
  readonly #groups = new Map<string, { readonly of: string; readonly group: MeasuredGroup }>();

  /** @param at when it was started, as Unix time in milliseconds */
  constructor(experiment: Experiment, at: number, explain: ExplainFailure) {
    this.#experiment = experiment;
    this.#at = at;
    this.#explain = explain;
    this.#planned = new Map(plannedRequests(experiment).map((request) => [request.key, request]));
  }

  /** A request has ended, perhaps after an earlier attempt that was refused. @param run absent for the one under way */
  add(key: string, end: AttemptEnd, run = ''): void {
    const before = this.#ends.get(key);
    const isRefusal = end.failure !== undefined && failureReach(end.failure) === 'pause';
    const refusals = (before?.refusals ?? 0) + (isRefusal ? 1 : 0);
    // A finished attempt counts, not a refused one after it.
    const isBetter = before === undefined || end.isOpen !== true;
    this.#ends.set(key, { end: isBetter ? { ...end, run } : before.end, refusals });
  }

  addAll(log: ExperimentLog): void {
    for (const { request, end, run } of log.attempts()) if (end !== undefined) this.add(request, end, run);
  }

  /** How many measured requests have ended, and how many there will be. */
  counts(): { readonly ended: number; readonly planned: number; readonly failed: number } {
    const measured = [...this.#planned.values()].filter(({ isWarmUp }) => !isWarmUp);
    const ends = measured.flatMap(({ key }) => this.#ends.get(key)?.end ?? []).filter(isOver);
    return {
      ended: ends.length,
      planned: measured.length,
      failed: ends.filter(({ failure }) => failure !== undefined).length,
    };
  }

  costs(): { readonly cost: number; readonly isCostAtLeast: boolean } {
    const ends = [...this.#ends.values()].map(({ end }) => end);
    return {
      cost: ends.reduce((sum, { cost = 0 }) => sum + cost, 0),
      isCostAtLeast: ends.some(({ cost, isOpen }) => cost === undefined && isOpen !== true),
    };
  }

  /** During the run: the finished groups. */
  running(): MeasuredResult {
    return this.#result(this.#groupsOf(true), { notes: [], open: 0, mightBeCharged: 0 });
  }

  /**
   * After the run, no matter how it ended.
   * @param isElsewhere another window is still running it, so there's nothing to resume
   */
  ended(log: ExperimentLog, states: ReadonlyMap<string, PlannedState>, isElsewhere = false): MeasuredResult {
    const count = (wanted: PlannedState) => [...states.values()].filter((state) => state === wanted).length;
    const runs = log.runs();
    const cutOff = [...this.#ends.values()].filter(({ end }) => end.outcome === 'stopped' && isOver(end)).length;
    const mightBeCharged = count('mayBeCharged') + cutOff;
    const open = isElsewhere ? 0 : count('notSent');
    const { heldUpMs } = log;
    const groups = this.#groupsOf(false);
    const result = this.#result(groups, {
      notes: [
        ...(isElsewhere ? [l10n.t('This measurement is running in another window.')] : []),
        ...this.#notes(isElsewhere ? { reason: 'done' } : runs.at(-1)?.end, runs.at(-1)?.gaveUp ?? [], mightBeCharged),
      ],
      open,
      mightBeCharged,
    });
    return {
      ...result,
      // Nobody knows what a request cost if its window was closed.
      isCostAtLeast: result.isCostAtLeast || count('mayBeCharged') > 0,
      endedAt: runs.at(-1)?.lastAt ?? this.#at,
      tookMs: runs.reduce((sum, { startedAt, lastAt }) => sum + lastAt - startedAt, 0),
      ...(isBottleneck(heldUpMs, groups) && { heldUpMs }),
    };
  }

  #result(
    groups: readonly MeasuredGroup[],
    rest: Pick<MeasuredResult, 'notes' | 'open' | 'mightBeCharged'>,
  ): MeasuredResult {
    const { id, host, models, concurrency, repeats, prompts, options, order, target } = this.#experiment;
    const promptTokens = [...this.#ends.values()].flatMap(({ end }) => end.sample?.promptTokens ?? []);
    const [prompt] = prompts;
    return {
      id,
      at: this.#at,
      ...(host !== undefined && { host }),
      models: models.map((model) => ({ id: model.id })),
      loads: [...new Set(concurrency)],
      repeats,
      workload: workloadOf(prompt?.id),
      ...(prompt?.title !== undefined && { promptName: prompt.title }),
      ...(promptTokens.length > 0 && { promptTokens: Math.round(quantile(promptTokens, 0.5)) }),
      ...(options?.maxTokens !== undefined && { maxTokens: options.maxTokens }),
      hasTarget: target !== undefined,
      order,
      ...this.#endedAndPlanned(),
      ...this.costs(),
      groups,
      ...rest,
    };
  }

  #endedAndPlanned(): Pick<MeasuredResult, 'ended' | 'planned'> {
    const { ended, planned } = this.counts();
    return { ended, planned };
  }

  #groupsOf(isRunning: boolean): readonly MeasuredGroup[] {
    const { models, concurrency, target } = this.#experiment;
    return models.flatMap((model, index) =>
      [...new Set(concurrency)].flatMap((load) => {
        const planned = [...this.#planned.values()].filter(
          (each) => !each.isWarmUp && each.concurrency === load && modelKey(each.model) === modelKey(model),
        );
        const ends = planned.flatMap(({ key }) => this.#ends.get(key)?.end ?? []);
        if (ends.length === 0 || (isRunning && ends.filter(isOver).length < planned.length)) return [];
        const key = `${index} ${load}`;
        const of = `${isRunning} ${ends.length}`;
        const known = this.#groups.get(key);
        if (known?.of === of) return [known.group];
        const titleOf = (failure: ApiFailure) => this.#explain(failure, model.id).title;
        const group = measuredGroup({ model: index, load, ends, target, hasIntervals: !isRunning, titleOf });
        this.#groups.set(key, { of, group });
        return [group];
      }),
    );
  }

  #notes(
    end: RunEnd | undefined,
    gaveUp: readonly { readonly model: ModelRef; readonly failure: ApiFailure }[],
    mightBeCharged: number,
  ): readonly string[] {
    const { ended, planned } = this.counts();
    const refusals = [...this.#ends.values()].reduce((sum, each) => sum + each.refusals, 0);
    return [
      ...endNotes(end, ended, planned),
      ...gaveUp.map(({ model: key, failure }) => {
        const id = this.#experiment.models.find((model) => modelKey(model) === key)?.id ?? key;
        const { title, detail } = this.#explain(failure, id);
        return l10n.t('Nothing more was sent to {0}: {1}. {2}', modelLabel(id), title, detail);
      }),
      ...(refusals === 0 ? [] : [refusalsText(refusals)]),
      ...(mightBeCharged === 0 ? [] : [cutOffText(mightBeCharged)]),
    ];
  }
}

function refusalsText(refusals: number): string {
  return refusals === 1
    ? l10n.t('The service temporarily refused 1 request. Parlance waited as long as required.')
    : l10n.t('The service temporarily refused {0} requests. Parlance waited as long as required.', refusals);
}

/** Of requests in flight when the run was stopped or the window closed. */
function cutOffText(requests: number): string {
  return requests === 1
    ? l10n.t('1 request was cut off. It might have been charged, and is never sent again.')
    : l10n.t(
        '{0} requests were cut off. They might have been charged, and are never sent again.',
        numberText(requests),
      );
}

function endNotes(end: RunEnd | undefined, ended: number, planned: number): readonly string[] {
  const count = numberText(ended);
  const all = numberText(planned);
  switch (end?.reason) {
    case undefined:
      return ended === planned ? [] : [l10n.t('The window closed at {0} of {1} requests.', count, all)];
    case 'done':
    // Each of its models shows the reason.
    case 'failed':
      return [];
    case 'stopped':
      return [l10n.t('Stopped at {0} of {1} requests.', count, all)];
    case 'limit':
      return [limitText(end.limit, count, all)];
    case 'disk':
      return [l10n.t("Ended at {0} of {1} requests: the run couldn't be saved. Free up disk space.", count, all)];
  }
}

function limitText(limit: Extract<RunEnd, { reason: 'limit' }>['limit'], ended: string, planned: string): string {
  switch (limit) {
    case 'requests':
      return l10n.t('Ended at {0} of {1} requests: the request limit was reached.', ended, planned);
    case 'tokens':
      return l10n.t('Ended at {0} of {1} requests: the token limit was reached.', ended, planned);
    case 'cost':
      return l10n.t('Ended at {0} of {1} requests: the cost limit was reached.', ended, planned);
    case 'minutes':
      return l10n.t('Ended at {0} of {1} requests: the time limit was reached.', ended, planned);
  }
}

/** Whether this machine was too slow for the measurement. */
function isBottleneck(heldUpMs: number, groups: readonly MeasuredGroup[]): boolean {
  const soonest = Math.min(...groups.map(({ spreads: { firstMs } }) => firstMs?.median ?? Infinity));
  return heldUpMs > mostHeldUp.gapMs || heldUpMs > Math.max(mostHeldUp.ms, soonest * mostHeldUp.share);
}

function isOver({ isOpen }: AttemptEnd): boolean {
  return isOpen !== true;
}

function workloadOf(prompt: string | undefined): Workload {
  return workloads.find((name) => name === prompt) ?? 'ownText';
}
