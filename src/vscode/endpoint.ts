import * as vscode from 'vscode';
import { ApiError } from '../api/apiError.ts';
import { deriveNativeUrl, parseBaseUrl } from '../api/baseUrl.ts';
import type { Endpoint } from '../api/types.ts';
import type { SetupFailure } from '../shared/apiFailure.ts';
import type { ConnectionView } from '../shared/chatProtocol.ts';
import type { ApiKey, ApiKeyStore } from './apiKeyStore.ts';
import { DisposableList } from './disposables.ts';
import type { Setting } from './setting.ts';

/** The service's addresses, before any key. */
export interface Addresses {
  readonly baseUrl: URL;
  readonly nativeUrl: URL;
  /** Each origin once. */
  readonly origins: readonly string[];
}

/** Where requests go and with which key: read anew for each, so that a change counts at once. */
export class EndpointSource implements vscode.Disposable {
  readonly #baseUrl: Setting<string>;
  readonly #nativeUrl: Setting<string>;
  readonly #keys: ApiKeyStore;
  readonly #own = new DisposableList();
  #keySource: ApiKey['source'] | undefined;
  readonly #changed = this.#own.add(new vscode.EventEmitter<void>());

  /** The address or the key changed. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: {
    readonly baseUrl: Setting<string>;
    readonly nativeUrl: Setting<string>;
    readonly keys: ApiKeyStore;
  }) {
    this.#baseUrl = deps.baseUrl;
    this.#nativeUrl = deps.nativeUrl;
    this.#keys = deps.keys;
    const changed = () => this.#changed.fire();
    this.#own.add(deps.baseUrl.onDidChange(changed));
    this.#own.add(deps.nativeUrl.onDidChange(changed));
    this.#own.add(deps.keys.onDidChange(changed));
  }

  /** The configured addresses, or what is missing or wrong with them. */
  addresses(): Addresses | SetupFailure {
    const base = parseBaseUrl(this.#baseUrl.value);
    if (!base.ok) {
      return addressFailure(base.reason, this.#baseUrl.value);
    }
    const nativeText = this.#nativeUrl.value.trim();
    const native = nativeText === '' ? undefined : parseBaseUrl(nativeText);
    if (native !== undefined && !native.ok) {
      return addressFailure(native.reason, nativeText);
    }
    const nativeUrl = native?.url ?? deriveNativeUrl(base.url);
    return { baseUrl: base.url, nativeUrl, origins: [...new Set([base.url.origin, nativeUrl.origin])] };
  }

  /** Host of the base address, empty when there is none. */
  get host(): string {
    const addresses = this.addresses();
    return 'kind' in addresses ? '' : addresses.baseUrl.host;
  }

  /** Where the key of the latest request came from, for the words about a key that was refused. */
  get keySource(): ApiKey['source'] | undefined {
    return this.#keySource;
  }

  /** @throws {ApiError} `setup`, when something the user must give is missing. */
  async current(): Promise<Endpoint> {
    const addresses = this.addresses();
    if ('kind' in addresses) {
      throw new ApiError(addresses);
    }
    const key = await this.#keys.read(addresses.origins);
    if ('kind' in key) {
      throw new ApiError(key);
    }
    this.#keySource = key.source;
    return { baseUrl: addresses.baseUrl, nativeUrl: addresses.nativeUrl, apiKey: key.key };
  }

  /** What is still to do before a message can be sent; for showing, so it says nothing about the key itself. */
  async connection(model: string | undefined): Promise<ConnectionView> {
    const addresses = this.addresses();
    if ('kind' in addresses) {
      return { state: 'needsBaseUrl', host: '' };
    }
    const { host } = addresses.baseUrl;
    const key = await this.#keys.read(addresses.origins);
    if ('kind' in key) {
      return { state: 'needsApiKey', host };
    }
    return { state: model === undefined || model === '' ? 'needsModel' : 'ready', host };
  }

  dispose(): void {
    this.#own.dispose();
  }
}

function addressFailure(reason: string, text: string): SetupFailure {
  if (reason === 'empty') {
    return { kind: 'setup', missing: 'baseUrl' };
  }
  // A login or a query may be a secret, and this is shown and kept in conversations.
  return reason === 'credentials' || reason === 'query'
    ? { kind: 'setup', missing: 'validBaseUrl' }
    : { kind: 'setup', missing: 'validBaseUrl', found: text.trim().slice(0, 200) };
}
