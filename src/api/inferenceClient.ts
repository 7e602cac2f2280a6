import type { ExchangeDeps } from './calls/answerReader.ts';
import { CallRunner } from './calls/callRunner.ts';
import { orCanceled } from './calls/orCanceled.ts';
import { ChatReply } from './wire/chatReply.ts';
import { systemClock, type Clock } from './clock.ts';
import { EitherApi } from './service/eitherApi.ts';
import type { Exchange } from './exchange.ts';
import { HostChoice, type HostSwitch } from './service/hostChoice.ts';
import { baseOf } from './service/hostForms.ts';
import {
  type MediaDownloads,
  type DownloadedFile,
  downloadMedia,
  type DownloadOptions,
  type DownloadSink,
} from './download/mediaDownload.ts';
import { hasAcceptedImages } from './service/imageFacts.ts';
import type { WholeOperation } from './operations/operation.ts';
import type { ChatOperation } from './operations/chatCompletion.ts';
import { apiSettings, type FactStore, FactsInMemory, type ServiceFacts } from './service/serviceFacts.ts';
import type { Transport } from './transport/transport.ts';
import type { AnswerOptions, CallOptions } from './callOptions.ts';
import type { ApiChoice, ApiForm, ChatEvent, Endpoint } from './types.ts';
import { unexpectedError } from './unexpectedError.ts';
import { askingForUsage } from './service/usageOnRequest.ts';
import { WholeReply } from './wire/wholeReply.ts';
import type { TraceSink } from './transport/wireTrace.ts';

export type { Exchange } from './exchange.ts';
export type { HostSwitch } from './service/hostChoice.ts';
export type { TraceSink } from './transport/wireTrace.ts';

type ServiceUrls = Pick<Endpoint, 'baseUrl' | 'nativeUrl' | 'fallbackBaseUrl'>;
type ChatStream = AsyncGenerator<ChatEvent, void, undefined>;

export interface InferenceClientDeps {
  /** Called for each attempt; may throw an {@link ApiError} `setup`. */
  readonly endpoint: () => Promise<Endpoint>;
  /** The same URLs, for what needs no key; may throw, too. Those of `endpoint` if absent. */
  readonly addresses?: (() => Promise<ServiceUrls>) | undefined;
  /** Disposed together with the client. */
  readonly transport: Transport;
  readonly clock?: Clock;
  /** Which API handles images if a call doesn't say; `auto` if absent. */
  readonly imageApi?: () => ApiChoice;
  /** Which API handles other chats; `compatible` if absent. */
  readonly chatApi?: () => ApiForm;
  /** Which API handles generated images and transcripts if a call doesn't say; `auto` if absent. */
  readonly mediaApi?: () => ApiChoice;
  /** Known facts about services. If absent, they're forgotten with the client. */
  readonly facts?: FactStore;
  /** Called for each HTTP exchange when it has ended, for the log. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Called once when the legacy host replaces the current one. */
  readonly onHostSwitched?: (change: HostSwitch) => void;
  /** Checked at each exchange, in case someone wants a wire trace. The key isn't included. */
  readonly trace?: () => TraceSink | undefined;
}

/** Carries out operations. Every failure is an {@link ApiError}. A cancel throws the signal's reason. */
export class InferenceClient implements MediaDownloads {
  readonly #endpoint: () => Promise<Endpoint>;
  readonly #addresses: () => Promise<ServiceUrls>;
  readonly #transport: Transport;
  readonly #hosts: HostChoice;
  readonly #calls: CallRunner;
  readonly #clock: Clock;
  readonly #imageApi: () => ApiChoice;
  readonly #chatApi: () => ApiForm;
  readonly #mediaApi: () => ApiChoice;
  readonly #facts: FactStore;
  readonly #apis: EitherApi;

  constructor(deps: InferenceClientDeps) {
    const { endpoint, transport, clock = systemClock, onExchange, onHostSwitched, trace } = deps;
    this.#endpoint = endpoint;
    this.#addresses = deps.addresses ?? endpoint;
    this.#transport = transport;
    this.#clock = clock;
    this.#imageApi = deps.imageApi ?? (() => 'auto');
    this.#chatApi = deps.chatApi ?? (() => 'compatible');
    this.#mediaApi = deps.mediaApi ?? (() => 'auto');
    this.#facts = deps.facts ?? new FactsInMemory();
    this.#apis = new EitherApi({ endpoint, facts: this.#facts, now: () => clock.now() });
    this.#hosts = new HostChoice(() => clock.now(), onHostSwitched);
    this.#calls = new CallRunner({ endpoint, transport, clock, hosts: this.#hosts, onExchange, trace });
  }

  /** Without an endpoint: a download needs no key. */
  static readonly download = downloadMedia;

  /** @throws {ApiError}, or the signal's reason on a cancel. Leaving the loop early aborts the request. */
  stream(operation: ChatOperation, options: CallOptions = {}): ChatStream {
    const hasParts = operation.capability === 'imageInput';
    const start = (api: ApiForm) => this.#chat(operation, api, options);
    const { api = hasParts ? this.#imageApi() : this.#chatApi() } = options;
    if (api !== 'auto') return start(api);
    return hasParts ? this.#apis.chatWithImages(start, options.signal) : start(this.#chatApi());
  }

  /**
   * Sends a request whose response arrives in one piece.
   * @throws {ApiError}, or the signal's reason on a cancel. A failed request might still have been carried out and
   * charged: see `mayHaveBeenMade`. That includes a cancel after the request was sent.
   */
  ask<Answer>(operation: WholeOperation<Answer>, options: AnswerOptions = {}): Promise<Answer> {
    const { capability } = operation;
    const isMedia = capability !== undefined && apiSettings[capability] === 'mediaApi';
    const { api: choice = isMedia ? this.#mediaApi() : 'auto', signal } = options;
    return this.#apis.ask(operation, choice, (api) => this.#ask(operation, api, options), signal);
  }

  async downloadMedia(url: string, sink: DownloadSink, options: DownloadOptions = {}): Promise<DownloadedFile> {
    const { baseUrl, nativeUrl, fallbackBaseUrl } = await orCanceled(this.#addresses, options.signal);
    const service = [baseUrl, nativeUrl, ...(fallbackBaseUrl === undefined ? [] : [fallbackBaseUrl])];
    return downloadMedia({ transport: this.#transport, service, clock: this.#clock }, url, sink, options);
  }

  /**
   * Finds out what the service supports, with requests that cost nothing: model lists, and for each path one request
   * that is rejected before any work is done. Anything that can't be determined, for example without a connection,
   * stays unknown.
   */
  async discover(options: CallOptions = {}): Promise<ServiceFacts> {
    const facts = await this.#apis.discover((operation, api) => this.#ask(operation, api, options), options.signal);
    options.signal?.throwIfAborted();
    return facts;
  }

  /**
   * Opens a connection to the host of the next chat, so that the chat doesn't have to wait for one. No request is sent.
   * Nothing is opened if a URL or a key is missing, or if an idle connection exists. Never fails.
   */
  async warm(): Promise<void> {
    try {
      const endpoint = await this.#endpoint();
      const api = this.#chatApi();
      const [form = 'current'] = this.#hosts.forms(endpoint, api);
      const url = baseOf(endpoint, api, form);
      if (url !== undefined) this.#transport.warm(endpoint, url);
    } catch {
      // Missing settings are reported with the next request.
    }
  }

  dispose(): void {
    this.#transport.dispose();
  }

  #chat(operation: ChatOperation, api: ApiForm, options: CallOptions): ChatStream {
    const chat = askingForUsage(operation, this.#facts, () => this.#clock.now());
    const begin = (deps: ExchangeDeps): ChatReply => {
      const { endpoint } = deps.request;
      const onEnd = (hasUsage: boolean): void => {
        chat.ended(endpoint.baseUrl.href, hasUsage);
        this.#apis.replied(endpoint, operation.capability, api);
        if (operation.hasImages === true) this.#acceptedImages(endpoint.baseUrl.href, operation.request.model);
      };
      return new ChatReply({ ...deps, onEnd });
    };
    return this.#calls.run(chat.operation, api, begin, options);
  }

  #acceptedImages(service: string, model: string): void {
    const now = this.#clock.now();
    const isKnown = hasAcceptedImages(this.#facts.of(service).imagesByModel, model, now);
    if (!isKnown) this.#facts.learnedImages(service, model, now);
  }

  async #ask<Answer>(operation: WholeOperation<Answer>, api: ApiForm, options: AnswerOptions): Promise<Answer> {
    for await (const event of this.#calls.run(operation, api, (deps) => new WholeReply(operation, deps), options)) {
      if (event.type === 'answer') return event.answer;
      options.onAttempt?.(event);
    }
    throw unexpectedError(new Error('a call ended without an answer'));
  }
}
