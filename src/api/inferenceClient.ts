import type { ApiFailure } from '../shared/apiFailure.ts';
import { ApiError } from './apiError.ts';
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
import type { Transport } from './transport.ts';
import type {
  AnswerOptions,
  ApiForm,
  CallOptions,
  ChatClient,
  ChatEvent,
  ChatRequest,
  Endpoint,
  ModelInfo,
} from './types.ts';
import { unexpectedError } from './unexpectedError.ts';
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
  readonly #pictureApi: () => ApiForm;

  /**
   * @param deps.endpoint asked anew for each attempt; may throw an {@link ApiError} `setup`.
   * @param deps.transport disposed with the client.
   * @param deps.pictureApi which API takes pictures where a call names none; `native` where absent.
   * @param deps.onExchange told of each HTTP exchange when it is over, for the log.
   * @param deps.onHostSwitched told once when the legacy host stands in for the current one.
   * @param deps.trace asked at each exchange for someone who wants to see the wire; the key is not in it.
   */
  constructor(deps: {
    readonly endpoint: () => Promise<Endpoint>;
    readonly transport: Transport;
    readonly clock?: Clock;
    readonly pictureApi?: () => ApiForm;
    readonly onExchange?: (exchange: Exchange) => void;
    readonly onHostSwitched?: (change: HostSwitch) => void;
    readonly trace?: () => TraceSink | undefined;
  }) {
    const { endpoint, transport, clock = systemClock, pictureApi, onExchange, onHostSwitched, trace } = deps;
    this.#endpoint = endpoint;
    this.#transport = transport;
    this.#clock = clock;
    this.#pictureApi = pictureApi ?? (() => 'native');
    this.#hosts = new HostChoice(() => clock.now(), onHostSwitched);
    this.#calls = new CallRunner({ endpoint, transport, clock, hosts: this.#hosts, onExchange, trace });
  }

  /** `POST {base_url}/chat/completions`. */
  streamChat(request: ChatRequest, options: CallOptions = {}): ChatStream {
    return this.#chat(chatCompletion(request, 'compatible'), options);
  }

  /** The same chat on the native path. */
  chatNative(request: ChatRequest, options: CallOptions = {}): ChatStream {
    return this.#chat(chatCompletion(request, 'native'), options);
  }

  /** A chat with pictures in its messages. */
  streamMultimodalChat(request: MultimodalChatRequest, options: CallOptions & ApiFormOption = {}): ChatStream {
    return this.#chat(multimodalChat(request, options.api ?? this.#pictureApi()), options);
  }

  /** A video from words, an image, a sound: minutes of waiting, and one answer. */
  generateVideo(request: VideoRequest, options: AnswerOptions = {}): Promise<VideoAnswer> {
    return this.#ask(videoGeneration(request), options);
  }

  generateImage(request: ImageRequest, options: AnswerOptions & ApiFormOption = {}): Promise<ImageAnswer> {
    return this.#ask(imageGeneration(request, options.api ?? 'native'), options);
  }

  transcribeAudio(request: TranscriptionRequest, options: AnswerOptions & ApiFormOption = {}): Promise<Transcript> {
    return this.#ask(audioTranscription(request, options.api ?? 'native'), options);
  }

  async downloadMedia(url: string, sink: DownloadSink, options: DownloadOptions = {}): Promise<DownloadedFile> {
    const { baseUrl, nativeUrl, legacyBaseUrl } = await this.#endpoint();
    const service = [baseUrl, nativeUrl, ...(legacyBaseUrl === undefined ? [] : [legacyBaseUrl])];
    return downloadMedia({ transport: this.#transport, service, clock: this.#clock }, url, sink, options);
  }

  /** The catalogue of the native API, and where that does not exist, of the compatible one. */
  async listModels(options: AnswerOptions = {}): Promise<readonly ModelInfo[]> {
    try {
      return await this.#ask(modelCatalogue('native'), options);
    } catch (error) {
      if (options.signal?.aborted === true || !(error instanceof ApiError) || !isNoCatalogue(error.failure))
        throw error;
      return await this.#ask(modelCatalogue('compatible'), options);
    }
  }

  /**
   * Opens a connection to the host that the next chat will go to, so that it need not wait for one.
   * No request is sent; nothing is opened where an address or a key is missing, or a connection is
   * open and free. Never fails.
   */
  async warm(): Promise<void> {
    try {
      const endpoint = await this.#endpoint();
      const [form = 'current'] = this.#hosts.forms(endpoint, 'compatible');
      const url = baseOf(endpoint, 'compatible', form);
      if (url !== undefined) this.#transport.warm(endpoint, url);
    } catch {
      // What is missing is told when something is asked.
    }
  }

  dispose(): void {
    this.#transport.dispose();
  }

  #chat(operation: Operation, options: CallOptions): ChatStream {
    return this.#calls.run(operation, (deps) => new ChatReply(deps), options);
  }

  async #ask<Answer>(operation: WholeOperation<Answer>, options: AnswerOptions): Promise<Answer> {
    for await (const event of this.#calls.run(operation, (deps) => new WholeReply(operation, deps), options)) {
      if (event.type === 'answer') return event.answer;
      options.onAttempt?.(event);
    }
    throw unexpectedError(new Error('an answer that is none'));
  }
}

function isNoCatalogue(failure: ApiFailure): boolean {
  switch (failure.kind) {
    case 'notTheService':
    case 'malformed':
    case 'emptyAnswer':
    case 'modelNotFound':
      return true;
    case 'unexpectedStatus':
      return failure.status === 405;
    default:
      return false;
  }
}
