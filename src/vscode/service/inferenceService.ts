import type * as vscode from 'vscode';
import type { HostSwitch } from '../../api/service/hostChoice.ts';
import type { Exchange, InferenceClient } from '../../api/inferenceClient.ts';
import type {
  DownloadedFile,
  DownloadOptions,
  DownloadSink,
  MediaDownloads,
} from '../../api/download/mediaDownload.ts';
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
} from '../../api/mediaTypes.ts';
import type { FactStore, ServiceFacts } from '../../api/service/serviceFacts.ts';
import type { TransportSettings } from '../../api/transport/transportSettings.ts';
import type { TraceSink } from '../../api/transport/wireTrace.ts';
import type { AnswerOptions, CallOptions, ChatApiOption, ChatClient } from '../../api/inferenceCalls.ts';
import type { ApiChoice, ApiForm, ChatEvent, ChatRequest, Endpoint, ModelInfo } from '../../api/types.ts';

export interface InferenceServiceDeps {
  readonly endpoint: () => Promise<Endpoint>;
  /** Which API takes a chat with pictures, where who asks does not say. */
  readonly pictureApi: () => ApiChoice;
  /** Which API other chats go to; the compatible one where absent. */
  readonly chatApi?: () => ApiForm;
  /** The user's own limit to the wait for a reply to begin. */
  readonly firstByteMs?: () => number | undefined;
  /** What is known of services; forgotten with the window where absent. */
  readonly facts?: FactStore & { load(service: string): Promise<ServiceFacts> };
  readonly settings: () => TransportSettings;
  readonly onExchange: (exchange: Exchange) => void;
  /** The legacy host stands in for the current one. */
  readonly onHostSwitched: (change: HostSwitch) => void;
  readonly trace: () => TraceSink | undefined;
}

/**
 * The service's client, loaded at the first request: undici alone takes longer to load than all the
 * rest of the extension.
 */
export class InferenceService implements ChatClient, MediaClient, MediaDownloads, vscode.Disposable {
  readonly #deps: InferenceServiceDeps;
  #loading: Promise<InferenceClient> | undefined;
  #client: InferenceClient | undefined;
  #disposed = false;

  constructor(deps: InferenceServiceDeps) {
    this.#deps = deps;
  }

  /** Opens a connection ahead of a request, and sends nothing. Does nothing before there are an address and a key. */
  async warm(): Promise<void> {
    try {
      await this.#deps.endpoint();
    } catch {
      // What is missing is told when something is asked.
      return;
    }
    await (await this.#load()).warm();
  }

  streamChat(request: ChatRequest, options?: CallOptions & ChatApiOption): AsyncIterable<ChatEvent> {
    return this.#stream((client) => client.streamChat(request, options), options);
  }

  streamMultimodalChat(
    request: MultimodalChatRequest,
    options?: CallOptions & ApiFormOption,
  ): AsyncIterable<ChatEvent> {
    return this.#stream((client) => client.streamMultimodalChat(request, options), options);
  }

  async generateVideo(request: VideoRequest, options?: AnswerOptions): Promise<VideoAnswer> {
    return (await this.#load()).generateVideo(request, options);
  }

  async generateImage(request: ImageRequest, options?: AnswerOptions & ApiFormOption): Promise<ImageAnswer> {
    return (await this.#load()).generateImage(request, options);
  }

  async transcribeAudio(request: TranscriptionRequest, options?: AnswerOptions & ApiFormOption): Promise<Transcript> {
    return (await this.#load()).transcribeAudio(request, options);
  }

  async downloadMedia(url: string, sink: DownloadSink, options?: DownloadOptions): Promise<DownloadedFile> {
    return (await this.#load()).downloadMedia(url, sink, options);
  }

  async listModels(options?: AnswerOptions): Promise<readonly ModelInfo[]> {
    return (await this.#load()).listModels(options);
  }

  /** Finds out what the service has, at no cost. @throws {ApiError} `setup`, or the signal's reason. */
  async discover(options?: CallOptions): Promise<ServiceFacts> {
    return (await this.#load()).discover(options);
  }

  dispose(): void {
    this.#disposed = true;
    this.#client?.dispose();
  }

  #stream(
    start: (client: InferenceClient) => AsyncIterable<ChatEvent>,
    options: CallOptions | undefined,
  ): AsyncIterable<ChatEvent> {
    return this.#client === undefined ? this.#loadAndStream(start, options) : start(this.#client);
  }

  async *#loadAndStream(
    start: (client: InferenceClient) => AsyncIterable<ChatEvent>,
    options: CallOptions | undefined,
  ): AsyncIterable<ChatEvent> {
    const client = await this.#load();
    options?.signal?.throwIfAborted();
    yield* start(client);
  }

  #load(): Promise<InferenceClient> {
    this.#loading ??= this.#create();
    return this.#loading;
  }

  async #create(): Promise<InferenceClient> {
    const [{ InferenceClient }, { createTransport }] = await Promise.all([
      import('../../api/inferenceClient.ts'),
      import('../../api/transport/createTransport.ts'),
    ]);
    const { settings, firstByteMs, facts, ...deps } = this.#deps;
    if (facts !== undefined) {
      // Without an address there is nothing to know.
      const endpoint = await deps.endpoint().catch(() => undefined);
      if (endpoint !== undefined) await facts.load(endpoint.baseUrl.href);
    }
    const client = new InferenceClient({
      ...deps,
      ...(facts === undefined ? {} : { facts }),
      transport: createTransport({
        settings,
        hostFetch: globalThis.fetch,
        ...(firstByteMs === undefined ? {} : { firstByteMs }),
      }),
    });
    this.#client = client;
    if (this.#disposed) client.dispose();
    return client;
  }
}
