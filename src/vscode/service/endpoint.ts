import type { ModelRef } from '../../shared/modelRef.ts';
import * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import { deriveNativeUrl, parseBaseUrl, parseNativeUrl } from '../../api/service/baseUrl.ts';
import { isDowngrade } from '../../api/service/hostForms.ts';
import { bareHost, isThisMachine } from '../../api/transport/proxyRoute.ts';
import type { Endpoint } from '../../api/types.ts';
import type { SetupFailure } from '../../shared/apiFailure.ts';
import type { ConnectionView } from '../../shared/protocol/chatProtocol.ts';
import { type ApiKey, type ApiKeyStore, mayGoTo } from './apiKeyStore.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { ServiceEntry } from '../../core/services/serviceEntry.ts';
import type { Setting } from '../settings/setting.ts';
import { hostsOf } from './storedKey.ts';

/** The service's URLs, without a key. */
export interface Addresses {
  readonly baseUrl: URL;
  readonly nativeUrl: URL;
  /** The older host's form of the base URL, if a usable one exists. */
  readonly fallbackBaseUrl?: URL;
  /** Nothing is sent to the native URL: it leads to another service. */
  readonly isNativeElsewhere: boolean;
  /** Each origin once. The key can be allowed for these. */
  readonly origins: readonly string[];
  /** What's wrong with an optional URL. */
  readonly faults: readonly SetupFailure[];
}

/** Where requests are sent and with which key. Read for each request, so that a change counts at once. */
export class EndpointSource implements vscode.Disposable {
  readonly #entry: Setting<ServiceEntry>;
  readonly #keys: ApiKeyStore;
  readonly #own = new DisposableList();
  #httpsOrigin: string | undefined;
  #keySource: Exclude<ApiKey['source'], 'none'> | undefined;
  readonly #changed = this.#own.add(new vscode.EventEmitter<void>());

  readonly #trouble = this.#own.add(new vscode.EventEmitter<SetupFailure>());

  /** The base URL or the key changed. */
  readonly onDidChange = this.#changed.event;

  /** For each request: what's wrong with the URLs besides the base URL. The request is sent without them. */
  readonly onTrouble = this.#trouble.event;

  constructor(deps: { readonly entry: Setting<ServiceEntry>; readonly keys: ApiKeyStore }) {
    this.#entry = deps.entry;
    this.#keys = deps.keys;
    let known = connectionFields(deps.entry.value);
    this.#own.add(
      deps.entry.onDidChange((entry) => {
        const fields = connectionFields(entry);
        if (fields === known) return;
        known = fields;
        this.#changed.fire();
      }),
    );
    this.#own.add(deps.keys.onDidChange(() => this.#changed.fire()));
  }

  /** The configured URLs, or what's missing or wrong with them. */
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
    const { isNativeElsewhere } = entry;
    return { ...urls, ...legacyUrl, isNativeElsewhere, origins: [...new Set(all.map(({ origin }) => origin))], faults };
  }

  /** Host of the base URL; empty without one. */
  get host(): string {
    const addresses = this.addresses();
    return 'kind' in addresses ? '' : addresses.baseUrl.host;
  }

  /** The origin of the latest request's key, for the message about a rejected key. */
  get keySource(): Exclude<ApiKey['source'], 'none'> | undefined {
    return this.#keySource;
  }

  /** @throws {ApiError} `setup`, if something that the user has to provide is missing. */
  async current(): Promise<Endpoint> {
    const addresses = this.addresses();
    if ('kind' in addresses) {
      throw this.#error(addresses);
    }
    const key = await this.#keys.read(addresses.baseUrl.origin);
    if ('kind' in key) {
      throw this.#error(key);
    }
    this.#keySource = key.source === 'none' ? undefined : key.source;
    const { baseUrl, nativeUrl, isNativeElsewhere, fallbackBaseUrl, origins, faults } = addresses;
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
      ...(isNativeElsewhere && { isNativeElsewhere }),
      nativeSegment,
      ...(Object.keys(headers).length > 0 && { headers }),
      apiKey: key.key,
      keyOrigins,
      ...(key.source === 'stored' && { keyHosts: hostsOf(key.origins) }),
    };
  }

  /** For downloads, which need no key. @throws {ApiError} `setup`, if the base URL is missing or wrong. */
  async configured(): Promise<Addresses> {
    const addresses = this.addresses();
    if ('kind' in addresses) throw this.#error(addresses);
    return addresses;
  }

  /**
   * @throws {ApiError} `setup`, if nothing can be sent to the base URL: the key isn't allowed there, or for the reason
   * in `current`.
   */
  async check(): Promise<void> {
    const addresses = this.addresses();
    const obstacle = 'kind' in addresses ? addresses : await this.#keyObstacle(addresses);
    if (obstacle !== undefined) throw this.#error(obstacle);
  }

  /** The base URL's host redirected to this origin of its own over https. */
  redirectedToHttps(origin: string): void {
    this.#httpsOrigin = origin;
  }

  /** Undefined unless the base URL's host redirected to https and is still the configured one. */
  get httpsOrigin(): string | undefined {
    const addresses = this.addresses();
    const host = this.#httpsOrigin === undefined ? undefined : URL.parse(this.#httpsOrigin)?.hostname;
    const isSame = !('kind' in addresses) && addresses.baseUrl.hostname === host;
    return isSame ? this.#httpsOrigin : undefined;
  }

  /** The configured origins that the current key isn't allowed for yet. */
  async unapproved(): Promise<readonly string[]> {
    const addresses = this.addresses();
    if ('kind' in addresses) return [];
    const key = await this.#keys.read(addresses.baseUrl.origin);
    return 'kind' in key ? [] : addresses.origins.filter((origin) => !mayGoTo(key, origin));
  }

  /** What has to be set up before a message can be sent. For display, so it says nothing about the key itself. */
  async connection(model: ModelRef | undefined): Promise<ConnectionView> {
    const addresses = this.addresses();
    if ('kind' in addresses) {
      return { state: 'needsBaseUrl', host: '' };
    }
    const { host } = addresses.baseUrl;
    if ((await this.#keyObstacle(addresses)) !== undefined) {
      return { state: 'needsApiKey', host, ...(isThisMachine(bareHost(addresses.baseUrl)) && { isLocal: true }) };
    }
    return { state: model === undefined || model === '' ? 'needsModel' : 'ready', host };
  }

  /** Settings that don't fit: an invalid URL, a key for another host. */
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

  /** A button of this problem then acts on this service. */
  #error(failure: SetupFailure): ApiError {
    return new ApiError(failure, undefined, this.#entry.value.id);
  }

  dispose(): void {
    this.#own.dispose();
  }
}

/** What requests depend on. A new name, web page, budget, or model detail doesn't make it another connection. */
function connectionFields(entry: ServiceEntry): string {
  const {
    name: _,
    keysPage: _k,
    creditsPage: _c,
    inferenceLogPage: _i,
    dailyBudget: _d,
    models: _m,
    ...fields
  } = entry;
  return JSON.stringify(fields);
}

function addressFailure(reason: string, text: string): SetupFailure {
  return reason === 'empty' ? { kind: 'setup', missing: 'baseUrl' } : fault('validBaseUrl', reason, text);
}

function fault(missing: SetupFailure['missing'], reason: string, text: string): SetupFailure {
  // A login or a query might be secret, and this is shown and stored in conversations.
  return reason === 'credentials' || reason === 'query'
    ? { kind: 'setup', missing }
    : { kind: 'setup', missing, found: text.trim().slice(0, 200) };
}
