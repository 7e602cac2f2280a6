import { performance } from 'node:perf_hooks';
import * as vscode from 'vscode';
import type { ChatClient, ChatRequest } from '../../api/types.ts';
import { promptRequest } from '../../core/chatRequest.ts';
import type { PromptDefinition, PromptOptions, PromptTarget } from '../../core/promptDefinition.ts';
import {
  problemOfEmptyReply,
  problemOfNoEditor,
  problemOfNothingSelected,
  problemOfReadOnly,
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
import { isEditable } from './isEditable.ts';
import { offerBlock } from './offerBlock.ts';
import { currentSource, type PromptSource } from './promptSource.ts';
import { askInputs, type GivenValues, needsEditor, promptText, usesClipboard } from './promptValues.ts';
import { ProposalSession } from './proposalSession.ts';
import { Proposals } from './proposals.ts';
import { ReplyLenses } from './replyLenses.ts';
import type { ReplyTarget } from './replyTarget.ts';
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
  readonly source: PromptSource | undefined;
  /** One for each request. With several, each is about one of the source's ranges. */
  readonly texts: readonly string[];
  readonly model: string;
}

/** Runs prompts on what is selected. */
export class PromptRunner implements vscode.Disposable {
  readonly #deps: PromptRunnerDeps;
  #proposals: Proposals | undefined;
  #lenses: ReplyLenses | undefined;

  constructor(deps: PromptRunnerDeps) {
    this.#deps = deps;
  }

  get proposals(): Proposals {
    this.#proposals ??= new Proposals({
      explain: (problem, reply) => this.#explain(problem, reply),
      note: this.#deps.noteProposals,
    });
    return this.#proposals;
  }

  /** Settles when the reply is where it belongs; in a chat, when it was asked. */
  async run(wish: PromptWish): Promise<void> {
    const plan = await this.#plan(wish);
    if (plan === undefined) return;
    const { definition, target, texts } = plan;
    if (target === 'newChat' || target === 'currentChat') {
      return this.#deps.askInChat(texts[0] ?? '', target, definition.options);
    }
    return this.#stream(plan, () => this.run({ ...wish, target, ...(plan.source && { source: plan.source }) }));
  }

  dispose(): void {
    this.#proposals?.dispose();
    this.#lenses?.dispose();
  }

  /** Undefined when the person leaves or something is missing, which has been said. */
  async #plan(wish: PromptWish): Promise<Plan | undefined> {
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
    let source = wish.source ?? currentSource();
    const writes = target === 'replace' || target === 'cursor';
    if (source === undefined && (writes || needsEditor(template))) return this.#refuse(problemOfNoEditor());
    if (source !== undefined && writes && !(await isEditable(source.document))) {
      this.#refuse(problemOfReadOnly(vscode.workspace.asRelativePath(source.document.uri, false)));
      target = 'beside';
    }
    if (source?.ranges.length === 0 && (needsSelection(template) || target === 'replace')) {
      source = await offerBlock(source);
      if (source === undefined) return undefined;
      if (source.ranges.length === 0) return this.#refuse(problemOfNothingSelected());
    }

    const inputs = await askInputs(template, definition.title, wish.inputs);
    if (inputs === undefined) return undefined;
    const clipboard = usesClipboard(template) ? await vscode.env.clipboard.readText() : '';
    const contexts = await this.#contexts(template, source);
    if (contexts === undefined) return undefined;
    if (definition.isForeign && !(await mayGoWith(definition.title, { clipboard, contexts }))) return undefined;
    const given: GivenValues = {
      inputs,
      clipboard,
      contexts,
      ...(wish.diagnostics && { diagnostics: wish.diagnostics }),
    };
    const texts = sources(source, target).map((part) => promptText(template, part, given));
    const contextWindow = await this.#deps.contextWindowOf(model);
    const askAboveTokens = this.#deps.askAboveTokens();
    if (!(await maySend(texts, model, { askAboveTokens, contextWindow }))) return undefined;
    return { definition, target, source, texts, model };
  }

  async #contexts(template: string, source: PromptSource | undefined): Promise<GivenValues['contexts'] | undefined> {
    const names = contextsIn(template);
    if (names.length === 0) return new Map();
    const { takeContexts } = await import('./promptContexts.ts');
    const taken = await takeContexts(names, source);
    return taken !== undefined && 'severity' in taken ? this.#refuse(taken) : taken;
  }

  async #stream(plan: Plan, again: () => Promise<void>): Promise<void> {
    const abort = new AbortController();
    const stop = () => abort.abort();
    const session = plan.target === 'replace' ? await this.#propose(plan, stop) : undefined;
    const targets = session === undefined ? await this.#targets(plan, stop) : proposalTargets(session, plan.texts);
    const ends = await this.#deps.status.during(plan.definition.title, plan.model, abort, async (report) => {
      const all: PromptRunEnd[] = [];
      for (const [index, text] of plan.texts.entries()) {
        const target = targets[index];
        report.started(index + 1, plan.texts.length);
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
    await this.#concluded(plan, ends, session, again);
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
    const explain = (problem: Problem, reply: string) => this.#explain(problem, reply);
    const beside = () => besideTarget(model, lenses, { stop, explain });
    if (target !== 'cursor' || source === undefined) return [await beside()];
    const step = new FlowStep();
    return sources(source, target).map((part) => cursorTarget(part, { stop, explain, beside, step }));
  }

  async #propose({ definition, source }: Plan, stop: () => void): Promise<ProposalSession> {
    if (source === undefined) throw new Error('A proposal without a document');
    const name = source.document.uri.path.split('/').at(-1) ?? '';
    const session = new ProposalSession(vscode.l10n.t('{0}: {1} (proposal)', name, definition.title), source);
    await this.proposals.show(session, stop);
    return session;
  }

  async #concluded(
    plan: Plan,
    ends: readonly PromptRunEnd[],
    session: ProposalSession | undefined,
    again: () => Promise<void>,
  ): Promise<void> {
    const last = ends.at(-1);
    if (last === undefined) return;
    if (last.failure !== undefined) this.#failed(plan, last, again);
    if (session === undefined) return;
    // Half an answer must not stand in for the whole text.
    if (ends.length < plan.texts.length || ends.some(({ outcome }) => outcome !== 'done')) {
      session.fail();
      if (last.failure === undefined && last.outcome === 'incomplete') this.#cut(last, again);
      return;
    }
    if (session.changes().length > 0 || session.conflicts().length > 0) return;
    await this.proposals.dismiss(session);
    if (ends.every(({ text }) => text.trim() === '')) return this.#explain(problemOfEmptyReply(), '');
    this.#deps.notifier.info(
      vscode.l10n.t('The reply changes nothing in the selected text.'),
      this.#opening(last.text),
    );
  }

  #failed({ target, model }: Plan, end: PromptRunEnd, again: () => Promise<void>): void {
    const { explainer, notifier } = this.#deps;
    const circumstances = { during: 'command', model, ...(end.attempts && { attempts: end.attempts }) } as const;
    const problem =
      end.error === undefined && end.failure !== undefined
        ? explainer.problem(end.failure, circumstances)
        : explainer.problemOfError(end.error, circumstances);
    const kept = target === 'replace' ? this.#opening(end.text) : [];
    const detail = end.text === '' ? problem.detail : `${problem.detail} ${vscode.l10n.t('The text so far is kept.')}`;
    notifier.problem({ ...problem, detail }, [{ label: vscode.l10n.t('Run Again'), run: again }, ...kept]);
  }

  /** The reply ended too early, so it is not proposed. */
  #cut(end: PromptRunEnd, again: () => Promise<void>): void {
    const title =
      end.finishReason === 'length'
        ? vscode.l10n.t('The reply reached the token limit before its end, so it cannot replace the text.')
        : vscode.l10n.t('The reply may be incomplete, so it cannot replace the text.');
    this.#deps.notifier.error(title, [{ label: vscode.l10n.t('Run Again'), run: again }, ...this.#opening(end.text)]);
  }

  #refuse(problem: Problem): undefined {
    this.#deps.notifier.problem(problem);
  }

  #explain(problem: Problem, reply: string): void {
    this.#deps.notifier.problem(problem, this.#opening(reply));
  }

  #opening(reply: string) {
    if (reply === '') return [];
    const run = async () => {
      await vscode.window.showTextDocument(
        await vscode.workspace.openTextDocument({ language: 'markdown', content: reply }),
      );
    };
    return [{ label: vscode.l10n.t('Open Reply'), run }];
  }
}

/** What is written into the document is asked for each selection by itself; all else at once. */
function sources(source: PromptSource, target: PromptTarget): readonly PromptSource[];
function sources(source: PromptSource | undefined, target: PromptTarget): readonly (PromptSource | undefined)[];
function sources(source: PromptSource | undefined, target: PromptTarget): readonly (PromptSource | undefined)[] {
  if (source === undefined || (target !== 'replace' && target !== 'cursor') || source.ranges.length < 2)
    return [source];
  return source.ranges.map((range) => ({ ...source, ranges: [range] }));
}

function proposalTargets(session: ProposalSession, texts: readonly string[]): readonly ReplyTarget[] {
  return texts.map((_text, part) => ({
    write: (text) => session.write(part, text),
    finish: async (end) => {
      if (end.outcome === 'done') session.complete(part, end.text);
      else session.write(part, end.text);
    },
  }));
}
