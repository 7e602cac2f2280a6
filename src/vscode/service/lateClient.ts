import type * as vscode from 'vscode';
import type { AnswerOptions, CallOptions } from '../../api/callOptions.ts';
import type {
  DownloadedFile,
  DownloadOptions,
  DownloadSink,
  MediaDownloads,
} from '../../api/download/mediaDownload.ts';
import { orCanceled } from '../../api/calls/orCanceled.ts';
import type { InferenceClient, InferenceClientDeps } from '../../api/inferenceClient.ts';
import type { ChatOperation } from '../../api/operations/chatCompletion.ts';
import type { WholeOperation } from '../../api/operations/operation.ts';
import type { FactStore, ServiceFacts } from '../../api/service/serviceFacts.ts';
import type { TransportSettings } from '../../api/transport/transportSettings.ts';
import type { ChatEvent } from '../../api/types.ts';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';

/** Which of a service's two APIs to use if a call doesn't say. */
export type ChosenApis = Pick<InferenceClientDeps, 'imageApi' | 'chatApi' | 'mediaApi'>;

export interface LateClientDeps extends Omit<InferenceClientDeps, 'transport' | 'clock'> {
  /** The user's own limit for the wait until a reply starts. */
  readonly firstByteMs: () => number | undefined;
  /** Known facts about services. */
  readonly facts: FactStore & { load(service: string): Promise<ServiceFacts> };
  readonly settings: () => TransportSettings;
}

/**
 * The service's client, loaded with the first request, because loading it takes longer than the rest of the extension.
 */
export class LateClient implements InferenceCalls, MediaDownloads, vscode.Disposable {
  readonly #deps: LateClientDeps;
  #loading: Promise<InferenceClient> | undefined;
  #client: InferenceClient | undefined;
  #disposed = false;

  constructor(deps: LateClientDeps) {
    this.#deps = deps;
  }

  stream(operation: ChatOperation, options?: CallOptions): AsyncIterable<ChatEvent> {
    // Once it's loaded, calls go directly to the client, so that no token passes through another layer.
    return this.#client?.stream(operation, options) ?? this.#loadAndStream(operation, options);
  }

  async ask<Answer>(operation: WholeOperation<Answer>, options?: AnswerOptions): Promise<Answer> {
    return (await this.#loaded(options)).ask(operation, options);
  }

  async downloadMedia(url: string, sink: DownloadSink, options?: DownloadOptions): Promise<DownloadedFile> {
    return (await this.#loaded(options)).downloadMedia(url, sink, options);
  }

  /** Finds out what the service has, for free. @throws {ApiError} `setup`, or the signal's reason. */
  async discover(options?: CallOptions): Promise<ServiceFacts> {
    return (await this.#loaded(options)).discover(options);
  }

  /** Opens a connection before a request, and sends nothing. Does nothing until there's a base URL and a key. */
  async warm(): Promise<void> {
    // Missing settings are reported with the next request.
    const endpoint = await this.#deps.endpoint().catch(() => undefined);
    if (endpoint !== undefined) await (await this.#load()).warm();
  }

  dispose(): void {
    this.#disposed = true;
    this.#client?.dispose();
  }

  async *#loadAndStream(operation: ChatOperation, options: CallOptions | undefined): AsyncIterable<ChatEvent> {
    const client = await this.#loaded(options);
    yield* client.stream(operation, options);
  }

  /** Includes reading the key, which a stop doesn't wait for. */
  #loaded(options: CallOptions | undefined): Promise<InferenceClient> {
    return orCanceled(() => this.#load(), options?.signal);
  }

  #load(): Promise<InferenceClient> {
    return (this.#loading ??= this.#create());
  }

  async #create(): Promise<InferenceClient> {
    const [{ InferenceClient }, { createTransport }] = await Promise.all([
      import('../../api/inferenceClient.ts'),
      import('../../api/transport/createTransport.ts'),
    ]);
    const { settings, firstByteMs, ...deps } = this.#deps;
    // Without a base URL there's nothing to know.
    const endpoint = await deps.endpoint().catch(() => undefined);
    if (endpoint !== undefined) await deps.facts.load(endpoint.baseUrl.href);
    const transport = createTransport({ settings, firstByteMs, hostFetch: globalThis.fetch });
    const client = new InferenceClient({ ...deps, transport });
    this.#client = client;
    if (this.#disposed) client.dispose();
    return client;
  }
}
