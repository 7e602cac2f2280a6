import type * as vscode from 'vscode';
import type { Exchange, InferenceClient } from '../api/inferenceClient.ts';
import type { TransportSettings } from '../api/transportSettings.ts';
import type { CallOptions, ChatClient, ChatEvent, ChatRequest, Endpoint, ModelInfo } from '../api/types.ts';

/**
 * The service's client, loaded at the first request: undici alone takes longer to load than all the
 * rest of the extension.
 */
export class InferenceService implements ChatClient, vscode.Disposable {
  readonly #endpoint: () => Promise<Endpoint>;
  readonly #settings: () => TransportSettings;
  readonly #onExchange: (exchange: Exchange) => void;
  #loading: Promise<InferenceClient> | undefined;
  #client: InferenceClient | undefined;
  #disposed = false;

  constructor(deps: {
    endpoint: () => Promise<Endpoint>;
    settings: () => TransportSettings;
    onExchange: (exchange: Exchange) => void;
  }) {
    this.#endpoint = deps.endpoint;
    this.#settings = deps.settings;
    this.#onExchange = deps.onExchange;
  }

  streamChat(request: ChatRequest, options?: CallOptions): AsyncIterable<ChatEvent> {
    return this.#client?.streamChat(request, options) ?? this.#loadAndStream(request, options);
  }

  async listModels(options?: CallOptions): Promise<readonly ModelInfo[]> {
    return (await this.#load()).listModels(options);
  }

  dispose(): void {
    this.#disposed = true;
    this.#client?.dispose();
  }

  async *#loadAndStream(request: ChatRequest, options?: CallOptions): AsyncIterable<ChatEvent> {
    const client = await this.#load();
    options?.signal?.throwIfAborted();
    yield* client.streamChat(request, options);
  }

  #load(): Promise<InferenceClient> {
    this.#loading ??= this.#create();
    return this.#loading;
  }

  async #create(): Promise<InferenceClient> {
    const [{ InferenceClient }, { createTransport }] = await Promise.all([
      import('../api/inferenceClient.ts'),
      import('../api/transport.ts'),
    ]);
    const transport = createTransport({ settings: this.#settings, hostFetch: globalThis.fetch });
    const client = new InferenceClient({ endpoint: this.#endpoint, transport, onExchange: this.#onExchange });
    this.#client = client;
    if (this.#disposed) client.dispose();
    return client;
  }
}
