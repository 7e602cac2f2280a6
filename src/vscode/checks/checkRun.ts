import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { checkPlan, type PlannedCheck, type PlannedChecks } from '../../core/checks/checkPlan.ts';
import type { CheckAttempt, CheckCell } from '../../core/checks/checkResult.ts';
import { attemptFigures, checkedAttempt, unjudgedAttempt } from '../../core/checks/checkedAttempt.ts';
import type { Expectation, Verdict } from '../../core/checks/expectation.ts';
import { rubricMessages } from '../../core/checks/rubric.ts';
import { type Experiment, modelKey } from '../../core/experiments/experiment.ts';
import { costOf } from '../../core/experiments/experimentForecast.ts';
import { modelFromText } from '../../core/models/modelText.ts';
import type { PlannedSend, SentReply } from '../../core/experiments/experimentRun.ts';
import { isOpenAgain } from '../../core/experiments/failureReach.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import { isLengthEnding } from '../../shared/replyEnding.ts';
import { incompleteSentence } from '../../words/ending.ts';
import type { Experiments } from '../experiments/openExperiments.ts';
import type { CheckLeaf } from './checkTree.ts';
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
  /** All of its runs have ended, or no more will follow. */
  readonly ended: (leaf: CheckLeaf, cell: CheckCell, replies: ReadonlyMap<string, string>) => void;
}

interface Running {
  readonly leaf: CheckLeaf;
  readonly experiment: string;
  readonly attempts: (CheckAttempt | Judged)[];
  /** By attempt ID. */
  readonly replies: Map<string, string>;
  isStarted: boolean;
  isOver: boolean;
}

/** A reply whose llm-rubrics still have to be judged. */
interface Judged {
  readonly attempt: string;
  readonly text: string;
  readonly verdicts: Verdict[];
  readonly figures: ReturnType<typeof attemptFigures>;
}

/** Sends cases to models, and judges the replies. */
export class CheckRun {
  readonly #deps: CheckRunDeps;
  readonly #watch: CheckWatch;
  readonly #pending = new Set<Promise<void>>();
  /** IDs of the experiments that this made. */
  readonly experiments: string[] = [];

  constructor(deps: CheckRunDeps, watch: CheckWatch) {
    this.#deps = deps;
    this.#watch = watch;
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
      title: vscode.l10n.t('Checks'),
      defaults: this.#deps.chatDefaults(),
      newId: () => crypto.randomUUID(),
    });
  }

  /** Settles when every leaf has ended. Rejects if nothing can be written. */
  async run(plans: readonly PlannedChecks[], leaves: readonly CheckLeaf[], signal: AbortSignal): Promise<void> {
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

  async #runPlan(
    { experiment }: PlannedChecks,
    running: ReadonlyMap<string, Running>,
    signal: AbortSignal,
  ): Promise<void> {
    const { store } = this.#deps.experiments;
    const of = ({ request }: PlannedSend) => running.get(keyOf(request.prompt.id, modelKey(request.model)));
    if (!signal.aborted) {
      await this.#create(experiment);
      const started = await this.#deps.experiments.start(experiment, {
        onSending: (planned) => this.#sending(of(planned)),
        onEnded: (planned, reply) => this.#later(this.#ended(of(planned), planned, reply)),
      });
      if (started !== undefined) {
        const stop = () => started.run.stop();
        signal.addEventListener('abort', stop, { once: true });
        await store.ended(started.run.id);
        signal.removeEventListener('abort', stop);
        await Promise.all(this.#pending);
        await this.#judge([...running.values()], signal);
        const [facts] = started.file.log.runs().slice(-1);
        for (const each of running.values()) {
          const gaveUp = facts?.gaveUp.find(({ model }) => model === modelKey(each.leaf.model));
          this.#over(each, gaveUp && this.#deps.explain(gaveUp.failure, each.leaf.model.id));
        }
      }
    }
    for (const each of running.values()) this.#over(each);
  }

  #create(experiment: Experiment): Promise<void> {
    this.experiments.push(experiment.id);
    return this.#deps.experiments.store.create(experiment);
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
    if (!reply.wasSent || (failure !== undefined && isOpenAgain(failure))) return;
    const { leaf } = running;
    const info = this.#deps.experiments.forecast.modelOf(leaf.model);
    const { promptTokens, replyTokens } = sample ?? {};
    const isCounted = promptTokens !== undefined && replyTokens !== undefined;
    const cost = isCounted ? costOf(info, promptTokens, replyTokens) : undefined;
    const figures = attemptFigures(sample, cost);
    running.replies.set(attempt, text);
    const isWhole = reply.outcome === 'done' || (reply.outcome === 'incomplete' && isLengthEnding(finishReason));
    if (!isWhole) {
      const why =
        failure !== undefined
          ? this.#deps.explain(failure, leaf.model.id)
          : reply.outcome === 'incomplete'
            ? incompleteSentence(finishReason)
            : '';
      running.attempts.push(unjudgedAttempt(attempt, why, figures));
    } else {
      const { expectations } = leaf.loaded.check;
      const verdicts = [
        ...(await this.#deps.thread.verdicts(expectations, {
          text,
          latencyMs: sample?.totalMs ?? 0,
          ...(cost !== undefined && { cost }),
          ...(finishReason !== undefined && { finishReason }),
        })),
      ];
      running.attempts.push(
        expectations.some(isRubric)
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
        model: { id: modelFromText(judge) },
      }));
      const defaults = { temperature: 0 };
      const [plan] = checkPlan(checks, { title: vscode.l10n.t('Checks'), defaults, newId: () => crypto.randomUUID() });
      if (plan === undefined) continue;
      const { store } = this.#deps.experiments;
      await this.#create(plan.experiment);
      const started = await this.#deps.experiments.start(plan.experiment, {
        onEnded: ({ request }, { text = '', failure }) => {
          const question = questions[Number(plan.caseKeys.get(request.prompt.id))];
          if (question === undefined) return;
          const { judged, place, expectation } = question;
          const decide = async () => {
            judged.verdicts[place] =
              failure === undefined
                ? await this.#deps.thread.judged(expectation, text)
                : { pass: false, score: 0, reason: this.#deps.explain(failure, judge), isUndecided: true };
          };
          this.#later(decide());
        },
      });
      if (started === undefined) continue;
      const stop = () => started.run.stop();
      signal.addEventListener('abort', stop, { once: true });
      await store.ended(started.run.id);
      signal.removeEventListener('abort', stop);
      await Promise.all(this.#pending);
    }
  }

  #questions(running: Running, judged: Judged) {
    return running.leaf.loaded.check.expectations.flatMap((expectation, place) =>
      isRubric(expectation) ? [{ running, judged, expectation, place }] : [],
    );
  }

  #over(running: Running, gaveUp?: string): void {
    if (running.isOver) return;
    running.isOver = true;
    const { leaf, experiment, replies } = running;
    const { loaded, checks } = leaf;
    const attempts = running.attempts.map((attempt) =>
      isJudged(attempt) ? checkedAttempt(attempt.attempt, loaded.check, attempt.verdicts, attempt.figures) : attempt,
    );
    const { repeat } = checks.file;
    // What was never sent doesn't count, but the case doesn't pass either.
    const missing = Array.from({ length: Math.max(0, repeat - attempts.length) }, () =>
      unjudgedAttempt('', gaveUp ?? ''),
    );
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

function isRubric({ kind }: Expectation): boolean {
  return kind === 'llm-rubric';
}

function isJudged(attempt: CheckAttempt | Judged): attempt is Judged {
  return 'verdicts' in attempt;
}
