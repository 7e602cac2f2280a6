import * as l10n from '@vscode/l10n';
import type { ModelRef } from '../../shared/modelRef.ts';
import { checkPlan, type PlannedCheck, type PlannedChecks } from '../../core/checks/checkPlan.ts';
import type { CheckAttempt, CheckCell } from '../../core/checks/checkResult.ts';
import {
  type AttemptFigures,
  attemptFigures,
  checkedAttempt,
  unjudgedAttempt,
} from '../../core/checks/checkedAttempt.ts';
import type { Expectation, Verdict } from '../../core/checks/expectation.ts';
import { rubricMessages } from '../../core/checks/rubric.ts';
import { type Experiment, type ExperimentModel, modelKey } from '../../core/experiments/experiment.ts';
import { BusyWaits } from '../../core/experiments/busyWaits.ts';
import { experimentId } from '../../core/experiments/experimentId.ts';
import { costOfSample } from '../../core/experiments/experimentForecast.ts';
import { modelOfFile } from '../../core/models/modelText.ts';
import type { PlannedSend, SentReply } from '../../core/experiments/experimentRun.ts';
import { isOpenAgain } from '../../core/experiments/failureReach.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import { isFilterEnding, isLengthEnding } from '../../shared/replyEnding.ts';
import { incompleteSentence } from '../../words/ending.ts';
import type { Experiments, RunWatch, StartedExperiment } from '../experiments/openExperiments.ts';
import type { CheckLeaf } from './checkTree.ts';
import type { VerdictPatience } from './verdictTask.ts';
import type { VerdictThread } from './verdictThread.ts';

export interface CheckRunDeps {
  readonly experiments: Experiments;
  readonly thread: Pick<VerdictThread, 'judged' | 'verdicts'>;
  readonly chatDefaults: () => ChatOptions;
  readonly explain: (failure: ApiFailure, model: ModelRef) => string;
  readonly onError: (error: unknown) => void;
}

/** What happens to a leaf, for whoever shows it. */
export interface CheckWatch {
  readonly started: (leaf: CheckLeaf) => void;
  /** The service refused a request for now. @param until when it's sent again, as Unix time in ms; undefined once it is */
  readonly waits: (leaf: CheckLeaf, until: number | undefined) => void;
  /** The user stopped it before anything was sent for it. */
  readonly skipped: (leaf: CheckLeaf) => void;
  /** All of its runs have ended, or no more will follow. */
  readonly ended: (leaf: CheckLeaf, cell: CheckCell, replies: ReadonlyMap<string, string>) => void;
}

interface Running {
  readonly leaf: CheckLeaf;
  readonly experiment: string;
  readonly attempts: (CheckAttempt | Judged)[];
  /** By attempt ID. */
  readonly replies: Map<string, string>;
  /** Why a request wasn't carried out, unless it succeeded later. */
  unsent?: ApiFailure;
  isStarted: boolean;
  isOver: boolean;
}

/** A reply whose llm-rubrics still have to be judged. */
interface Judged {
  readonly attempt: string;
  readonly text: string;
  readonly verdicts: Verdict[];
  figures: AttemptFigures;
}

/** What a judge is asked about a reply, and the place of its verdict. */
interface Question {
  readonly running: Running;
  readonly judged: Judged;
  readonly expectation: Expectation;
  readonly place: number;
}

/** How often an expectation may take too long, before no other reply waits for it. */
const MOST_SLOW = 3;

/** Sends cases to models, and judges the replies. */
export class CheckRun {
  readonly #deps: CheckRunDeps;
  readonly #watch: CheckWatch;
  readonly #busy: BusyWaits<Running>;
  readonly #pending = new Set<Promise<void>>();
  /** How often an expectation took too long, by its file and place. */
  readonly #slow = new Map<string, number>();
  /** Resolves with nothing once the run is stopped. */
  #signal: AbortSignal = new AbortController().signal;
  #stopped = new Promise<undefined>(() => undefined);
  /** IDs of the experiments that this made. */
  readonly experiments: string[] = [];

  constructor(deps: CheckRunDeps, watch: CheckWatch) {
    this.#deps = deps;
    this.#watch = watch;
    this.#busy = new BusyWaits(({ leaf, isOver }, until) => {
      if (!isOver) watch.waits(leaf, until);
    });
  }

  /** What will be sent, without requests for llm-rubrics. */
  plan(leaves: readonly CheckLeaf[]): readonly PlannedChecks[] {
    const checks = leaves.flatMap(({ checks: { uri, file }, loaded, model }): readonly PlannedCheck[] => {
      const { messages, options, hasSystemPrompt, check } = loaded;
      if ('fault' in messages) return [];
      const caseKey = JSON.stringify([uri.toString(), check.id]);
      const { repeat } = file;
      return [{ caseKey, title: check.name, sent: messages.messages, options, hasSystemPrompt, repeat, model }];
    });
    return checkPlan(checks, {
      title: l10n.t('Checks'),
      defaults: this.#deps.chatDefaults(),
      newId: () => crypto.randomUUID(),
    });
  }

  /** Settles when every leaf has ended. Rejects if nothing can be written. */
  async run(plans: readonly PlannedChecks[], leaves: readonly CheckLeaf[], signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.#stopped = stopOf(signal);
    for (const plan of plans) {
      const running = new Map<string, Running>();
      const prompts = new Map([...plan.caseKeys].map(([prompt, caseKey]) => [caseKey, prompt]));
      for (const leaf of leaves) {
        const caseKey = JSON.stringify([leaf.checks.uri.toString(), leaf.loaded.check.id]);
        const experiment = plan.experiment.id;
        const prompt = prompts.get(caseKey);
        if (prompt === undefined) continue;
        const key = keyOf(prompt, modelKey(leaf.model));
        running.set(key, { leaf, experiment, attempts: [], replies: new Map(), isStarted: false, isOver: false });
      }
      await this.#runPlan(plan, running, signal);
    }
  }

  /** Ends one that can't be sent. @param model the one that can't be asked: its own, or a judge */
  leaveOut(leaf: CheckLeaf, failure: ApiFailure, model: ModelRef): void {
    // No experiment has this ID.
    const experiment = experimentId('checks', crypto.randomUUID());
    const none = { experiment, attempts: [], replies: new Map<string, string>(), isStarted: false, isOver: false };
    this.#over({ leaf, ...none }, this.#deps.explain(failure, model));
  }

  async #runPlan(
    { experiment }: PlannedChecks,
    running: ReadonlyMap<string, Running>,
    signal: AbortSignal,
  ): Promise<void> {
    const of = ({ request }: Pick<PlannedSend, 'request'>) =>
      running.get(keyOf(request.prompt.id, modelKey(request.model)));
    const waits = this.#busy.of((request) => of({ request }));
    const watch: RunWatch = {
      ...waits,
      onSending: (planned) => {
        waits.onSending(planned);
        this.#sending(of(planned));
      },
      onEnded: (planned, reply) => this.#later(this.#ended(of(planned), planned, reply)),
    };
    const started = await this.#send(experiment, watch, signal);
    await this.#judge([...running.values()], signal);
    const facts = started?.file.log.runs().find(({ id }) => id === started.run.id);
    for (const each of running.values()) {
      const { model } = each.leaf;
      const gaveUp = facts?.gaveUp.find((given) => given.model === modelKey(model));
      // A stop is the reason even if an earlier request was temporarily refused.
      const failure = gaveUp?.failure ?? (signal.aborted ? undefined : each.unsent);
      const why = failure && this.#deps.explain(failure, model.id);
      const wasSkipped = signal.aborted && why === undefined && each.attempts.length === 0;
      if (wasSkipped) this.#skip(each);
      else this.#over(each, why);
    }
  }

  /** Runs an experiment to its end, or until it's stopped. @returns undefined if it wasn't started */
  async #send(experiment: Experiment, watch: RunWatch, signal: AbortSignal): Promise<StartedExperiment | undefined> {
    if (signal.aborted) return undefined;
    this.experiments.push(experiment.id);
    const { store, start } = this.#deps.experiments;
    await store.create(experiment);
    if (signal.aborted) return undefined;
    const started = await start(experiment, watch);
    if (started === undefined) return undefined;
    const stop = () => started.run.stop();
    signal.addEventListener('abort', stop, { once: true });
    // Its event might have come before the listener.
    if (signal.aborted) stop();
    await store.ended(started.run.id);
    signal.removeEventListener('abort', stop);
    await Promise.race([Promise.all(this.#pending), this.#stopped]);
    return started;
  }

  #sending(running: Running | undefined): void {
    if (running === undefined || running.isStarted) return;
    running.isStarted = true;
    this.#watch.started(running.leaf);
  }

  async #ended(running: Running | undefined, { attempt }: PlannedSend, reply: SentReply): Promise<void> {
    if (running === undefined) return;
    const { failure, sample, finishReason, text = '' } = reply;
    // It's sent again, or the run ends without it.
    if (!reply.wasSent || (failure !== undefined && isOpenAgain(failure))) {
      if (failure !== undefined) running.unsent = failure;
      return;
    }
    const { leaf } = running;
    const isCounted = sample?.promptTokens !== undefined && sample.replyTokens !== undefined;
    const cost = this.#costOf(reply, leaf.model);
    const figures = attemptFigures(sample, cost);
    running.replies.set(attempt, text);
    const { outcome } = reply;
    const isCut = outcome === 'incomplete' && finishReason !== undefined;
    const isRead = outcome === 'done' || (isCut && (isLengthEnding(finishReason) || isFilterEnding(finishReason)));
    if (!isRead && !isCut) {
      running.attempts.push(unjudgedAttempt(attempt, this.#whyNot(reply, leaf.model.id), figures));
    } else {
      const { expectations } = leaf.loaded.check;
      const judging = this.#deps.thread.verdicts(
        expectations,
        {
          text,
          latencyMs: sample?.totalMs ?? 0,
          ...(cost !== undefined && { cost }),
          ...(sample?.isEstimate === true && { isEstimate: true }),
          ...(!isCounted && { isUncounted: true }),
          ...(finishReason !== undefined && { finishReason }),
        },
        this.#patienceFor(leaf),
      );
      const found = await Promise.race([judging, this.#stopped]);
      // What isn't judged when the run is stopped has no result.
      if (found === undefined) {
        if (!running.isOver) running.attempts.push(unjudgedAttempt(attempt, l10n.t('Stopped'), figures));
        return;
      }
      // If the finish reason is unknown, nothing else about the reply is certain: the missing part might be the one
      // that matters.
      const verdicts = found.map((verdict, at) =>
        isRead || expectations[at]?.kind === 'finish-reason' ? verdict : this.#undecided(reply, leaf.model.id),
      );
      running.attempts.push(
        isRead && expectations.some(isRubric)
          ? { attempt, text, verdicts, figures }
          : checkedAttempt(attempt, leaf.loaded.check, verdicts, figures),
      );
    }
    const isAll = running.attempts.length >= leaf.checks.file.repeat;
    if (isAll && !running.attempts.some(isJudged)) this.#over(running);
  }

  /** Sends all replies with an llm-rubric to the judges, as a separate experiment. */
  async #judge(all: readonly Running[], signal: AbortSignal): Promise<void> {
    const asked = all.flatMap((running) =>
      running.attempts.filter(isJudged).flatMap((judged) => this.#questions(running, judged)),
    );
    for (const [judge, questions] of Map.groupBy(asked, ({ expectation }) => expectation.judge ?? '')) {
      if (signal.aborted) return;
      const checks = questions.map(({ expectation, judged, running }, at): PlannedCheck => ({
        caseKey: String(at),
        title: running.leaf.loaded.check.name,
        sent: rubricMessages(expectation, judged.text),
        options: {},
        hasSystemPrompt: false,
        repeat: 1,
        model: { id: modelOfFile(judge, (id) => this.#deps.experiments.forecast.modelOf({ id }) !== undefined) },
      }));
      const [plan] = checkPlan(checks, {
        title: l10n.t('Checks'),
        defaults: { temperature: 0 },
        hasOwnTemperature: true,
        newId: () => crypto.randomUUID(),
      });
      if (plan === undefined) continue;
      const of = ({ prompt }: PlannedSend['request']) => questions[Number(plan.caseKeys.get(prompt.id))];
      const watch: RunWatch = {
        ...this.#busy.of((request) => of(request)?.running),
        onEnded: ({ request }, reply) => {
          const question = of(request);
          if (question === undefined) return;
          addJudgeCost(question.judged, reply, this.#costOf(reply, request.model));
          this.#later(this.#judged(question, reply));
        },
      };
      await this.#send(plan.experiment, watch, signal);
    }
  }

  async #judged({ running, judged, place, expectation }: Question, reply: SentReply): Promise<void> {
    // The rest of an incomplete verdict might have said the opposite.
    judged.verdicts[place] =
      reply.outcome === 'done'
        ? await this.#deps.thread.judged(expectation, reply.text ?? '', this.#patienceFor(running.leaf))
        : this.#undecided(reply, expectation.judge ?? '');
  }

  /** For the thread: what takes forever for a few replies does so for hundreds, and nobody waits after a stop. */
  #patienceFor({ checks: { uri } }: CheckLeaf): VerdictPatience {
    // Each case has its own copy of an expectation of the whole file.
    const placeOf = ({ from }: Expectation) => `${uri.toString()} ${from}`;
    const slowOf = (expectation: Expectation) => this.#slow.get(placeOf(expectation)) ?? 0;
    return {
      whyNot: (expectation) => {
        if (this.#signal.aborted) return l10n.t('Stopped');
        return slowOf(expectation) < MOST_SLOW
          ? undefined
          : l10n.t("This took too long for other replies, so it wasn't tried.");
      },
      tookTooLong: (expectation) => void this.#slow.set(placeOf(expectation), slowOf(expectation) + 1),
    };
  }

  /** Undefined if the price or the number of tokens isn't known. */
  #costOf({ sample }: SentReply, model: ExperimentModel): number | undefined {
    return costOfSample(sample, this.#deps.experiments.forecast.modelOf(model));
  }

  #undecided(reply: SentReply, model: ModelRef): Verdict {
    return { pass: false, score: 0, reason: this.#whyNot(reply, model), isUndecided: true };
  }

  /** Why a reply can't be judged. */
  #whyNot({ outcome, failure, finishReason }: SentReply, model: ModelRef): string {
    if (failure !== undefined) return this.#deps.explain(failure, model);
    return outcome === 'incomplete' ? incompleteSentence(finishReason) : l10n.t('Stopped');
  }

  #questions(running: Running, judged: Judged): readonly Question[] {
    return running.leaf.loaded.check.expectations.flatMap((expectation, place) =>
      isRubric(expectation) ? [{ running, judged, expectation, place }] : [],
    );
  }

  #skip(running: Running): void {
    running.isOver = true;
    this.#watch.skipped(running.leaf);
  }

  /** @param why the missing ones have no reply */
  #over(running: Running, why = ''): void {
    if (running.isOver) return;
    running.isOver = true;
    const { leaf, experiment, replies } = running;
    const { loaded, checks } = leaf;
    const attempts = running.attempts.map((attempt) =>
      isJudged(attempt) ? checkedAttempt(attempt.attempt, loaded.check, attempt.verdicts, attempt.figures) : attempt,
    );
    const { repeat } = checks.file;
    // A request that was never sent doesn't count, but the case doesn't pass either.
    const missing = Array.from({ length: Math.max(0, repeat - attempts.length) }, () => unjudgedAttempt('', why));
    const { fingerprint } = loaded;
    const cell: CheckCell = {
      fingerprint,
      experiment,
      at: Date.now(),
      repeats: repeat,
      attempts: [...attempts, ...missing],
    };
    this.#watch.ended(leaf, cell, replies);
  }

  #later(work: Promise<void>): void {
    const settled = work.catch(this.#deps.onError).finally(() => this.#pending.delete(settled));
    this.#pending.add(settled);
  }
}

function keyOf(prompt: string, model: ModelRef): string {
  return `${prompt} ${model}`;
}

/** The price of asking a judge, apart from the model's own. */
function addJudgeCost(judged: Judged, { wasSent, sample }: SentReply, cost: number | undefined): void {
  if (!wasSent) return;
  const { judgeCost = 0 } = judged.figures;
  judged.figures = {
    ...judged.figures,
    judgeCost: judgeCost + (cost ?? 0),
    ...(cost === undefined && { isJudgeCostAtLeast: true }),
    ...(cost !== undefined && sample?.isEstimate === true && { isJudgeCostEstimate: true }),
  };
}

async function stopOf(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (!signal.aborted) await promise;
}

function isRubric({ kind }: Expectation): boolean {
  return kind === 'llm-rubric';
}

function isJudged(attempt: CheckAttempt | Judged): attempt is Judged {
  return 'verdicts' in attempt;
}
