import type * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import { deriveNativeUrl, parseBaseUrl } from '../../api/baseUrl.ts';
import type { Endpoint, ModelInfo } from '../../api/types.ts';
import type { Redactor } from '../redactor.ts';
import type { InferenceCalls, RecordedCalls } from '../requests/recordedCalls.ts';
import { isKey } from '../storedKey.ts';

/** A service whose models are shown, and the way to ask it. */
export interface ModelConnection {
  readonly calls: RecordedCalls;
  /** Silent: nobody asked for it. @throws {ApiError}, or the signal's reason. */
  models(asked: { readonly silent: boolean; readonly signal: AbortSignal }): Promise<readonly ModelInfo[]>;
}

export interface AddedConnectionsDeps {
  /** The recorded calls of the person's own service. */
  readonly service: RecordedCalls;
  /** A client for another address. */
  readonly connect: (endpoint: () => Promise<Endpoint>) => InferenceCalls & vscode.Disposable;
  readonly redactor: Redactor;
}

/**
 * Services that the person added in VS Code's own list of language models, each with an address and a
 * key that VS Code keeps. A key goes to the address it was given with, and to no other.
 */
export class AddedConnections implements vscode.Disposable {
  readonly #deps: AddedConnectionsDeps;
  readonly #open = new Map<string, AddedConnection>();

  constructor(deps: AddedConnectionsDeps) {
    this.#deps = deps;
  }

  /** @throws {ApiError} `setup` where the address or the key is missing or is none. */
  find(configuration: Readonly<Record<string, unknown>>): ModelConnection {
    const { baseUrl, apiKey } = configuration;
    const address = parseBaseUrl(typeof baseUrl === 'string' ? baseUrl : '');
    if (!address.ok) {
      throw new ApiError({ kind: 'setup', missing: address.reason === 'empty' ? 'baseUrl' : 'validBaseUrl' });
    }
    const key = typeof apiKey === 'string' ? apiKey.trim() : '';
    if (key === '') throw new ApiError({ kind: 'setup', missing: 'apiKey' });
    if (!isKey(key)) throw new ApiError({ kind: 'setup', missing: 'validApiKey' });
    const name = JSON.stringify([address.url.href, key]);
    const known = this.#open.get(name);
    if (known !== undefined) return known;
    this.#deps.redactor.learn(key);
    const endpoint = { baseUrl: address.url, nativeUrl: deriveNativeUrl(address.url), apiKey: key };
    const client = this.#deps.connect(() => Promise.resolve(endpoint));
    const added = new AddedConnection(client, this.#deps.service.through(client));
    this.#open.set(name, added);
    return added;
  }

  dispose(): void {
    for (const { client } of this.#open.values()) client.dispose();
  }
}

class AddedConnection implements ModelConnection {
  readonly client: vscode.Disposable;
  readonly calls: RecordedCalls;
  #listed: readonly ModelInfo[] | undefined;

  constructor(client: vscode.Disposable, calls: RecordedCalls) {
    this.client = client;
    this.calls = calls;
  }

  /** Asked once in a window: VS Code wants the list at every turn. */
  async models({ signal }: { readonly signal: AbortSignal }): Promise<readonly ModelInfo[]> {
    this.#listed ??= await this.calls.listModels({ signal });
    return this.#listed;
  }
}
