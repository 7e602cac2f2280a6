import type { ModelRef } from '../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import { type MeasuredGroup, type MeasuredResult, type Workload, workloads } from '../../shared/measuring.ts';
import type { Problem } from '../../shared/problem.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { numberText } from '../../words/numberText.ts';
import { type Experiment, modelKey } from '../experiments/experiment.ts';
import type { ExperimentLog, PlannedState } from '../experiments/experimentLog.ts';
import { plannedRequests } from '../experiments/experimentPlan.ts';
import type { EndInRun } from '../experiments/experimentFigures.ts';
import type { AttemptEnd, RunEnd } from '../experiments/experimentRecord.ts';
import { failureReach } from '../experiments/failureReach.ts';
import { quantile } from '../models/measuredModel.ts';
import { diskTrouble, type DiskTrouble } from '../problems/diskAdvice.ts';
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

/** The requests to one model at one level of concurrency. */
interface Group {
  /** Its place among the models. */
  readonly model: number;
  readonly load: number;
  readonly keys: string[];
  ended: number;
  /** Number of results that have arrived or changed. */
  changes: number;
  drawn?: { readonly of: string; readonly group: MeasuredGroup };
}

/** The results of a run so far. Groups without new results aren't calculated again. */
export class ResultBuilder {
  readonly #experiment: Experiment;
  readonly #at: number;
  readonly #explain: ExplainFailure;
  /** The group of each request that isn't a warm-up. */
  readonly #groupOf = new Map<string, Group>();
  readonly #groups: readonly Group[];
  readonly #ends = new Map<string, EndOfRequest>();
  #failed = 0;
  #cost = 0;
  #unpriced = 0;
  #estimatedCosts = 0;

  /** @param at when it was started, as Unix time in milliseconds */
  constructor(experiment: Experiment, at: number, explain: ExplainFailure) {
    this.#experiment = experiment;
    this.#at = at;
    this.#explain = explain;
    const groups = new Map<string, Group>();
    const places = new Map(experiment.models.map((model, place) => [modelKey(model), place]));
    for (const { key, model, concurrency: load, isWarmUp } of plannedRequests(experiment)) {
      if (isWarmUp) continue;
      const place = places.get(modelKey(model)) ?? 0;
      const of = `${place} ${load}`;
      const group = groups.get(of) ?? { model: place, load, keys: [], ended: 0, changes: 0 };
      groups.set(of, group);
      group.keys.push(key);
      this.#groupOf.set(key, group);
    }
    const loads = [...new Set(experiment.concurrency)];
    this.#groups = [...groups.values()].toSorted(
      (a, b) => a.model - b.model || loads.indexOf(a.load) - loads.indexOf(b.load),
    );
  }

  /** A request has ended, perhaps after an earlier attempt that was refused. @param run absent for the one under way */
  add(key: string, end: AttemptEnd, run = ''): void {
    const before = this.#ends.get(key);
    const isRefusal = end.failure !== undefined && failureReach(end.failure) === 'pause';
    const refusals = (before?.refusals ?? 0) + (isRefusal ? 1 : 0);
    // A finished attempt counts, not a refused one after it.
    const isBetter = before === undefined || end.isOpen !== true;
    const now = isBetter ? { ...end, run } : before.end;
    this.#ends.set(key, { end: now, refusals });
    if (before !== undefined) this.#count(key, before.end, -1);
    this.#count(key, now, 1);
  }

  /** The page asks twice a second, and going through all of a long run would disturb what's being measured. */
  #count(key: string, end: EndInRun, by: 1 | -1): void {
    this.#cost += by * (end.cost ?? 0);
    if (end.cost === undefined && isOver(end)) this.#unpriced += by;
    if (end.cost !== undefined && end.sample?.isEstimate === true) this.#estimatedCosts += by;
    const group = this.#groupOf.get(key);
    if (group === undefined) return;
    group.changes += 1;
    if (!isOver(end)) return;
    group.ended += by;
    if (end.failure !== undefined) this.#failed += by;
  }

  addAll(log: ExperimentLog): void {
    for (const { request, end, run } of log.attempts()) if (end !== undefined) this.add(request, end, run);
  }

  /** How many measured requests have ended, and how many there will be. */
  counts(): { readonly ended: number; readonly planned: number; readonly failed: number } {
    return {
      ended: this.#groups.reduce((sum, { ended }) => sum + ended, 0),
      planned: this.#groupOf.size,
      failed: this.#failed,
    };
  }

  costs(): Pick<MeasuredResult, 'cost' | 'isCostAtLeast' | 'isCostEstimate'> {
    return { cost: this.#cost, isCostAtLeast: this.#unpriced > 0, isCostEstimate: this.#estimatedCosts > 0 };
  }

  /** How many groups are finished, so that `running` has something new. */
  get finishedGroups(): number {
    return this.#groups.filter(isFinished).length;
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
    // What was used before counts when a run is resumed, so one at its limit would end at once.
    const isAtLimit = runs.at(-1)?.end?.reason === 'limit';
    const open = isElsewhere || isAtLimit ? 0 : count('notSent');
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
    const { models, target } = this.#experiment;
    return this.#groups.flatMap((group) => {
      const { model, load, keys, changes, drawn } = group;
      if (isRunning && !isFinished(group)) return [];
      const of = `${isRunning} ${changes}`;
      if (drawn?.of === of) return [drawn.group];
      const ends = keys.flatMap((key) => this.#ends.get(key)?.end ?? []);
      if (ends.length === 0) return [];
      const titleOf = (failure: ApiFailure) => this.#explain(failure, models[model]?.id).title;
      const made = measuredGroup({ model, load, ends, target, hasIntervals: !isRunning, titleOf });
      group.drawn = { of, group: made };
      return [made];
    });
  }

  #notes(
    end: RunEnd | undefined,
    gaveUp: readonly { readonly model: ModelRef; readonly failure: ApiFailure }[],
    mightBeCharged: number,
  ): readonly string[] {
    const { ended, planned } = this.counts();
    const { models, order } = this.#experiment;
    const refusals = [...this.#ends.values()].reduce((sum, each) => sum + each.refusals, 0);
    return [
      ...endNotes(end, ended, planned),
      ...(models.length > 1 && order === 'interleaved' ? [sharedLoadText()] : []),
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

function sharedLoadText(): string {
  return l10n.t(
    'The models took turns, so the requests at once are those to all of them together, and each one lowers the requests/s of the others.',
  );
}

function refusalsText(refusals: number): string {
  return refusals === 1
    ? l10n.t('The service temporarily refused 1 request. Parlance waited as long as required.')
    : l10n.t(
        'The service temporarily refused {0} requests. Parlance waited as long as required.',
        numberText(refusals),
      );
}

/** @param requests number of those in flight when the run was stopped or the window closed */
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
      return [diskText(diskTrouble(end.code ?? ''), count, all)];
  }
}

function diskText(trouble: DiskTrouble, ended: string, planned: string): string {
  switch (trouble) {
    case 'full':
      return l10n.t("Ended at {0} of {1} requests: the run couldn't be saved. Free up disk space.", ended, planned);
    case 'unwritable':
    case 'inUse':
      return l10n.t(
        "Ended at {0} of {1} requests: the run couldn't be saved. Make its folder writable, and close programs that might be using its files.",
        ended,
        planned,
      );
    case 'other':
      return l10n.t(
        "Ended at {0} of {1} requests: the run couldn't be saved. The log has the details.",
        ended,
        planned,
      );
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

function isFinished({ ended, keys }: Group): boolean {
  return ended === keys.length;
}

function isOver({ isOpen }: AttemptEnd): boolean {
  return isOpen !== true;
}

function workloadOf(prompt: string | undefined): Workload {
  return workloads.find((name) => name === prompt) ?? 'ownText';
}
