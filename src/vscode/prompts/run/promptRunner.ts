import type { ModelRef } from '../../../shared/modelRef.ts';
import { performance } from 'node:perf_hooks';
import * as vscode from 'vscode';
import { pathOf } from '../../attachments/sources/documentContext.ts';
import type { InferenceCalls } from '../../../core/requests/inferenceCalls.ts';
import type { ChatRequest } from '../../../api/operations/chatCompletion.ts';
import { chatBody, effectiveOptions } from '../../../core/chat/chatRequest.ts';
import type { ChatPlace, PromptOptions } from '../../../core/prompts/promptDefinition.ts';
import {
  problemOfEmptyReply,
  problemOfLostSelection,
  problemOfNothingSelected,
  problemOfReadOnly,
} from '../../../core/problems/promptProblems.ts';
import { type PromptRunEnd, runPrompt } from '../../../core/prompts/promptRun.ts';
import type { Problem } from '../../../shared/problem.ts';
import { commandIds, contextKeys } from '../../settings/contributions.ts';
import type { WalkthroughSteps } from '../../settings/walkthroughSteps.ts';
import type { Notifier } from '../../platform/notify.ts';
import { besideTarget } from '../into/besideTarget.ts';
import { cursorTarget } from '../into/cursorTarget.ts';
import { LiveSource } from './liveSource.ts';
import { type Plan, planPrompt, type PromptPlanDeps, type PromptWish } from './promptPlan.ts';
import { type PromptSource, sourceOf, sourceOfCommand } from './promptSource.ts';
import { isEditable } from '../../platform/isEditable.ts';
import { offerBlock } from '../offerBlock.ts';
import { ProposalSession } from '../proposal/proposalSession.ts';
import { Proposals } from '../proposal/proposals.ts';
import { ReplyLenses } from '../into/replyLenses.ts';
import type { ReplyTarget, ReplyTargetDeps } from '../into/replyTarget.ts';
import { type RunAgain, RunMessages } from './runMessages.ts';
import { partsOf } from './promptSource.ts';
import type { RunStatus } from './runStatus.ts';
import { FlowStep } from '../into/textFlow.ts';

export interface PromptRunnerDeps extends PromptPlanDeps {
  /**
   * @param prompt its name, for request history
   * @param stop called if the user stops it there
   */
  readonly clientFor: (prompt: string, model: ModelRef, stop: () => void) => InferenceCalls;
  readonly pickModel: (current: ModelRef | undefined) => Promise<ModelRef | undefined>;
  readonly askInChat: (text: string, place: ChatPlace, options: PromptOptions) => Promise<void>;
  /** Called with whether there are proposals whose reply would be lost with the window. */
  readonly noteProposals: (areOpen: boolean) => void;
  /** The user's last editor, whatever is in front. */
  readonly lastEditor: () => vscode.TextEditor | undefined;
  readonly notifier: Notifier;
  readonly status: RunStatus;
  readonly walkthrough: Pick<WalkthroughSteps, 'done'>;
}

/** A moment, and what the user was looking at. */
interface Asked {
  readonly at: number;
  readonly about: string;
}

/** How many of the latest wishes are compared with what was asked for before they were sent. */
const mostDecided = 20;

/** Runs prompts about the selection. */
export class PromptRunner implements vscode.Disposable {
  readonly #deps: PromptRunnerDeps;
  readonly #messages: RunMessages;
  #proposals: Proposals | undefined;
  #lenses: ReplyLenses | undefined;
  /** Wishes whose request isn't sent yet, by {@link wishKey}. */
  readonly #planned = new Set<string>();
  /** When it was decided for each wish what is sent, by {@link wishKey}. */
  readonly #decided = new Map<string, number>();
  /** Counts what users ask for and what is decided. */
  #now = 0;

  constructor(deps: PromptRunnerDeps) {
    this.#deps = deps;
    this.#messages = new RunMessages(deps);
  }

  get proposals(): Proposals {
    this.#proposals ??= new Proposals({
      explain: (problem, reply) => this.#messages.explain(problem, reply),
      note: this.#deps.noteProposals,
    });
    return this.#proposals;
  }

  /**
   * For {@link run}, if something has to be read first: by then, another run might have been sent, and its reply be in
   * front.
   * @param source what it's about; by default, the user's last editor
   */
  asks(source = sourceOfCommand(this.#deps.lastEditor())): Asked {
    this.#now += 1;
    return { at: this.#now, about: aboutOf(source) };
  }

  /**
   * Settles when the reply is in place; in a chat, when the question was sent.
   * @param asked when the user asked for it
   */
  async run(wish: PromptWish, asked = this.asks(wish.source)): Promise<void> {
    // A second click before the first shows anything would be charged like the first.
    const key = wishKey(wish, asked);
    if (this.#planned.has(key) || (this.#decided.get(key) ?? 0) > asked.at) return;
    const source = wish.source ?? sourceOfCommand(this.#deps.lastEditor());
    const live = source && new LiveSource(source);
    try {
      this.#planned.add(key);
      const plan = await this.#plan(wish, live).finally(() => this.#noteDecided(key));
      if (plan === undefined) return;
      this.#deps.walkthrough.done(contextKeys.promptUsed);
      const { definition, target, parts } = plan;
      if (target === 'newChat' || target === 'currentChat') {
        const isOwn = definition.options.model !== undefined || plan.isOtherModel;
        const own = isOwn ? { model: plan.model } : {};
        return await this.#deps.askInChat(parts[0]?.text ?? '', target, { ...definition.options, ...own });
      }
      if (target === 'compare') {
        const { model, ...options } = definition.options;
        const text = parts[0]?.text ?? '';
        const { comparison } = wish;
        const where = comparison === undefined ? model !== undefined && { models: [plan.model] } : { comparison };
        const start = { text, content: text, options, ...where };
        return void (await vscode.commands.executeCommand(commandIds.compareModels, start));
      }
      // With the default of that time, unless the user selected another service for this run.
      const { model: _, ...later } = wish;
      const other = plan.isOtherModel ? { model: plan.model } : {};
      await this.#stream(plan, (ends) => this.#again({ ...later, ...other, target }, live, ends));
    } finally {
      live?.dispose();
    }
  }

  /** Proposes a reply that's complete in place of what is selected, or of the block that the user selects. */
  async propose(title: string, reply: string, editor: vscode.TextEditor): Promise<void> {
    const source = sourceOf(editor);
    const [range] = source.ranges;
    const chosen =
      range === undefined
        ? await offerBlock(source, {
            title: vscode.l10n.t('Select What to Replace'),
            placeholder: vscode.l10n.t('The reply is shown as a change to it'),
          })
        : { ...source, ranges: [range] };
    if (chosen === undefined) return;
    if (chosen.ranges.length === 0) return this.#refuse(problemOfNothingSelected());
    const { document } = chosen;
    if (!(await isEditable(document))) {
      return this.#refuse(problemOfReadOnly(pathOf(document.uri)));
    }
    const name = document.uri.path.split('/').at(-1) ?? '';
    const shown = vscode.l10n.t('{0}: {1} (proposed change)', name, title);
    const session = new ProposalSession(
      shown,
      chosen,
      chosen.ranges.map((each) => document.getText(each)),
    );
    await this.proposals.show(session, () => undefined);
    session.complete(0, reply);
    if (session.changes().length > 0) return;
    await this.proposals.dismiss(session);
    this.#messages.info(vscode.l10n.t('The model suggested no changes.'), reply);
  }

  dispose(): void {
    this.#proposals?.dispose();
    this.#lenses?.dispose();
  }

  #noteDecided(key: string): void {
    this.#planned.delete(key);
    this.#decided.delete(key);
    this.#now += 1;
    this.#decided.set(key, this.#now);
    // What is asked for twice comes within moments.
    const [oldest] = this.#decided.keys();
    if (this.#decided.size > mostDecided && oldest !== undefined) this.#decided.delete(oldest);
  }

  async #plan(wish: PromptWish, live: LiveSource | undefined): Promise<Plan | undefined> {
    try {
      return await planPrompt(wish, live, this.#deps, (problem) => this.#refuse(problem));
    } catch (error) {
      this.#messages.notRun(error, this.#again(wish, live, []));
      return undefined;
    }
  }

  async #stream(plan: Plan, again: (ends: readonly PromptRunEnd[]) => RunAgain): Promise<void> {
    const abort = new AbortController();
    const stop = () => abort.abort();
    const session = plan.target === 'replace' ? await this.#propose(plan, stop) : undefined;
    const withWords: string[] = [];
    const leftOut = (reply: string) => void withWords.push(reply);
    const targets =
      session === undefined ? await this.#targets(plan, stop, leftOut) : proposalTargets(session, plan.parts);
    try {
      const ends = await this.#ask(plan, targets, abort);
      if (withWords.length > 0) this.#messages.leftOut(withWords);
      await this.#concluded(plan, ends, session, () => again(ends));
    } finally {
      for (const target of targets) target.dispose();
    }
  }

  /** Sends one request after another, until one fails or is stopped. */
  #ask(plan: Plan, targets: readonly ReplyTarget[], abort: AbortController): Promise<readonly PromptRunEnd[]> {
    return this.#deps.status.during(plan.definition.title, plan.model, abort, async (report) => {
      const all: PromptRunEnd[] = [];
      for (const [index, { text }] of plan.parts.entries()) {
        const target = targets[index];
        report.started(index + 1, plan.parts.length);
        const end = await runPrompt(this.#request(plan, text), abort.signal, {
          client: this.#deps.clientFor(plan.definition.title, plan.model, () => abort.abort()),
          ticks: () => performance.now(),
          onText: (soFar) => {
            report.grew(soFar);
            target?.write(soFar);
          },
          onRetry: (delayMs) => report.waits(delayMs),
        });
        await target?.finish(end);
        report.ended(end);
        all.push(end);
        if (end.outcome === 'failed' || abort.signal.aborted) break;
      }
      return all;
    });
  }

  #request({ definition, model }: Plan, text: string): ChatRequest {
    const options = effectiveOptions(definition.options, this.#deps.chatDefaults());
    return chatBody(model, options, [{ role: 'user', content: text }]);
  }

  async #targets(plan: Plan, stop: () => void, leftOut: ReplyTargetDeps['leftOut']): Promise<readonly ReplyTarget[]> {
    const { definition, source, target, model, parts, testUri } = plan;
    const lenses = (this.#lenses ??= new ReplyLenses((problem) => this.#messages.explain(problem)));
    const explain = (problem: Problem, reply: string) => this.#messages.explain(problem, reply);
    const beside = (index: number) => {
      const { text = '', values = {} } = parts[index] ?? {};
      const sent = this.#request(plan, text).messages;
      const prompt = definition.file === undefined ? undefined : { uri: definition.file, values };
      return besideTarget(model, lenses, { stop, explain, sent, prompt, testUri });
    };
    if (target !== 'cursor' || source === undefined) return [await beside(0)];
    const step = new FlowStep();
    return partsOf(source, target).map((part, index) =>
      cursorTarget(part, { stop, explain, leftOut, beside: () => beside(index), step }),
    );
  }

  async #propose({ definition, source, parts }: Plan, stop: () => void): Promise<ProposalSession> {
    if (source === undefined) throw new Error('A proposal without a document');
    const name = source.document.uri.path.split('/').at(-1) ?? '';
    const title = vscode.l10n.t('{0}: {1} (proposed change)', name, definition.title);
    const sent = parts.map((part) => part.sent);
    const session = new ProposalSession(title, source, sent);
    await this.proposals.show(session, stop);
    return session;
  }

  async #concluded(
    plan: Plan,
    ends: readonly PromptRunEnd[],
    session: ProposalSession | undefined,
    again: () => RunAgain,
  ): Promise<void> {
    const last = ends.at(-1);
    if (last === undefined) return;
    if (last.failure !== undefined) this.#messages.failed(plan.target, plan.model, last, again());
    if (session === undefined || session.isOver) return;
    session.end();
    const whole = ends.filter(({ outcome }) => outcome === 'done').length;
    if (whole < plan.parts.length) this.#messages.endedEarly(ends, plan.parts.length, again);
    // A user who sees why part is missing might still want to read the rest.
    if (session.state === 'failed' && last.outcome !== 'stopped') return;
    if (session.changes().length > 0 || session.conflicts().length > 0) return;
    await this.proposals.dismiss(session);
    if (whole < plan.parts.length) return;
    if (ends.every(({ text }) => text.trim() === '')) return this.#messages.explain(problemOfEmptyReply());
    this.#messages.info(vscode.l10n.t('The model suggested no changes.'), last.text);
  }

  /** Repeats what isn't done, at its current position. */
  #again(wish: PromptWish, live: LiveSource | undefined, ends: readonly PromptRunEnd[]): RunAgain {
    const source = live?.present;
    const isPart = ends.length > 1;
    const left = source?.ranges.filter((_range, index) => !isPart || ends[index]?.outcome !== 'done');
    const later = source && left && new LiveSource({ ...source, ranges: left });
    const run = async (model = wish.model) => {
      const present = later?.present;
      if (live !== undefined && present === undefined) return this.#refuse(problemOfLostSelection());
      await this.run({ ...wish, ...(model !== undefined && { model }), ...(present && { source: present }) });
    };
    return {
      run: () => run(),
      runWithAnother: async () => {
        const model = await this.#selectOther(wish);
        if (model !== undefined) await run(model);
      },
      dispose: () => later?.dispose(),
    };
  }

  /** Another default would change nothing for a prompt with a model of its own, or one that was selected for it. */
  async #selectOther({ definition, model }: PromptWish): Promise<ModelRef | undefined> {
    const { model: written } = definition.options;
    if (model !== undefined || written !== undefined)
      return this.#deps.pickModel(model ?? (written && (await this.#deps.writtenModel(written))));
    return vscode.commands.executeCommand<ModelRef | undefined>(commandIds.selectDefaultModel);
  }

  #refuse(problem: Problem): undefined {
    this.#messages.explain(problem);
  }
}

/** Writes each reply into its part of the proposal. */
function proposalTargets(session: ProposalSession, parts: readonly unknown[]): readonly ReplyTarget[] {
  return parts.map((_part, index) => ({
    write: (text) => session.write(index, text),
    finish: async (end) => {
      if (end.outcome === 'done') session.complete(index, end.text);
      else session.write(index, end.text);
    },
    // The session stays until the user has decided.
    dispose: () => undefined,
  }));
}

/** The same for two wishes for the same prompt, about the same text. */
function wishKey(wish: PromptWish, { about }: Asked): string {
  const { definition, target, comparison, model, diagnostics = [], inputs = [] } = wish;
  const problems = diagnostics.map(({ message, range }) => [message, range]);
  return JSON.stringify([definition, target, comparison, model, about, problems, [...inputs]]);
}

function aboutOf(source: PromptSource | undefined): string {
  return JSON.stringify(source && [source.document.uri.toString(), source.ranges, source.cursors]);
}
