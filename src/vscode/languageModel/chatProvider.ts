import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { type ChatRequest, chatCompletion } from '../../api/operations/chatCompletion.ts';
import type { ToolCall } from '../../api/toolTypes.ts';
import type { ChatEvent, Usage } from '../../api/types.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { chatBody } from '../../core/chat/chatRequest.ts';
import { incompleteSentence } from '../../words/ending.ts';
import type { MeasuredModels } from '../../core/models/measuredModel.ts';
import { type ChatNumbers, chatNumbers, chatParameters } from '../../shared/chatParameters.ts';
import { isLengthEnding } from '../../shared/replyEnding.ts';
import type { Explainer } from '../problems/explainer.ts';
import { lackTitle, type ServiceSupport } from '../service/serviceSupport.ts';
import { abortOf } from '../platform/abortOf.ts';
import { CallContexts, type CallMade } from './callContexts.ts';
import { modelInformation, requestedOutput } from './modelInformation.ts';
import type { ModelConnection } from './modelConnection.ts';
import { wireMessages, wireTools } from './wireMessages.ts';
import { ApiError } from '../../api/apiError.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';
import { problemLine } from '../../shared/problem.ts';
import { plainEitherWay } from '../platform/plainLabel.ts';
import { estimatedTokens } from '../../words/tokens.ts';

/** What VS Code passes back when a model is used. */
export interface OfferedModel extends vscode.LanguageModelChatInformation {
  readonly model: ModelInfo;
  readonly connection: ModelConnection;
}

export interface ChatProviderDeps {
  /** The service in Parlance's own settings. Undefined until it's set up. */
  readonly own: () => Promise<ModelConnection | undefined>;
  /** Guides the user through what is missing. */
  readonly setUp: () => Promise<void>;
  /** A service that was added in VS Code's list of language models. @throws {ApiError} `setup` */
  readonly added: (configuration: Readonly<Record<string, unknown>>) => ModelConnection;
  readonly measured: MeasuredModels;
  readonly support: Pick<ServiceSupport, 'lacking' | 'lacksImages' | 'hasAcceptedImages' | 'load'>;
  /** For failures before the service is known. */
  readonly explainer: Explainer;
  /** The model list or information about its models changed. */
  readonly onDidChange: vscode.Event<void>;
}

/** Parlance's models in VS Code's own chat, and for other extensions. */
export class ChatProvider implements vscode.LanguageModelChatProvider<OfferedModel> {
  readonly #deps: ChatProviderDeps;
  /** By the versions of their models. */
  readonly #connections = new Map<string, ModelConnection>();
  readonly #contexts = new CallContexts();
  readonly onDidChangeLanguageModelChatInformation: vscode.Event<void>;

  constructor(deps: ChatProviderDeps) {
    this.#deps = deps;
    this.onDidChangeLanguageModelChatInformation = deps.onDidChange;
  }

  async provideLanguageModelChatInformation(
    options: vscode.PrepareLanguageModelChatModelOptions,
    token: vscode.CancellationToken,
  ): Promise<OfferedModel[]> {
    using abort = abortOf(token);
    const { signal } = abort;
    let connection: ModelConnection | undefined;
    try {
      connection = await this.#connection(options);
      if (connection === undefined) return [];
      const offering = connection;
      const models = await offering.models({ silent: options.silent, signal });
      const { support } = this.#deps;
      await support.load();
      const lacking = support.lacking('chat');
      return models.map((model) => {
        // IDs can be the same at two services, and extensions don't get VS Code's name for a service.
        const isOwn = offering.mark === '';
        const information = isOwn ? this.#information(model, lacking) : modelInformation(model);
        const version = isOwn ? model.id : `${model.id}@${offering.mark}`;
        this.#connections.set(version, offering);
        return { ...information, version, model, connection: offering };
      });
    } catch (error) {
      if (signal.aborted) return [];
      // VS Code shows this text next to the name of the service.
      throw languageModelError(error, connection?.explainer ?? this.#deps.explainer);
    }
  }

  async provideLanguageModelChatResponse(
    offered: OfferedModel,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    using abort = abortOf(token);
    const { signal } = abort;
    try {
      const request = wireRequest(offered, messages, options, this.#contexts);
      const stream = offered.connection.callsFor(offered.id).stream(chatCompletion(request), { signal });
      // A caller that sets a limit wants text that fits in it.
      const mayBeCut = numbersOfOptions(options.modelOptions).maxTokens !== undefined;
      await hand(stream, progress, mayBeCut, (call) => this.#contexts.keep(offered.version, call));
      offered.connection.answered();
    } catch (error) {
      if (signal.aborted) throw new vscode.CancellationError();
      if (error instanceof vscode.LanguageModelError) throw error;
      throw languageModelError(error, offered.connection.explainer, offered.id);
    }
  }

  provideTokenCount(_model: OfferedModel, text: string | vscode.LanguageModelChatRequestMessage): Promise<number> {
    return Promise.resolve(tokenCount(text));
  }

  #information(model: ModelInfo, lacking: ReadonlySet<string>): vscode.LanguageModelChatInformation {
    const { measured, support } = this.#deps;
    const { service } = refParts(model.id);
    return modelInformation(
      model,
      { figures: measured.figures(model.id) },
      {
        lack: lacking.has(service) ? lackTitle(service, 'chat') : undefined,
        lacksImages: support.lacksImages(service),
        hasAcceptedImages: support.hasAcceptedImages(model.id),
      },
    );
  }

  /** The service of a model that was offered here, for callers that use it directly. Undefined for any other. */
  connectionOf({ version }: Pick<vscode.LanguageModelChat, 'version'>): ModelConnection | undefined {
    return this.#connections.get(version);
  }

  async #connection(options: vscode.PrepareLanguageModelChatModelOptions): Promise<ModelConnection | undefined> {
    // Newer than the API we're typed against: VS Code before 1.109 has no such groups.
    const configuration: unknown = Reflect.get(options, 'configuration');
    if (typeof configuration === 'object' && configuration !== null) return this.#deps.added({ ...configuration });
    const connection = await this.#deps.own();
    if (connection !== undefined || options.silent) return connection;
    await this.#deps.setUp();
    return this.#deps.own();
  }
}

function wireRequest(
  offered: OfferedModel,
  messages: readonly vscode.LanguageModelChatRequestMessage[],
  { tools = [], toolMode, modelOptions }: vscode.ProvideLanguageModelChatResponseOptions,
  contexts: CallContexts,
): ChatRequest {
  const usual = requestedOutput(offered.model, offered);
  const numbers = { ...(usual !== undefined && { maxTokens: usual }), ...numbersOfOptions(modelOptions) };
  const contextOf = (call: CallMade) => contexts.of(offered.version, call);
  return {
    ...chatBody(offered.id, { ...numbers, stream: true }, wireMessages(messages, contextOf)),
    ...(tools.length > 0 && { tools: wireTools(tools) }),
    ...(tools.length > 0 && toolMode === vscode.LanguageModelChatToolMode.Required && { tool_choice: 'required' }),
  };
}

/** Callers can choose the option names, so only those in the spec are sent. */
function numbersOfOptions(options: Readonly<Record<string, unknown>> = {}): ChatNumbers {
  return chatNumbers((name) => options[chatParameters[name].wire]);
}

async function hand(
  stream: AsyncIterable<ChatEvent>,
  progress: vscode.Progress<vscode.LanguageModelResponsePart>,
  mayBeCut: boolean,
  called: (call: ToolCall) => void,
): Promise<void> {
  let usage: Usage = {};
  let finishReason: string | undefined;
  for await (const event of stream) {
    switch (event.type) {
      case 'text':
        progress.report(new vscode.LanguageModelTextPart(event.text));
        break;
      case 'reasoning':
        reportThinking(event.text, progress);
        break;
      case 'toolCall':
        called(event.call);
        progress.report(new vscode.LanguageModelToolCallPart(event.call.id, event.call.name, event.call.input));
        break;
      case 'usage':
        usage = { ...usage, ...event.usage };
        break;
      case 'finish':
        finishReason = event.reason;
        break;
      case 'end':
        reportUsage(usage, progress);
        if (!event.complete && !(mayBeCut && isLengthEnding(finishReason))) {
          throw new vscode.LanguageModelError(incompleteSentence(finishReason));
        }
        break;
      default:
    }
  }
}

/** Fills the ring that shows how much of the context is used. VS Code only shows it with all three counts. */
function reportUsage(
  { promptTokens, completionTokens, totalTokens }: Usage,
  progress: vscode.Progress<vscode.LanguageModelResponsePart>,
): void {
  if (promptTokens === undefined || completionTokens === undefined) return;
  const total = totalTokens ?? promptTokens + completionTokens;
  const counts = { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: total };
  progress.report(vscode.LanguageModelDataPart.json(counts, 'usage'));
}

/** VS Code shows a model's reasoning separately from its reply if it has such parts. Otherwise it's left out. */
function reportThinking(text: string, progress: vscode.Progress<vscode.LanguageModelResponsePart>): void {
  const part: unknown = Reflect.get(vscode, 'LanguageModelThinkingPart');
  if (isPartClass(part)) progress.report(new part(text));
}

function isPartClass(value: unknown): value is new (text: string) => vscode.LanguageModelResponsePart {
  return typeof value === 'function';
}

/** A failure in the form for callers of language models: its kind as VS Code's code, our text as its message. */
function languageModelError(error: unknown, explainer: Explainer, model?: ModelRef): Error {
  const circumstances = { during: 'command', ...(model !== undefined && { model }) } as const;
  const text = plainEitherWay(problemLine(explainer.problemOfError(error, circumstances)));
  return error instanceof ApiError ? ofKind(error.failure.kind, text) : new vscode.LanguageModelError(text);
}

function ofKind(kind: ApiFailure['kind'], text: string): vscode.LanguageModelError {
  switch (kind) {
    case 'setup':
    case 'unauthorized':
    case 'forbidden':
      return vscode.LanguageModelError.NoPermissions(text);
    case 'outOfCredits':
    case 'rateLimited':
      return vscode.LanguageModelError.Blocked(text);
    case 'modelNotFound':
      return vscode.LanguageModelError.NotFound(text);
    default:
      return new vscode.LanguageModelError(text);
  }
}

/** The tokens of an image with most models. None reports it before it's sent. */
const tokensPerPicture = 768;
/** Tokens for roles and message ends. */
const tokensPerMessage = 4;

/** An estimate, preferably too high: only the service knows the model's tokenizer. */
function tokenCount(text: string | vscode.LanguageModelChatRequestMessage): number {
  return typeof text === 'string' ? textTokens(text) : tokensPerMessage + sum(text.content.map(partTokens));
}

function partTokens(part: unknown): number {
  if (part instanceof vscode.LanguageModelTextPart) return textTokens(part.value);
  if (part instanceof vscode.LanguageModelToolCallPart) return textTokens(part.name + JSON.stringify(part.input));
  if (part instanceof vscode.LanguageModelToolResultPart) return sum(part.content.map(partTokens));
  if (part instanceof vscode.LanguageModelPromptTsxPart) return textTokens(JSON.stringify(part.value));
  if (!(part instanceof vscode.LanguageModelDataPart)) return 0;
  return part.mimeType.startsWith('image/') ? tokensPerPicture : estimatedTokens(part.data.byteLength);
}

/** Four Latin characters per token, as in prose and code. Other scripts have about one each. */
function textTokens(text: string): number {
  const others = text.match(/[^\p{ASCII}\p{Script=Latin}]/gu)?.length ?? 0;
  return estimatedTokens(text.length - others) + others;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
