import * as vscode from 'vscode';
import { ApiError } from '../api/apiError.ts';
import { deriveNativeUrl, parseBaseUrl, parseNativeUrl } from '../api/baseUrl.ts';
import type { Endpoint } from '../api/types.ts';
import type { SetupFailure } from '../shared/apiFailure.ts';
import type { ConnectionView } from '../shared/chatProtocol.ts';
import type { ApiKey, ApiKeyStore } from './apiKeyStore.ts';
import { DisposableList } from './disposables.ts';
import type { Settings } from './settings.ts';

/** The service's addresses, before any key. */
export interface Addresses {
  readonly baseUrl: URL;
  readonly nativeUrl: URL;
  /** The older host's form of the base address, where there is one. */
  readonly legacyBaseUrl?: URL;
  /** Each origin once: the key may go to these. */
  readonly origins: readonly string[];
}

/** Where requests go and with which key: read anew for each, so that a change counts at once. */
export class EndpointSource implements vscode.Disposable {
  readonly #settings: Pick<Settings, 'baseUrl' | 'nativeUrl' | 'nativeSegment' | 'legacyBaseUrl'>;
  readonly #keys: ApiKeyStore;
  readonly #own = new DisposableList();
  #keySource: ApiKey['source'] | undefined;
  readonly #changed = this.#own.add(new vscode.EventEmitter<void>());

  /** The address or the key changed. */
  readonly onDidChange = this.#changed.event;

  constructor(deps: {
    readonly settings: Pick<Settings, 'baseUrl' | 'nativeUrl' | 'nativeSegment' | 'legacyBaseUrl'>;
    readonly keys: ApiKeyStore;
  }) {
    this.#settings = deps.settings;
    this.#keys = deps.keys;
    const changed = () => this.#changed.fire();
    const { baseUrl, nativeUrl, nativeSegment, legacyBaseUrl } = deps.settings;
    for (const setting of [baseUrl, nativeUrl, nativeSegment, legacyBaseUrl]) {
      this.#own.add(setting.onDidChange(changed));
    }
    this.#own.add(deps.keys.onDidChange(changed));
  }

  /** The configured addresses, or what is missing or wrong with them. */
  addresses(): Addresses | SetupFailure {
    const base = parseBaseUrl(this.#settings.baseUrl.value);
    if (!base.ok) {
      return addressFailure(base.reason, this.#settings.baseUrl.value);
    }
    const nativeText = this.#settings.nativeUrl.value.trim();
    const native = nativeText === '' ? undefined : parseNativeUrl(nativeText);
    if (native !== undefined && !native.ok) {
      return addressFailure(native.reason, nativeText);
    }
    const legacyText = this.#settings.legacyBaseUrl.value.trim();
    const legacy = legacyText === '' ? undefined : parseBaseUrl(legacyText);
    if (legacy !== undefined && !legacy.ok) {
      return addressFailure(legacy.reason, legacyText);
    }
    const urls = { baseUrl: base.url, nativeUrl: native?.url ?? deriveNativeUrl(base.url) };
    const origins = [urls.baseUrl.origin, urls.nativeUrl.origin];
    return legacy === undefined
      ? { ...urls, origins: [...new Set(origins)] }
      : { ...urls, legacyBaseUrl: legacy.url, origins: [...new Set([...origins, legacy.url.origin])] };
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
    const { origins: _, ...urls } = addresses;
    return { ...urls, nativeSegment: this.#settings.nativeSegment.value, apiKey: key.key };
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

  /** What was given and does not fit: an address that is none, a key for another host. */
  async misfit(): Promise<SetupFailure | undefined> {
    const addresses = this.addresses();
    const failure = 'kind' in addresses ? addresses : await this.#keys.read(addresses.origins);
    if (!('kind' in failure) || failure.missing === 'baseUrl' || failure.missing === 'apiKey') {
      return undefined;
    }
    return failure;
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
