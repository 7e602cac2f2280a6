import * as vscode from 'vscode';
import { firstFree } from '../../core/services/newService.ts';
import type { ServiceEntry } from '../../core/services/serviceEntry.ts';
import type { Setting } from '../settings/setting.ts';
import type { ApiKeyStore } from './apiKeyStore.ts';
import type { EndpointSource } from './endpoint.ts';
import type { KeyMemory } from './keyMemory.ts';

/** The service's web pages that the user configured, for the buttons of problem cards. */
export type ServicePages = { readonly [P in 'keys' | 'credits' | 'inferenceLog']?: string };

/** A service that the user set up. */
export interface Service {
  /** Stays the same when its name or its URLs change. */
  readonly id: string;
  /** The user's name for it, or its host; empty while it has neither. */
  readonly name: string;
  readonly entry: Setting<ServiceEntry>;
  readonly endpoint: EndpointSource;
  readonly keys: ApiKeyStore;
  readonly memory: KeyMemory;
  pages(): ServicePages;
}

type Parts = Pick<Service, 'endpoint' | 'keys' | 'memory'>;

export class OpenService implements Service, vscode.Disposable {
  readonly id: string;
  readonly entry: Setting<ServiceEntry>;
  readonly endpoint: EndpointSource;
  readonly keys: ApiKeyStore;
  readonly memory: KeyMemory;
  readonly #changed = new vscode.EventEmitter<ServiceEntry>();
  #entry: ServiceEntry;
  #name = '';

  constructor(entry: ServiceEntry, partsOf: (entry: Setting<ServiceEntry>) => Parts) {
    this.id = entry.id;
    this.#entry = entry;
    const value = (): ServiceEntry => this.#entry;
    this.entry = {
      get value() {
        return value();
      },
      onDidChange: this.#changed.event,
    };
    const { endpoint, keys, memory } = partsOf(this.entry);
    this.endpoint = endpoint;
    this.keys = keys;
    this.memory = memory;
  }

  get name(): string {
    return this.#name;
  }

  /** @param taken the names of other services. A host that is one of them gets a number. */
  nameApartFrom(taken: readonly string[]): void {
    const { name } = this.#entry;
    const { host } = this.endpoint;
    this.#name = name !== '' || host === '' ? name : firstFree(host, ' ', taken);
  }

  pages(): ServicePages {
    const { keysPage, creditsPage, inferenceLogPage } = this.#entry;
    const all = { keys: keysPage, credits: creditsPage, inferenceLog: inferenceLogPage };
    return Object.fromEntries(Object.entries(all).filter(([, page]) => page !== ''));
  }

  set(entry: ServiceEntry): void {
    if (JSON.stringify(entry) === JSON.stringify(this.#entry)) return;
    this.#entry = entry;
    this.#changed.fire(entry);
  }

  dispose(): void {
    this.endpoint.dispose();
    this.keys.dispose();
    this.#changed.dispose();
  }
}
