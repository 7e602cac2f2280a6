import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import { deriveNativeUrl, parseBaseUrl, parseNativeUrl } from '../../api/service/baseUrl.ts';
import { isDowngrade } from '../../api/service/hostForms.ts';
import type { Endpoint } from '../../api/types.ts';
import type { SetupFailure } from '../../shared/apiFailure.ts';
import type { ConnectionView } from '../../shared/chatProtocol.ts';
import { type ApiKey, type ApiKeyStore, mayGoTo } from './apiKeyStore.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { ServiceEntry } from '../../core/services/serviceEntry.ts';
import type { Setting } from '../settings/setting.ts';
import { hostsOf } from './storedKey.ts';

/** The service's addresses, before any key. */
export interface Addresses {
  readonly baseUrl: URL;
  readonly nativeUrl: URL;
  /** The older host's form of the base URL, where there is one that can be used. */
  readonly fallbackBaseUrl?: URL;
  /** Each origin once: the key may go to these. */
  readonly origins: readonly string[];
  /** What is wrong with an address that requests can do without. */
  readonly faults: readonly SetupFailure[];
}

/** Where requests go and with which key: read anew for each, so that a change counts at once. */
export class EndpointSource implements vscode.Disposable {
  readonly #entry: Setting<ServiceEntry>;
  readonly #keys: ApiKeyStore;
  readonly #own = new DisposableList();
  #httpsOrigin: string | undefined;
  #keySource: Exclude<ApiKey['source'], 'none'> | undefined;
  readonly #changed = this.#own.add(new vscode.EventEmitter<void>());

  readonly #trouble = this.#own.add(new vscode.EventEmitter<SetupFailure>());

  /** The address or the key changed. */
  readonly onDidChange = this.#changed.event;

  /** At each request: what is wrong with the addresses beside the base URL. The request is made without them. */
  readonly onTrouble = this.#trouble.event;

  constructor(deps: { readonly entry: Setting<ServiceEntry>; readonly keys: ApiKeyStore }) {
    this.#entry = deps.entry;
    this.#keys = deps.keys;
    const changed = () => this.#changed.fire();
    this.#own.add(deps.entry.onDidChange(changed));
    this.#own.add(deps.keys.onDidChange(changed));
  }

  /** The configured addresses, or what is missing or wrong with them. */
  addresses(): Addresses | SetupFailure {
    const entry = this.#entry.value;
    const base = parseBaseUrl(entry.baseUrl);
    if (!base.ok) {
      return addressFailure(base.reason, entry.baseUrl);
    }
    const faults: SetupFailure[] = [];
    const nativeText = entry.nativeUrl.trim();
    const native = nativeText === '' ? undefined : parseNativeUrl(nativeText);
    if (native?.ok === false) faults.push(fault('validNativeUrl', native.reason, nativeText));
    const nativeUrl = native?.ok === true ? native.url : deriveNativeUrl(base.url);
    const legacyText = entry.fallbackBaseUrl.trim();
    const legacy = legacyText === '' ? undefined : parseBaseUrl(legacyText);
    if (legacy?.ok === false) faults.push(fault('validLegacyUrl', legacy.reason, legacyText));
    const urls = { baseUrl: base.url, nativeUrl };
    const isUsable = legacy?.ok === true && !isDowngrade(urls, legacy.url);
    if (legacy?.ok === true && !isUsable) {
      faults.push({ kind: 'setup', missing: 'encryptedLegacyUrl', found: legacy.url.origin });
    }
    const legacyUrl = isUsable ? { fallbackBaseUrl: legacy.url } : {};
    const all = [base.url, nativeUrl, ...(isUsable ? [legacy.url] : [])];
    return { ...urls, ...legacyUrl, origins: [...new Set(all.map(({ origin }) => origin))], faults };
  }

  /** Host of the base address, empty when there is none. */
  get host(): string {
    const addresses = this.addresses();
    return 'kind' in addresses ? '' : addresses.baseUrl.host;
  }

  /** Where the key of the latest request came from, for the words about a key that was refused. */
  get keySource(): Exclude<ApiKey['source'], 'none'> | undefined {
    return this.#keySource;
  }

  /** @throws {ApiError} `setup`, when something the user must give is missing. */
  async current(): Promise<Endpoint> {
    const addresses = this.addresses();
    if ('kind' in addresses) {
      throw new ApiError(addresses);
    }
    const key = await this.#keys.read(addresses.baseUrl.origin);
    if ('kind' in key) {
      throw new ApiError(key);
    }
    this.#keySource = key.source === 'none' ? undefined : key.source;
    const { baseUrl, nativeUrl, fallbackBaseUrl, origins, faults } = addresses;
    const { nativeSegment, headers } = this.#entry.value;
    const keyOrigins = origins.filter((origin) => mayGoTo(key, origin));
    for (const trouble of faults) this.#trouble.fire(trouble);
    for (const target of origins) {
      if (target === baseUrl.origin || keyOrigins.includes(target)) continue;
      this.#trouble.fire({ kind: 'setup', missing: 'apiKeyForThisHost', target });
    }
    return {
      baseUrl,
      nativeUrl,
      ...(fallbackBaseUrl === undefined ? {} : { fallbackBaseUrl }),
      nativeSegment,
      ...(Object.keys(headers).length > 0 && { headers }),
      apiKey: key.key,
      keyOrigins,
      ...(key.source === 'stored' && { keyHosts: hostsOf(key.origins) }),
    };
  }

  /** @throws {ApiError} `setup`, when nothing can be sent to the base URL: the key may not go there, or as `current`. */
  async check(): Promise<void> {
    const addresses = this.addresses();
    const obstacle = 'kind' in addresses ? addresses : await this.#keyObstacle(addresses);
    if (obstacle !== undefined) throw new ApiError(obstacle);
  }

  /** The base URL's host redirected to this origin of its own over https. */
  redirectedToHttps(origin: string): void {
    this.#httpsOrigin = origin;
  }

  /** Undefined unless the base URL's host asked for https, and is still the one that is set. */
  get httpsOrigin(): string | undefined {
    const addresses = this.addresses();
    const host = this.#httpsOrigin === undefined ? undefined : URL.parse(this.#httpsOrigin)?.hostname;
    const isSame = !('kind' in addresses) && addresses.baseUrl.hostname === host;
    return isSame ? this.#httpsOrigin : undefined;
  }

  /** Of the configured origins those that the key in use may not go to yet. */
  async unapproved(): Promise<readonly string[]> {
    const addresses = this.addresses();
    if ('kind' in addresses) return [];
    const key = await this.#keys.read(addresses.baseUrl.origin);
    return 'kind' in key ? [] : addresses.origins.filter((origin) => !mayGoTo(key, origin));
  }

  /** What is still to do before a message can be sent; for showing, so it says nothing about the key itself. */
  async connection(model: ModelRef | undefined): Promise<ConnectionView> {
    const addresses = this.addresses();
    if ('kind' in addresses) {
      return { state: 'needsBaseUrl', host: '' };
    }
    const { host } = addresses.baseUrl;
    if ((await this.#keyObstacle(addresses)) !== undefined) {
      return { state: 'needsApiKey', host };
    }
    return { state: model === undefined || model === '' ? 'needsModel' : 'ready', host };
  }

  /** What was given and does not fit: an address that is none, a key for another host. */
  async misfit(): Promise<SetupFailure | undefined> {
    const addresses = this.addresses();
    const failure = 'kind' in addresses ? addresses : await this.#keyObstacle(addresses);
    return failure?.missing === 'baseUrl' || failure?.missing === 'apiKey' ? undefined : failure;
  }

  /** Why nothing can be sent to the base URL. */
  async #keyObstacle({ baseUrl }: Addresses): Promise<SetupFailure | undefined> {
    const key = await this.#keys.read(baseUrl.origin);
    if ('kind' in key) return key;
    if (mayGoTo(key, baseUrl.origin)) return undefined;
    const found = key.source === 'stored' ? { found: hostsOf(key.origins) } : {};
    return { kind: 'setup', missing: 'apiKeyForThisHost', ...found, target: baseUrl.origin };
  }

  dispose(): void {
    this.#own.dispose();
  }
}

function addressFailure(reason: string, text: string): SetupFailure {
  return reason === 'empty' ? { kind: 'setup', missing: 'baseUrl' } : fault('validBaseUrl', reason, text);
}

function fault(missing: SetupFailure['missing'], reason: string, text: string): SetupFailure {
  // A login or a query may be a secret, and this is shown and kept in conversations.
  return reason === 'credentials' || reason === 'query'
    ? { kind: 'setup', missing }
    : { kind: 'setup', missing, found: text.trim().slice(0, 200) };
}
