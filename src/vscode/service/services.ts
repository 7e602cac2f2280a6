import { type ModelRef, refParts } from '../../shared/modelRef.ts';
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
import { KeyMemory } from './keyMemory.ts';
import { type Service, OpenService } from './service.ts';

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
const formerNamesKey = 'parlance.formerServices';
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

  /** At each request: what is wrong with the addresses beside a base URL. The request is made without them. */
  readonly onTrouble = this.#trouble.event;

  /** The list no longer has a service that it had, whatever removed it. */
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

  /** The errors in the setting. */
  get faults(): readonly ServiceFault[] {
    return this.#faults;
  }

  dispose(): void {
    for (const service of this.#open.values()) service.dispose();
    this.#own.dispose();
  }

  #read(): void {
    const { entries, faults } = readServices(this.#deps.list.value);
    this.#faults = faults;
    const listed = entries.length === 0 ? [emptyEntry] : entries;
    this.#order = listed.map((entry) => {
      const known = this.#open.get(entry.id);
      known?.set(entry);
      return known ?? this.#opened(entry);
    });
    const gone = [...this.#open.values()].filter((service) => !this.#order.includes(service));
    const former = this.#formerNames(gone);
    useServiceNames(this.names, former);
    for (const service of gone) {
      this.#open.delete(service.id);
      service.dispose();
      this.#gone.fire(service);
    }
  }

  /** What is kept of a removed service still says whose it was. */
  #formerNames(gone: readonly Service[]): Readonly<Record<string, string>> {
    const kept = this.#deps.memento.get<unknown>(formerNamesKey);
    const known = isRecord(kept) ? Object.entries(kept).filter((pair) => typeof pair[1] === 'string') : [];
    const named = gone.filter(({ name }) => name !== '').map(({ id, name }) => [id, name]);
    const all: Readonly<Record<string, string>> = Object.fromEntries([...known, ...named].slice(-mostFormerNames));
    if (named.length > 0) void this.#deps.memento.update(formerNamesKey, all);
    return all;
  }

  #opened(entry: ServiceEntry): OpenService {
    const { id } = entry;
    const { secrets, redactor, onError, environment } = this.#deps;
    const isFirst = () => this.#order[0]?.id === id;
    const service: OpenService = new OpenService(entry, (setting) => {
      const memory = new KeyMemory(this.#deps.memento, id);
      const keys = new ApiKeyStore({
        secrets,
        service: id,
        environment: () => (isFirst() ? environment() : noEnvironment),
        memory,
        redactor,
        onError,
      });
      return { memory, keys, endpoint: new EndpointSource({ entry: setting, keys }) };
    });
    service.endpoint.onDidChange(() => this.#changed.fire());
    service.endpoint.onTrouble((failure) => this.#trouble.fire({ service, failure }));
    this.#open.set(id, service);
    return service;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
