import type * as vscode from 'vscode';
import type { HostSwitch } from '../api/hostChoice.ts';
import type { Exchange, InferenceClient } from '../api/inferenceClient.ts';
import type { TransportSettings } from '../api/transportSettings.ts';
import type { TraceSink } from '../api/wireTrace.ts';
import type { CallOptions, ChatClient, ChatEvent, ChatRequest, Endpoint, ModelInfo } from '../api/types.ts';

export interface InferenceServiceDeps {
  readonly endpoint: () => Promise<Endpoint>;
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
export class InferenceService implements ChatClient, vscode.Disposable {
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
    const { settings, ...deps } = this.#deps;
    const client = new InferenceClient({
      ...deps,
      transport: createTransport({ settings, hostFetch: globalThis.fetch }),
    });
    this.#client = client;
    if (this.#disposed) client.dispose();
    return client;
  }
}
