import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import { serviceName, useServiceNames } from '../../words/modelLabel.ts';
import { readServices, type ServiceFault } from '../../core/services/readServices.ts';
import { emptyEntry, type ServiceEntry } from '../../core/services/serviceEntry.ts';
import type { SetupFailure } from '../../shared/apiFailure.ts';
import { DisposableList } from '../platform/disposables.ts';
import type { Redactor } from '../platform/redactor.ts';
import type { Setting } from '../settings/setting.ts';
import { ApiKeyStore } from './apiKeyStore.ts';
import { EndpointSource } from './endpoint.ts';
import { KeyMemory, notedServices } from './keyMemory.ts';
import { type Service, OpenService } from './service.ts';
import { isRecord } from '../../shared/isRecord.ts';

export interface ServiceListDeps {
  /** `parlance.services` as the user wrote it. */
  readonly list: Setting<unknown>;
  readonly secrets: vscode.SecretStorage;
  readonly memento: vscode.Memento;
  /** SERVICE_API_KEY only applies to the first service. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  readonly redactor: Redactor;
  /** Called with the reason why the secret storage rejected a key. */
  readonly onError: (error: unknown) => void;
}

/** What is left of a service that was removed. */
export type LeftService = Pick<Service, 'id' | 'name' | 'keys' | 'memory'>;

export interface ServiceTrouble {
  readonly service: Service;
  readonly failure: SetupFailure;
}

const noEnvironment = {};
const formerNamesKey = 'parlance.formerServiceNames';
const formerNamesSchema = v.array(v.tuple([v.string(), v.string()]));
const formerUrlsKey = 'parlance.formerBaseUrls';
const mostFormerNames = 100;

/**
 * The services that the user set up, each with its URLs and its key. There's always a first one: if none is set up, it
 * has no base URL.
 */
export class Services implements vscode.Disposable {
  readonly #deps: ServiceListDeps;
  readonly #own = new DisposableList();
  readonly #open = new Map<string, OpenService>();
  readonly #changed = this.#own.add(new vscode.EventEmitter<void>());
  readonly #trouble = this.#own.add(new vscode.EventEmitter<ServiceTrouble>());
  readonly #gone = this.#own.add(new vscode.EventEmitter<LeftService>());
  #order: readonly OpenService[] = [];
  #faults: readonly ServiceFault[] = [];

  /** The list, a name, a URL, or a key changed. */
  readonly onDidChange = this.#changed.event;

  /** For each request: what's wrong with the URLs besides the base URL. The request is sent without them. */
  readonly onTrouble = this.#trouble.event;

  /** A service was removed from the list, no matter how. */
  readonly onDidLose = this.#gone.event;

  constructor(deps: ServiceListDeps) {
    this.#deps = deps;
    this.#read();
    this.#own.add(
      deps.list.onDidChange(() => {
        this.#read();
        this.#changed.fire();
      }),
    );
  }

  /** In the user's order, never empty. */
  get all(): readonly Service[] {
    return this.#order;
  }

  get first(): Service {
    const [first] = this.#order;
    if (first === undefined) throw new Error('There is always a first service');
    return first;
  }

  /** Undefined for one that was removed. */
  find(id: string): Service | undefined {
    return this.#order.find((service) => service.id === id);
  }

  /** The one that has the model, or the first one if no model is selected. Undefined if it was removed. */
  for(model: ModelRef | undefined): Service | undefined {
    return model === undefined ? this.first : this.find(refParts(model).service);
  }

  /** @throws {ApiError} `setup`, when nothing can be sent to the service that has the model. */
  async check(model: ModelRef | undefined): Promise<void> {
    const service = this.for(model);
    if (service !== undefined) return service.endpoint.check();
    const { service: removed } = refParts(model ?? '');
    throw new ApiError({ kind: 'setup', missing: 'service', found: serviceName(removed) }, undefined, removed);
  }

  /** The names of services, by ID. */
  get names(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#order.map(({ id, name }) => [id, name]));
  }

  /**
   * IDs and names of services that were removed, unless they had this base URL. A new service with one of them would
   * get the next messages of their conversations.
   */
  formerNames({ href }: URL): readonly string[] {
    const others = Object.entries(this.#kept(formerUrlsKey)).filter(([, url]) => url !== href);
    return others.flatMap(([id]) => (this.find(id) === undefined ? [id, serviceName(id)] : []));
  }

  /** The last base URL of a service that was removed, if that's known. */
  formerUrl(id: string): URL | undefined {
    return URL.parse(this.#kept(formerUrlsKey)[id] ?? '') ?? undefined;
  }

  /** The errors in the setting. */
  get faults(): readonly ServiceFault[] {
    return this.#faults;
  }

  /** Services that were deleted from the setting while nobody watched, and whose keys might still be saved. */
  get left(): readonly LeftService[] {
    const ids = notedServices(this.#deps.memento).filter((id) => this.find(id) === undefined);
    return ids.map((id) => ({ id, name: serviceName(id), ...this.#keysOf(id) }));
  }

  dispose(): void {
    for (const service of this.#open.values()) service.dispose();
    this.#own.dispose();
  }

  #read(): void {
    const { entries, faults } = readServices(this.#deps.list.value);
    this.#faults = faults;
    const listed = entries.length === 0 ? [emptyEntry] : entries;
    const before = [...this.#open.values()].map(({ id, name }) => ({ id, name }));
    const urls = [...this.#open.values()].flatMap(urlOf);
    this.#order = listed.map((entry) => {
      const known = this.#open.get(entry.id);
      known?.set(entry);
      return known ?? this.#opened(entry);
    });
    const taken = listed.map(({ name }) => name);
    for (const service of this.#order) {
      service.nameApartFrom(taken);
      taken.push(service.name);
    }
    const gone = [...this.#open.values()].filter((service) => !this.#order.includes(service));
    const former = this.#formerNames(before.filter(({ id, name }) => this.find(id)?.name !== name));
    useServiceNames(this.names, Object.fromEntries(former), former);
    // The only service stays when it's removed, without a URL.
    this.#keepUrls(
      urls.filter(([id]) => this.all.every((service) => service.id !== id || urlOf(service).length === 0)),
    );
    for (const service of gone) {
      this.#open.delete(service.id);
      service.dispose();
      this.#gone.fire(service);
    }
  }

  /**
   * Data of a removed service still shows where it came from, and a prompt that uses any old name of a renamed service
   * still reaches it.
   * @param gone names that services no longer have
   * @returns IDs with names, the latest last
   */
  #formerNames(gone: readonly Pick<Service, 'id' | 'name'>[]): readonly (readonly [string, string])[] {
    const named = gone.flatMap(({ id, name }) => (name === '' ? [] : [[id, name] as const]));
    const kept = v.safeParse(formerNamesSchema, this.#deps.memento.get<unknown>(formerNamesKey));
    const before = (kept.success ? kept.output : []).filter(
      ([id, name]) => !named.some(([sameId, same]) => id === sameId && name === same),
    );
    const all = [...before, ...named].slice(-mostFormerNames);
    if (named.length > 0) void this.#deps.memento.update(formerNamesKey, all);
    return all;
  }

  #keepUrls(urls: readonly (readonly [string, string])[]): void {
    if (urls.length === 0) return;
    void this.#deps.memento.update(formerUrlsKey, latest([...Object.entries(this.#kept(formerUrlsKey)), ...urls]));
  }

  /** Texts by service ID. */
  #kept(key: string): Readonly<Record<string, string>> {
    const kept = this.#deps.memento.get<unknown>(key);
    const pairs = isRecord(kept) ? Object.entries(kept) : [];
    return Object.fromEntries(pairs.flatMap(([id, text]) => (typeof text === 'string' ? [[id, text]] : [])));
  }

  #opened(entry: ServiceEntry): OpenService {
    const { id } = entry;
    const service: OpenService = new OpenService(entry, (setting) => {
      const { memory, keys } = this.#keysOf(id);
      return { memory, keys, endpoint: new EndpointSource({ entry: setting, keys }) };
    });
    service.endpoint.onDidChange(() => this.#changed.fire());
    service.endpoint.onTrouble((failure) => this.#trouble.fire({ service, failure }));
    this.#open.set(id, service);
    return service;
  }

  #keysOf(id: string): Pick<Service, 'keys' | 'memory'> {
    const { memento, secrets, redactor, onError, environment } = this.#deps;
    const memory = new KeyMemory(memento, id);
    const keys = new ApiKeyStore({
      secrets,
      service: id,
      environment: () => (this.#order[0]?.id === id ? environment() : noEnvironment),
      memory,
      redactor,
      onError,
    });
    return { memory, keys };
  }
}

function latest(texts: readonly (readonly string[])[]): Readonly<Record<string, string>> {
  return Object.fromEntries(texts.slice(-mostFormerNames));
}

/** A service's ID with its base URL; nothing without a usable one. */
function urlOf({ id, endpoint }: Service): readonly (readonly [string, string])[] {
  const addresses = endpoint.addresses();
  return 'kind' in addresses ? [] : [[id, addresses.baseUrl.href]];
}
