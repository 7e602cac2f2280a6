import type { ModelRef } from '../../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { pathOf } from '../../attachments/sources/documentContext.ts';
import type { PromptDefinition, PromptTarget } from '../../../core/prompts/promptDefinition.ts';
import {
  problemOfLostSelection,
  problemOfNoEditor,
  problemOfNothingSelected,
  problemOfReadOnly,
  problemOfSeveralCells,
} from '../../../core/problems/promptProblems.ts';
import { aroundIn, contextsIn, needsSelection } from '../../../core/prompts/promptTemplate.ts';
import type { ChatOptions } from '../../../shared/chat.ts';
import type { Problem } from '../../../shared/problem.ts';
import type { Explainer } from '../../problems/explainer.ts';
import type { ServiceSupport } from '../../service/serviceSupport.ts';
import { chooseTarget } from './chooseTarget.ts';
import type { LiveSource } from './liveSource.ts';
import { offerBlock } from '../offerBlock.ts';
import { type PromptSource, selectedText } from './promptSource.ts';
import {
  askInputs,
  diagnosticsSent,
  type GivenValues,
  needsEditor,
  pathsIn,
  filledPrompt,
  promptValues,
  usesClipboard,
  usesDocument,
} from './promptValues.ts';
import { takeContexts } from './promptContexts.ts';
import { type PartSurroundings, takeSurroundings } from './promptSurroundings.ts';
import { partsOf, writes } from './promptSource.ts';
import { mayAsk, mayGoWith } from './runQuestions.ts';
import { isEditable } from '../../platform/isEditable.ts';
import { maySend } from '../../attachments/secretFile.ts';

/** What planning a prompt needs. */
export interface PromptPlanDeps {
  /** @throws {ApiError} with a setup failure if no request could be made at all. */
  readonly checkSetup: (model: ModelRef | undefined) => Promise<unknown>;
  readonly chatDefaults: () => ChatOptions;
  /** The model of the chat that a prompt for the current chat is asked in, if there's one already. */
  readonly currentChatModel: () => Promise<ModelRef | undefined>;
  /** The user's setting for where replies are put; undefined if each prompt decides. */
  readonly target: () => PromptTarget | 'ask' | undefined;
  /** Above this many estimated tokens, the user is asked before anything is sent; null for never. */
  readonly confirmAboveTokens: () => number | null;
  /**
   * The model that a prompt file names. If that was a model of a service that was removed, it still is: nothing is sent
   * to another service instead.
   */
  readonly writtenModel: (text: string) => Promise<ModelRef>;
  readonly support: Pick<ServiceSupport, 'modelFor'>;
  /** In tokens, if the model list has it. */
  readonly contextWindowOf: (model: ModelRef) => Promise<number | undefined>;
  /** Whether the code around the selection can be sent with it. */
  readonly includeSurroundingCode: () => boolean;
  readonly explainer: Explainer;
  /** Called with a bug that leaves out surrounding code. */
  readonly onError: (error: unknown) => void;
}

/** A prompt, and what the user or the command has already decided about it. */
export interface PromptWish {
  readonly definition: PromptDefinition;
  readonly target?: PromptTarget | 'ask';
  /** The open comparison to use, for the target `compare`; a new one by default. */
  readonly comparison?: string;
  /** The model, if it's decided already. */
  readonly model?: ModelRef;
  readonly source?: PromptSource;
  readonly diagnostics?: readonly vscode.Diagnostic[];
  readonly inputs?: ReadonlyMap<string, string>;
}

/** All decisions: what is sent, and where its reply is put. */
export interface Plan {
  readonly definition: PromptDefinition;
  readonly target: PromptTarget;
  /** The source when the first request is sent. */
  readonly source: PromptSource | undefined;
  /** One text per request. If there are several, each is about one of the source's ranges. */
  readonly parts: readonly PlanPart[];
  /** Empty if that of the current chat or of a comparison replies, and there's no default. */
  readonly model: ModelRef;
  /** The model is neither the prompt's own nor the default. */
  readonly isOtherModel: boolean;
  /** Where the requested tests belong. */
  readonly testUri?: vscode.Uri;
}

interface PlanPart {
  readonly text: string;
  /** The selection when the text was created: the user might have edited it since. */
  readonly sent: string;
  /** What the prompt's variables stand for, by name. */
  readonly values: Readonly<Record<string, string>>;
}

/** Undefined if the user cancels or something is missing, which was reported. */
export async function planPrompt(
  wish: PromptWish,
  live: LiveSource | undefined,
  deps: PromptPlanDeps,
  refuse: (problem: Problem) => undefined,
): Promise<Plan | undefined> {
  const { definition } = wish;
  const template = templateOf(wish, deps);
  const usual = await usualModel(definition, deps);

  let target = wish.target ?? deps.target() ?? definition.target;
  if (target === 'ask') {
    const chosen = await chooseTarget(definition.title);
    if (chosen === undefined) return undefined;
    target = chosen;
  }
  if (asksModelOf(target)) {
    const own = wish.model ?? usual;
    await deps.checkSetup(own);
    if (own === undefined) return refuse(deps.explainer.problem({ kind: 'setup', missing: 'model' }));
  }
  const model = wish.model ?? (await servedModel(definition, target, deps, usual));
  if (model === undefined) return undefined;
  if (live === undefined && (writes(target) || needsEditor(template))) return refuse(problemOfNoEditor());
  const obstacle = live !== undefined && writes(target) ? await obstacleTo(live) : undefined;
  if (obstacle !== undefined) {
    refuse(obstacle);
    target = 'beside';
  }
  const unselected = live?.present;
  if (unselected?.ranges.length === 0 && (needsSelection(template) || target === 'replace')) {
    const offered = await offerBlock(unselected);
    if (offered === undefined) return undefined;
    if (offered.ranges.length === 0) return refuse(problemOfNothingSelected());
    live?.select(offered.ranges);
  }

  const inputs = await askInputs(template, definition.title, wish.inputs);
  if (inputs === undefined) return undefined;
  const clipboard = usesClipboard(template) ? await vscode.env.clipboard.readText() : '';
  const about = live?.present;
  if (live !== undefined && about === undefined) return refuse(problemOfLostSelection());
  const contexts = await contextsOf(template, about, refuse);
  if (contexts === undefined) return undefined;
  // A file that is sent whole was already confirmed together with it.
  const isAsked = contexts.has('fileContent') || contexts.has('symbol');
  if (about !== undefined && usesDocument(template) && !isAsked && !(await mayRead(about))) return undefined;
  const replying = asksModelOf(target) ? model : await modelElsewhere(target, deps);
  const contextWindow = replying && (await deps.contextWindowOf(replying));
  const around = await surroundingsOf(template, partsOf(about, target), contextWindow, deps);
  const shown = [...new Set(around.flatMap((each) => each.shown))];
  const diagnostics = diagnosticsSent(template, about, wish.diagnostics);
  if (definition.isForeign) {
    const paths = pathsIn(template, about);
    if (!(await mayGoWith(definition.title, { clipboard, contexts, paths, diagnostics, shown }))) return undefined;
  }
  const given: GivenValues = {
    inputs,
    clipboard,
    contexts,
    ...(wish.diagnostics && { diagnostics: wish.diagnostics }),
  };
  const read = await sourceFor(target, live);
  if (live !== undefined && read === undefined) return refuse(problemOfLostSelection());
  const parts = partsOf(read, target).map((part, index) => {
    const all = { ...given, around: around[index]?.values ?? new Map() };
    return {
      text: filledPrompt(template, part, all),
      sent: part === undefined ? '' : selectedText(part),
      values: promptValues(template, part, all),
    };
  });
  const confirmAboveTokens = deps.confirmAboveTokens();
  const texts = parts.map(({ text }) => text);
  if (!(await mayAsk(texts, replying, { confirmAboveTokens, contextWindow, diagnostics, shown }))) return undefined;
  const source = await sourceFor(target, live);
  if (writes(target) && source === undefined) return refuse(problemOfLostSelection());
  const testUri = around[0]?.testUri;
  const isOtherModel = model !== (usual ?? '');
  return { definition, target, source, parts, model, isOtherModel, ...(testUri && { testUri }) };
}

/** The model that a prompt names, or the default. */
async function usualModel(
  { options }: PromptDefinition,
  { chatDefaults, writtenModel }: Pick<PromptPlanDeps, 'chatDefaults' | 'writtenModel'>,
): Promise<ModelRef | undefined> {
  return options.model === undefined ? chatDefaults().model : writtenModel(options.model);
}

/** Whether the prompt's model or the default replies. A current chat and a comparison have models of their own. */
function asksModelOf(target: PromptTarget | 'ask'): boolean {
  return target !== 'compare' && target !== 'currentChat';
}

/** The model of the current chat. A comparison has several. */
async function modelElsewhere(
  target: PromptTarget,
  { currentChatModel }: Pick<PromptPlanDeps, 'currentChatModel'>,
): Promise<ModelRef | undefined> {
  return target === 'currentChat' ? currentChatModel() : undefined;
}

/**
 * The model that replies: another service's if the user prefers that, because this one is known not to support chat.
 * Undefined if the user cancels.
 */
export async function servedModel(
  definition: PromptDefinition,
  target: PromptTarget | 'ask',
  deps: Pick<PromptPlanDeps, 'chatDefaults' | 'writtenModel' | 'support'>,
  usual?: ModelRef,
): Promise<ModelRef | undefined> {
  const before = usual ?? (await usualModel(definition, deps)) ?? '';
  return asksModelOf(target) && before !== '' ? deps.support.modelFor('chat', before) : before;
}

/** A problem that the user selected to be fixed is sent in any case. */
function templateOf({ definition, diagnostics }: PromptWish, deps: PromptPlanDeps): string {
  const { template, bareTemplate = template } = definition;
  return deps.includeSurroundingCode() || diagnostics !== undefined ? template : bareTemplate;
}

async function surroundingsOf(
  template: string,
  parts: readonly (PromptSource | undefined)[],
  contextWindow: number | undefined,
  { includeSurroundingCode, onError }: Pick<PromptPlanDeps, 'includeSurroundingCode' | 'onError'>,
): Promise<readonly PartSurroundings[]> {
  if (aroundIn(template).length === 0 || !includeSurroundingCode()) return [];
  return takeSurroundings(template, parts, { contextWindow, onError });
}

async function contextsOf(
  template: string,
  source: PromptSource | undefined,
  refuse: (problem: Problem) => undefined,
): Promise<GivenValues['contexts'] | undefined> {
  const names = contextsIn(template);
  if (names.length === 0) return new Map();
  const taken = await takeContexts(names, source);
  return taken !== undefined && 'severity' in taken ? refuse(taken) : taken;
}

/** Asks if the document might contain passwords or keys. */
async function mayRead({ document }: PromptSource): Promise<boolean> {
  return maySend(document.uri);
}

/** What the prompt is about now; undefined if that is gone. */
async function sourceFor(target: PromptTarget, live: LiveSource | undefined): Promise<PromptSource | undefined> {
  return writes(target) ? live?.opened() : live?.present;
}

/** Why a reply can't be written into its source. */
async function obstacleTo({ document, present }: LiveSource): Promise<Problem | undefined> {
  if (present?.moreCells !== undefined) return problemOfSeveralCells();
  if (await isEditable(document)) return undefined;
  return problemOfReadOnly(pathOf(document.uri));
}
