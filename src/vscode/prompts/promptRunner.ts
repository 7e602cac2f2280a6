import { performance } from 'node:perf_hooks';
import * as vscode from 'vscode';
import type { ChatClient, ChatRequest } from '../../api/types.ts';
import { promptRequest } from '../../core/chatRequest.ts';
import type { PromptDefinition, PromptOptions, PromptTarget } from '../../core/promptDefinition.ts';
import {
  problemOfEmptyReply,
  problemOfLostSelection,
  problemOfNoEditor,
  problemOfNothingSelected,
} from '../../core/promptProblems.ts';
import { type PromptRunEnd, runPrompt } from '../../core/promptRun.ts';
import { contextsIn, needsSelection } from '../../core/promptTemplate.ts';
import type { ChatOptions } from '../../shared/chat.ts';
import type { Problem } from '../../shared/problem.ts';
import type { ChatPlace } from '../chat/chatPlace.ts';
import type { Explainer } from '../explainer.ts';
import type { Notifier } from '../notify.ts';
import { besideTarget } from './besideTarget.ts';
import { chooseTarget } from './chooseTarget.ts';
import { cursorTarget } from './cursorTarget.ts';
import { LiveSource } from './liveSource.ts';
import { obstacleTo } from './obstacleTo.ts';
import { offerBlock } from './offerBlock.ts';
import { currentSource, type PromptSource, selectedText } from './promptSource.ts';
import { askInputs, type GivenValues, needsEditor, promptText, usesClipboard } from './promptValues.ts';
import { proposalTargets } from './proposalTargets.ts';
import { ProposalSession } from './proposalSession.ts';
import { Proposals } from './proposals.ts';
import { ReplyLenses } from './replyLenses.ts';
import type { ReplyTarget } from './replyTarget.ts';
import { type RunAgain, RunMessages } from './runMessages.ts';
import { partsOf, writes } from './runParts.ts';
import { mayGoWith, maySend } from './runQuestions.ts';
import type { RunStatus } from './runStatus.ts';
import { FlowStep } from './textFlow.ts';

export interface PromptRunnerDeps {
  readonly client: ChatClient;
  /** @throws {ApiError} with a setup failure when a request could not be made at all. */
  readonly checkSetup: () => Promise<unknown>;
  readonly chatDefaults: () => ChatOptions;
  /** Where replies go by the person's setting; undefined where each prompt says it itself. */
  readonly target: () => PromptTarget | 'ask' | undefined;
  /** Above this many tokens, about, a person is asked before anything is sent; null is never. */
  readonly askAboveTokens: () => number | null;
  /** In tokens, where the catalogue says it. */
  readonly contextWindowOf: (model: string) => Promise<number | undefined>;
  readonly askInChat: (text: string, place: ChatPlace, options: PromptOptions) => Promise<void>;
  /** Told whether there are proposals whose reply would be lost with the window. */
  readonly noteProposals: (areOpen: boolean) => void;
  readonly explainer: Explainer;
  readonly notifier: Notifier;
  readonly status: RunStatus;
}

/** A prompt, and what the person or the command has decided about it already. */
export interface PromptWish {
  readonly definition: PromptDefinition;
  readonly target?: PromptTarget | 'ask';
  readonly source?: PromptSource;
  readonly diagnostics?: readonly vscode.Diagnostic[];
  readonly inputs?: ReadonlyMap<string, string>;
}

/** All that is decided: what is sent, and where its reply goes. */
interface Plan {
  readonly definition: PromptDefinition;
  readonly target: PromptTarget;
  /** As it is when the first request is sent. */
  readonly source: PromptSource | undefined;
  /** One for each request. With several, each is about one of the source's ranges. */
  readonly parts: readonly PlanPart[];
  readonly model: string;
}

interface PlanPart {
  readonly text: string;
  /** What was selected when the text was made: the person may have gone on typing since. */
  readonly sent: string;
}

/** Runs prompts on what is selected. */
export class PromptRunner implements vscode.Disposable {
  readonly #deps: PromptRunnerDeps;
  readonly #messages: RunMessages;
  #proposals: Proposals | undefined;
  #lenses: ReplyLenses | undefined;

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

  /** Settles when the reply is where it belongs; in a chat, when it was asked. */
  async run(wish: PromptWish): Promise<void> {
    const source = wish.source ?? currentSource();
    const live = source && new LiveSource(source);
    try {
      const plan = await this.#plan(wish, live);
      if (plan === undefined) return;
      const { definition, target, parts } = plan;
      if (target === 'newChat' || target === 'currentChat') {
        return await this.#deps.askInChat(parts[0]?.text ?? '', target, definition.options);
      }
      await this.#stream(plan, (ends) => this.#again({ ...wish, target }, live, ends));
    } finally {
      live?.dispose();
    }
  }

  dispose(): void {
    this.#proposals?.dispose();
    this.#lenses?.dispose();
  }

  /** Undefined when the person leaves or something is missing, which has been said. */
  async #plan(wish: PromptWish, live: LiveSource | undefined): Promise<Plan | undefined> {
    const { definition } = wish;
    const { template } = definition;
    await this.#deps.checkSetup();
    const model = definition.options.model ?? this.#deps.chatDefaults().model;
    if (model === undefined) return this.#refuse(this.#deps.explainer.problem({ kind: 'setup', missing: 'model' }));

    let target = wish.target ?? this.#deps.target() ?? definition.target;
    if (target === 'ask') {
      const chosen = await chooseTarget(definition.title);
      if (chosen === undefined) return undefined;
      target = chosen;
    }
    if (live === undefined && (writes(target) || needsEditor(template))) return this.#refuse(problemOfNoEditor());
    const obstacle = live !== undefined && writes(target) ? await obstacleTo(live) : undefined;
    if (obstacle !== undefined) {
      this.#refuse(obstacle);
      target = 'beside';
    }
    const unselected = live?.present;
    if (unselected?.ranges.length === 0 && (needsSelection(template) || target === 'replace')) {
      const offered = await offerBlock(unselected);
      if (offered === undefined) return undefined;
      if (offered.ranges.length === 0) return this.#refuse(problemOfNothingSelected());
      live?.select(offered.ranges);
    }

    const inputs = await askInputs(template, definition.title, wish.inputs);
    if (inputs === undefined) return undefined;
    const clipboard = usesClipboard(template) ? await vscode.env.clipboard.readText() : '';
    const about = live?.present;
    if (live !== undefined && about === undefined) return this.#refuse(problemOfLostSelection());
    const contexts = await this.#contexts(template, about);
    if (contexts === undefined) return undefined;
    if (definition.isForeign && !(await mayGoWith(definition.title, { clipboard, contexts }))) return undefined;
    const contextWindow = await this.#deps.contextWindowOf(model);
    const given: GivenValues = {
      inputs,
      clipboard,
      contexts,
      ...(wish.diagnostics && { diagnostics: wish.diagnostics }),
    };
    const read = await sourceFor(target, live);
    if (live !== undefined && read === undefined) return this.#refuse(problemOfLostSelection());
    const parts = partsOf(read, target).map((part) => ({
      text: promptText(template, part, given),
      sent: part === undefined ? '' : selectedText(part),
    }));
    const askAboveTokens = this.#deps.askAboveTokens();
    const texts = parts.map(({ text }) => text);
    if (!(await maySend(texts, model, { askAboveTokens, contextWindow }))) return undefined;
    const source = await sourceFor(target, live);
    if (writes(target) && source === undefined) return this.#refuse(problemOfLostSelection());
    return { definition, target, source, parts, model };
  }

  async #contexts(template: string, source: PromptSource | undefined): Promise<GivenValues['contexts'] | undefined> {
    const names = contextsIn(template);
    if (names.length === 0) return new Map();
    const { takeContexts } = await import('./promptContexts.ts');
    const taken = await takeContexts(names, source);
    return taken !== undefined && 'severity' in taken ? this.#refuse(taken) : taken;
  }

  async #stream(plan: Plan, again: (ends: readonly PromptRunEnd[]) => RunAgain): Promise<void> {
    const abort = new AbortController();
    const stop = () => abort.abort();
    const session = plan.target === 'replace' ? await this.#propose(plan, stop) : undefined;
    const targets = session === undefined ? await this.#targets(plan, stop) : proposalTargets(session, plan.parts);
    try {
      const ends = await this.#ask(plan, targets, abort);
      await this.#concluded(plan, ends, session, () => again(ends));
    } finally {
      for (const target of targets) target.dispose();
    }
  }

  /** Sends one request after the other. After one that failed or was stopped there are no more. */
  #ask(plan: Plan, targets: readonly ReplyTarget[], abort: AbortController): Promise<readonly PromptRunEnd[]> {
    return this.#deps.status.during(plan.definition.title, plan.model, abort, async (report) => {
      const all: PromptRunEnd[] = [];
      for (const [index, { text }] of plan.parts.entries()) {
        const target = targets[index];
        report.started(index + 1, plan.parts.length);
        const end = await runPrompt(this.#request(plan, text), abort.signal, {
          client: this.#deps.client,
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
    const { temperature, maxTokens } = definition.options;
    const options: ChatOptions = {
      ...this.#deps.chatDefaults(),
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { maxTokens }),
    };
    return promptRequest(model, options, text);
  }

  async #targets(plan: Plan, stop: () => void): Promise<readonly ReplyTarget[]> {
    const { source, target, model } = plan;
    const lenses = (this.#lenses ??= new ReplyLenses());
    const explain = (problem: Problem, reply: string) => this.#messages.explain(problem, reply);
    const beside = () => besideTarget(model, lenses, { stop, explain });
    if (target !== 'cursor' || source === undefined) return [await beside()];
    const step = new FlowStep();
    return partsOf(source, target).map((part) => cursorTarget(part, { stop, explain, beside, step }));
  }

  async #propose({ definition, source, parts }: Plan, stop: () => void): Promise<ProposalSession> {
    if (source === undefined) throw new Error('A proposal without a document');
    const name = source.document.uri.path.split('/').at(-1) ?? '';
    const title = vscode.l10n.t('{0}: {1} (proposal)', name, definition.title);
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
    // Who sees why nothing came may still want to read what did.
    if (session.state === 'failed' && last.outcome !== 'stopped') return;
    if (session.changes().length > 0 || session.conflicts().length > 0) return;
    await this.proposals.dismiss(session);
    if (whole < plan.parts.length) return;
    if (ends.every(({ text }) => text.trim() === '')) return this.#messages.explain(problemOfEmptyReply());
    this.#messages.info(vscode.l10n.t('The reply changes nothing in the selected text.'), last.text);
  }

  /** Repeats what is not done, where it is by then. */
  #again(wish: PromptWish, live: LiveSource | undefined, ends: readonly PromptRunEnd[]): RunAgain {
    const source = live?.present;
    const isPart = ends.length > 1;
    const left = source?.ranges.filter((_range, index) => !isPart || ends[index]?.outcome !== 'done');
    const later = source && left && new LiveSource({ ...source, ranges: left });
    return {
      run: async () => {
        const present = later?.present;
        if (live !== undefined && present === undefined) return this.#refuse(problemOfLostSelection());
        await this.run({ ...wish, ...(present && { source: present }) });
      },
      dispose: () => later?.dispose(),
    };
  }

  #refuse(problem: Problem): undefined {
    this.#messages.explain(problem);
  }
}

/** What the prompt is about as it is now; undefined where that is gone. */
async function sourceFor(target: PromptTarget, live: LiveSource | undefined): Promise<PromptSource | undefined> {
  return writes(target) ? live?.opened() : live?.present;
}
