import type { ApiFailure } from '../shared/apiFailure.ts';
import type { ExchangeDeps } from './answerReader.ts';
import { ApiError } from './apiError.ts';
import { deriveNativeUrl } from './baseUrl.ts';
import { CallRunner } from './callRunner.ts';
import { ChatReply } from './chatReply.ts';
import { systemClock, type Clock } from './clock.ts';
import type { Exchange } from './exchange.ts';
import { HostChoice, type HostSwitch } from './hostChoice.ts';
import { baseOf } from './hostForms.ts';
import type {
  ApiFormOption,
  ImageAnswer,
  ImageRequest,
  MediaClient,
  MediaDownloads,
  MultimodalChatRequest,
  Transcript,
  TranscriptionRequest,
  VideoAnswer,
  VideoRequest,
} from './mediaTypes.ts';
import { type DownloadedFile, downloadMedia, type DownloadOptions, type DownloadSink } from './mediaDownload.ts';
import type { Operation, WholeOperation } from './operation.ts';
import { audioTranscription } from './operations/audioTranscription.ts';
import { chatCompletion, multimodalChat } from './operations/chatCompletion.ts';
import { imageGeneration } from './operations/imageGeneration.ts';
import { modelCatalogue } from './operations/modelCatalogue.ts';
import { videoGeneration } from './operations/videoGeneration.ts';
import { discoverApi } from './serviceDiscovery.ts';
import {
  type Capability,
  type FactStore,
  FactsInMemory,
  formsToAsk,
  hasNoNativeList,
  isNoSuchPath,
  isThere,
  type PathFact,
  type ServiceFacts,
} from './serviceFacts.ts';
import { missingApiError } from './missingApiError.ts';
import type { Transport } from './transport.ts';
import type {
  AnswerOptions,
  ApiChoice,
  ApiForm,
  CallOptions,
  ChatApiOption,
  ChatClient,
  ChatEvent,
  ChatRequest,
  Endpoint,
  ModelInfo,
} from './types.ts';
import { unexpectedError } from './unexpectedError.ts';
import { askingForUsage } from './usageOnRequest.ts';
import { WholeReply } from './wholeReply.ts';
import type { TraceSink } from './wireTrace.ts';

export type { Exchange } from './exchange.ts';
export type { HostSwitch } from './hostChoice.ts';
export type { TraceSink } from './wireTrace.ts';

type ChatStream = AsyncGenerator<ChatEvent, void, undefined>;

/** The service's operations. Every failure is an {@link ApiError}; a cancel throws the signal's reason. */
export class InferenceClient implements ChatClient, MediaClient, MediaDownloads {
  readonly #endpoint: () => Promise<Endpoint>;
  readonly #transport: Transport;
  readonly #hosts: HostChoice;
  readonly #calls: CallRunner;
  readonly #clock: Clock;
  readonly #pictureApi: () => ApiChoice;
  readonly #chatApi: () => ApiForm;
  readonly #facts: FactStore;

  /**
   * @param deps.endpoint asked anew for each attempt; may throw an {@link ApiError} `setup`.
   * @param deps.transport disposed with the client.
   * @param deps.pictureApi which API takes pictures where a call names none; `auto` where absent.
   * @param deps.chatApi which API takes other chats; `compatible` where absent.
   * @param deps.facts what is known of services; forgotten with the client where absent.
   * @param deps.onExchange told of each HTTP exchange when it is over, for the log.
   * @param deps.onHostSwitched told once when the legacy host stands in for the current one.
   * @param deps.trace asked at each exchange for someone who wants to see the wire; the key is not in it.
   */
  constructor(deps: {
    readonly endpoint: () => Promise<Endpoint>;
    readonly transport: Transport;
    readonly clock?: Clock;
    readonly pictureApi?: () => ApiChoice;
    readonly chatApi?: () => ApiForm;
    readonly facts?: FactStore;
    readonly onExchange?: (exchange: Exchange) => void;
    readonly onHostSwitched?: (change: HostSwitch) => void;
    readonly trace?: () => TraceSink | undefined;
  }) {
    const { endpoint, transport, clock = systemClock, onExchange, onHostSwitched, trace } = deps;
    this.#endpoint = endpoint;
    this.#transport = transport;
    this.#clock = clock;
    this.#pictureApi = deps.pictureApi ?? (() => 'auto');
    this.#chatApi = deps.chatApi ?? (() => 'compatible');
    this.#facts = deps.facts ?? new FactsInMemory();
    this.#hosts = new HostChoice(() => clock.now(), onHostSwitched);
    this.#calls = new CallRunner({ endpoint, transport, clock, hosts: this.#hosts, onExchange, trace });
  }

  /** `POST {base_url}/chat/completions`, or the same chat on the native path. */
  streamChat(request: ChatRequest, options: CallOptions & ChatApiOption = {}): ChatStream {
    return this.#chat(request, chatCompletion(request, options.api ?? this.#chatApi()), options);
  }

  /** A chat with pictures in its messages. */
  streamMultimodalChat(request: MultimodalChatRequest, options: CallOptions & ApiFormOption = {}): ChatStream {
    const choice = options.api ?? this.#pictureApi();
    const start = (api: ApiForm) => this.#chat(request, multimodalChat(request, api), options);
    return choice === 'auto' ? this.#chatThroughEither(start) : start(choice);
  }

  /** A video from words, an image, a sound: minutes of waiting, and one answer. */
  generateVideo(request: VideoRequest, options: AnswerOptions = {}): Promise<VideoAnswer> {
    return this.#askEither('video', () => videoGeneration(request), { ...options, api: 'compatible' });
  }

  generateImage(request: ImageRequest, options: AnswerOptions & ApiFormOption = {}): Promise<ImageAnswer> {
    return this.#askEither('imageGeneration', (api) => imageGeneration(request, api), options);
  }

  transcribeAudio(request: TranscriptionRequest, options: AnswerOptions & ApiFormOption = {}): Promise<Transcript> {
    return this.#askEither('audio', (api) => audioTranscription(request, api), options);
  }

  async downloadMedia(url: string, sink: DownloadSink, options: DownloadOptions = {}): Promise<DownloadedFile> {
    const { baseUrl, nativeUrl, legacyBaseUrl } = await this.#endpoint();
    const service = [baseUrl, nativeUrl, ...(legacyBaseUrl === undefined ? [] : [legacyBaseUrl])];
    return downloadMedia({ transport: this.#transport, service, clock: this.#clock }, url, sink, options);
  }

  /** The catalogue of the native API, and where that does not exist, of the compatible one. */
  async listModels(options: AnswerOptions = {}): Promise<readonly ModelInfo[]> {
    const endpoint = await this.#endpoint();
    const isDerived = endpoint.nativeUrl.href === deriveNativeUrl(endpoint.baseUrl).href;
    // What a derived address lacked once it need not be asked for each time.
    if (isDerived && hasNoNativeList(this.#facts.of(endpoint.baseUrl.href), this.#clock.now())) {
      return this.#list('compatible', endpoint, options);
    }
    try {
      return await this.#list('native', endpoint, options);
    } catch (error) {
      if (options.signal?.aborted === true || !(error instanceof ApiError)) throw error;
      if (!isNoCatalogue(error.failure, isDerived)) throw error;
      const listed = await this.#list('compatible', endpoint, options);
      this.#learned(endpoint, 'models', 'native', { isThere: false, why: 'noSuchPath' });
      return listed;
    }
  }

  /**
   * Finds out what the service has, with requests that cost nothing: model lists, and on each path one
   * that is rejected before any work is done. What can't be told, as without a connection, stays unknown.
   */
  async discover(options: CallOptions = {}): Promise<ServiceFacts> {
    const endpoint = await this.#endpoint();
    const closed = new Set<string | undefined>();
    // One at a time, and a host that refuses once isn't asked again: a key that is wrong there isn't tried a dozen times.
    for (const api of ['compatible', 'native'] as const) {
      const origin = baseOf(endpoint, api, 'current')?.origin;
      if (closed.has(origin)) continue;
      const isOpen = await discoverApi(api, {
        ask: (operation) => this.#ask(operation, options),
        learned: (capability, fact) => this.#learned(endpoint, capability, api, fact),
      });
      if (!isOpen) closed.add(origin);
    }
    options.signal?.throwIfAborted();
    return this.#facts.of(endpoint.baseUrl.href);
  }

  /**
   * Opens a connection to the host that the next chat will go to, so that it need not wait for one.
   * No request is sent; nothing is opened where an address or a key is missing, or a connection is
   * open and free. Never fails.
   */
  async warm(): Promise<void> {
    try {
      const endpoint = await this.#endpoint();
      const api = this.#chatApi();
      const [form = 'current'] = this.#hosts.forms(endpoint, api);
      const url = baseOf(endpoint, api, form);
      if (url !== undefined) this.#transport.warm(endpoint, url);
    } catch {
      // What is missing is told when something is asked.
    }
  }

  dispose(): void {
    this.#transport.dispose();
  }

  #chat(request: ChatRequest | MultimodalChatRequest, operation: Operation, options: CallOptions): ChatStream {
    const chat = askingForUsage(operation, request, this.#facts, () => this.#clock.now());
    const begin = (deps: ExchangeDeps): ChatReply => {
      const service = deps.request.endpoint.baseUrl.href;
      return new ChatReply({ ...deps, onEnd: (hasUsage) => chat.ended(service, hasUsage) });
    };
    return this.#calls.run(chat.operation, begin, options);
  }

  async *#chatThroughEither(start: (api: ApiForm) => ChatStream): ChatStream {
    const endpoint = await this.#endpoint();
    const lacking: ApiError[] = [];
    for (const api of this.#formsToAsk(endpoint, 'imageInput', 'auto')) {
      let hasOutput = false;
      try {
        for await (const event of start(api)) {
          hasOutput ||= event.type === 'text' || event.type === 'reasoning' || event.type === 'toolCall';
          yield event;
        }
        this.#learned(endpoint, 'imageInput', api, { isThere: true, why: 'answered' });
        return;
      } catch (error) {
        if (hasOutput || !this.#isMissing(error, endpoint, 'imageInput', api)) throw error;
        lacking.push(error);
      }
    }
    throw missingApiError('imageInput', lacking);
  }

  /** Asks the other API where the first lacks the path: nothing was made there, and nothing is made twice. */
  async #askEither<Answer>(
    capability: 'imageGeneration' | 'audio' | 'video',
    operation: (api: ApiForm) => WholeOperation<Answer>,
    options: AnswerOptions & ApiFormOption,
  ): Promise<Answer> {
    const endpoint = await this.#endpoint();
    const lacking: ApiError[] = [];
    for (const api of this.#formsToAsk(endpoint, capability, options.api ?? 'auto')) {
      try {
        const answer = await this.#ask(operation(api), options);
        this.#learned(endpoint, capability, api, { isThere: true, why: 'answered' });
        return answer;
      } catch (error) {
        if (!this.#isMissing(error, endpoint, capability, api)) throw error;
        lacking.push(error);
      }
    }
    throw missingApiError(capability, lacking);
  }

  #formsToAsk(endpoint: Endpoint, capability: Capability, choice: ApiChoice): readonly ApiForm[] {
    return formsToAsk(this.#facts.of(endpoint.baseUrl.href), capability, choice, this.#clock.now());
  }

  async #list(api: ApiForm, endpoint: Endpoint, options: AnswerOptions): Promise<readonly ModelInfo[]> {
    const models = await this.#ask(modelCatalogue(api), options);
    this.#learned(endpoint, 'models', api, { isThere: true, why: 'answered' });
    return models;
  }

  /** True where the other API may be asked. */
  #isMissing(error: unknown, endpoint: Endpoint, capability: Capability, api: ApiForm): error is ApiError {
    if (!(error instanceof ApiError)) return false;
    const { failure } = error;
    // The key is not approved for the native host: the base URL's has it.
    if (failure.kind === 'setup' && failure.missing === 'apiKeyForThisHost') return api === 'native';
    if (!isNoSuchPath(failure)) return false;
    this.#learned(endpoint, capability, api, { isThere: false, why: 'noSuchPath' });
    return true;
  }

  #learned(endpoint: Endpoint, capability: Capability, api: ApiForm, fact: Omit<PathFact, 'at'>): void {
    const service = endpoint.baseUrl.href;
    const now = this.#clock.now();
    const known = this.#facts.of(service).paths[capability]?.[api];
    if (known?.why === fact.why && isThere(known, now) === fact.isThere) return;
    this.#facts.learnedPath(service, capability, api, { ...fact, at: now });
  }

  async #ask<Answer>(operation: WholeOperation<Answer>, options: AnswerOptions): Promise<Answer> {
    for await (const event of this.#calls.run(operation, (deps) => new WholeReply(operation, deps), options)) {
      if (event.type === 'answer') return event.answer;
      options.onAttempt?.(event);
    }
    throw unexpectedError(new Error('an answer that is none'));
  }
}

/**
 * Whether the compatible list is worth asking for. Where the native URL was only derived, whatever refuses
 * there may be anything: any 3xx or 4xx but 429.
 */
function isNoCatalogue(failure: ApiFailure, isDerived: boolean): boolean {
  switch (failure.kind) {
    case 'notTheService':
    case 'malformed':
    case 'emptyAnswer':
    case 'modelNotFound':
      return true;
    case 'setup':
      return failure.missing === 'apiKeyForThisHost';
    case 'redirected':
      return isDerived;
    case 'rateLimited':
    case 'proxyAuthRequired':
      return false;
    default: {
      if (!('status' in failure) || failure.status === undefined) return false;
      const { status } = failure;
      return status === 405 || status === 501 || (isDerived && status >= 400 && status <= 499);
    }
  }
}
