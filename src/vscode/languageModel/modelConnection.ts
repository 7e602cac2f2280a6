import type { ModelRef } from '../../shared/modelRef.ts';
import type * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import { deriveNativeUrl, parseBaseUrl } from '../../api/service/baseUrl.ts';
import type { Endpoint } from '../../api/types.ts';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import type { CatalogStore } from '../../core/models/modelCatalog.ts';
import { idFrom } from '../../core/services/readServices.ts';
import { SharedCall } from '../../core/models/sharedCall.ts';
import type { Explainer } from '../problems/explainer.ts';
import type { Redactor } from '../platform/redactor.ts';
import type { ChosenApis } from '../service/lateClient.ts';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';
import type { RequestTap } from '../requests/requestTap.ts';
import { isKey } from '../service/storedKey.ts';

/** A service whose models are shown, and how to send requests to it. */
export interface ModelConnection {
  /** Distinguishes its models from others with the same ID. Empty for the service in Parlance's own settings. */
  readonly mark: string;
  readonly callsFor: (model: ModelRef) => InferenceCalls;
  /** Describes a failure at this service. */
  readonly explainer: Explainer;
  /** Silent, because no user asked for it. @throws {ApiError}, or the signal's reason. */
  models(asked: { readonly silent: boolean; readonly signal: AbortSignal }): Promise<readonly ModelInfo[]>;
  /** One of its models has replied to the user. Never throws. */
  answered(): void;
}

/** The API that all such services have. */
const apis: ChosenApis = { imageApi: () => 'compatible', chatApi: () => 'compatible' };

export interface AddedConnectionsDeps {
  /** The recorded calls of the user's own service. */
  readonly service: RequestTap;
  /** Creates a client for another base URL. */
  readonly connect: (endpoint: () => Promise<Endpoint>, apis: ChosenApis) => InferenceCalls & vscode.Disposable;
  readonly redactor: Redactor;
  readonly explainer: Pick<Explainer, 'elsewhere'>;
  /** The model lists, by base URL. */
  readonly store: CatalogStore;
  readonly onListed: () => void;
  readonly onError: (error: unknown) => void;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
}

/** In milliseconds. VS Code asks at every turn, and the user's own models wait for each response. */
const askAgainMs = 60_000;

/**
 * Services that the user added in VS Code's own list of language models, each with a URL and a key that VS Code stores.
 * A key is only sent to its own URL.
 */
export class AddedConnections implements vscode.Disposable {
  readonly #deps: AddedConnectionsDeps;
  readonly #open = new Map<string, AddedConnection>();

  constructor(deps: AddedConnectionsDeps) {
    this.#deps = deps;
  }

  /** Without a key, no key is sent. @throws {ApiError} `setup` if the URL is missing, or it or the key is invalid. */
  find(configuration: Readonly<Record<string, unknown>>): ModelConnection {
    const { baseUrl, apiKey } = configuration;
    const address = parseBaseUrl(typeof baseUrl === 'string' ? baseUrl : '');
    if (!address.ok) {
      throw new ApiError({ kind: 'setup', missing: address.reason === 'empty' ? 'baseUrl' : 'validBaseUrl' });
    }
    const key = typeof apiKey === 'string' ? apiKey.trim() : '';
    if (key !== '' && !isKey(key)) throw new ApiError({ kind: 'setup', missing: 'validApiKey' });
    const name = JSON.stringify([address.url.href, key]);
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    this.#deps.redactor.learn(key);
    const endpoint = {
      baseUrl: address.url,
      nativeUrl: deriveNativeUrl(address.url),
      apiKey: key === '' ? undefined : key,
    };
    const client = this.#deps.connect(() => Promise.resolve(endpoint), apis);
    const calls = this.#deps.service.through(client, `vscode.${idFrom(address.url.host)}`);
    const mark = `${address.url.host}#${this.#open.size + 1}`;
    const added = new AddedConnection({ ...this.#deps, client, calls, mark, address: address.url });
    this.#open.set(name, added);
    return added;
  }

  dispose(): void {
    for (const { client } of this.#open.values()) client.dispose();
  }
}

interface AddedConnectionDeps extends Pick<
  AddedConnectionsDeps,
  'explainer' | 'store' | 'onListed' | 'onError' | 'now'
> {
  readonly client: vscode.Disposable;
  readonly calls: InferenceCalls;
  readonly mark: string;
  readonly address: URL;
}

class AddedConnection implements ModelConnection {
  readonly client: vscode.Disposable;
  readonly callsFor: (model: ModelRef) => InferenceCalls;
  readonly mark: string;
  readonly explainer: Explainer;
  readonly #deps: AddedConnectionDeps;
  // VS Code cancels one request and waits for another at the same time.
  readonly #listing = new SharedCall(
    (signal) => this.#list(signal),
    () => undefined,
  );
  #known: readonly ModelInfo[] | undefined;
  #asked = false;
  #failure: { readonly error: unknown; readonly at: number } | undefined;

  constructor(deps: AddedConnectionDeps) {
    this.#deps = deps;
    this.client = deps.client;
    this.callsFor = () => deps.calls;
    this.mark = deps.mark;
    this.explainer = deps.explainer.elsewhere(deps.address.host, () => this.#known ?? []);
  }

  /**
   * VS Code asks at every turn and at each start, and always silently, so a cached list will do. It's fetched only if
   * there's none, right after the user has added the service.
   */
  async models({ signal }: { readonly signal: AbortSignal }): Promise<readonly ModelInfo[]> {
    if (this.#known === undefined) {
      const kept = await this.#deps.store.read(this.#deps.address.href);
      this.#known ??= kept?.models;
    }
    if (this.#known !== undefined) return this.#known;
    if (this.#failure !== undefined && this.#now() - this.#failure.at < askAgainMs) throw this.#failure.error;
    return this.#listing.join(signal);
  }

  /** Once per window, after the user asked something there: fetches the service's current list. */
  answered(): void {
    if (!this.#asked) this.#listing.join().then(this.#deps.onListed, this.#deps.onError);
  }

  #now(): number {
    return this.#deps.now?.() ?? Date.now();
  }

  async #list(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    this.#asked = true;
    const { listModels } = await import('../../api/operations/listModels.ts');
    const models = await this.#deps.calls.ask(listModels, { signal }).catch((error: unknown) => {
      if (!signal.aborted) this.#failure = { error, at: this.#now() };
      throw error;
    });
    this.#known = models;
    await this.#deps.store.write(this.#deps.address.href, { models, fetchedAt: Date.now() });
    return models;
  }
}
