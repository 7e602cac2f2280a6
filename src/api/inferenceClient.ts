import type { ExchangeDeps } from './calls/answerReader.ts';
import { CallRunner } from './calls/callRunner.ts';
import { ChatReply } from './wire/chatReply.ts';
import { systemClock, type Clock } from './clock.ts';
import { EitherApi } from './service/eitherApi.ts';
import type { Exchange } from './exchange.ts';
import { HostChoice, type HostSwitch } from './service/hostChoice.ts';
import { baseOf } from './service/hostForms.ts';
import type {
  ApiFormOption,
  ImageAnswer,
  ImageRequest,
  MediaClient,
  MultimodalChatRequest,
  Transcript,
  TranscriptionRequest,
  VideoAnswer,
  VideoRequest,
} from './mediaTypes.ts';
import {
  type MediaDownloads,
  type DownloadedFile,
  downloadMedia,
  type DownloadOptions,
  type DownloadSink,
} from './download/mediaDownload.ts';
import type { Operation, WholeOperation } from './operations/operation.ts';
import { audioTranscription } from './operations/audioTranscription.ts';
import { chatCompletion, multimodalChat } from './operations/chatCompletion.ts';
import { imageGeneration } from './operations/imageGeneration.ts';
import { modelCatalogue } from './operations/modelCatalogue.ts';
import { videoGeneration } from './operations/videoGeneration.ts';
import { type FactStore, FactsInMemory, type ServiceFacts } from './service/serviceFacts.ts';
import type { Transport } from './transport/transport.ts';
import type { AnswerOptions, CallOptions, ChatApiOption, ChatClient } from './inferenceCalls.ts';
import type { ApiChoice, ApiForm, ChatEvent, ChatRequest, Endpoint, ModelInfo } from './types.ts';
import { unexpectedError } from './unexpectedError.ts';
import { askingForUsage } from './service/usageOnRequest.ts';
import { WholeReply } from './wire/wholeReply.ts';
import type { TraceSink } from './transport/wireTrace.ts';

export type { Exchange } from './exchange.ts';
export type { HostSwitch } from './service/hostChoice.ts';
export type { TraceSink } from './transport/wireTrace.ts';

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
  readonly #apis: EitherApi;

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
    this.#apis = new EitherApi({ endpoint, facts: this.#facts, now: () => clock.now() });
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
    return choice === 'auto' ? this.#apis.chatWithImages(start) : start(choice);
  }

  /** A video from words, an image, a sound: minutes of waiting, and one answer. */
  generateVideo(request: VideoRequest, options: AnswerOptions = {}): Promise<VideoAnswer> {
    return this.#apis.ask('video', 'compatible', () => this.#ask(videoGeneration(request), options));
  }

  generateImage(request: ImageRequest, options: AnswerOptions & ApiFormOption = {}): Promise<ImageAnswer> {
    const { api: choice = 'auto' } = options;
    return this.#apis.ask('imageGeneration', choice, (api) => this.#ask(imageGeneration(request, api), options));
  }

  transcribeAudio(request: TranscriptionRequest, options: AnswerOptions & ApiFormOption = {}): Promise<Transcript> {
    const { api: choice = 'auto' } = options;
    return this.#apis.ask('audio', choice, (api) => this.#ask(audioTranscription(request, api), options));
  }

  async downloadMedia(url: string, sink: DownloadSink, options: DownloadOptions = {}): Promise<DownloadedFile> {
    const { baseUrl, nativeUrl, legacyBaseUrl } = await this.#endpoint();
    const service = [baseUrl, nativeUrl, ...(legacyBaseUrl === undefined ? [] : [legacyBaseUrl])];
    return downloadMedia({ transport: this.#transport, service, clock: this.#clock }, url, sink, options);
  }

  /** The catalogue of the native API, and where that does not exist, of the compatible one. */
  listModels(options: AnswerOptions = {}): Promise<readonly ModelInfo[]> {
    return this.#apis.list((api) => this.#ask(modelCatalogue(api), options), options.signal);
  }

  /**
   * Finds out what the service has, with requests that cost nothing: model lists, and on each path one
   * that is rejected before any work is done. What can't be told, as without a connection, stays unknown.
   */
  async discover(options: CallOptions = {}): Promise<ServiceFacts> {
    const facts = await this.#apis.discover((operation) => this.#ask(operation, options));
    options.signal?.throwIfAborted();
    return facts;
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

  async #ask<Answer>(operation: WholeOperation<Answer>, options: AnswerOptions): Promise<Answer> {
    for await (const event of this.#calls.run(operation, (deps) => new WholeReply(operation, deps), options)) {
      if (event.type === 'answer') return event.answer;
      options.onAttempt?.(event);
    }
    throw unexpectedError(new Error('an answer that is none'));
  }
}
