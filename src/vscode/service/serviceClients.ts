import type * as vscode from 'vscode';
import { ApiError } from '../../api/apiError.ts';
import { serviceName } from '../../words/modelLabel.ts';
import type { LateClient } from './lateClient.ts';
import type { Service } from './service.ts';
import type { Services } from './services.ts';

/** A client for each service, with its own connections, so that nothing for one service can reach another. */
export class ServiceClients implements vscode.Disposable {
  readonly #services: Pick<Services, 'find' | 'onDidChange'>;
  readonly #clientFor: (service: Service) => LateClient;
  readonly #clients = new Map<string, LateClient>();
  readonly #subscription: vscode.Disposable;

  constructor(services: Pick<Services, 'find' | 'onDidChange'>, clientFor: (service: Service) => LateClient) {
    this.#services = services;
    this.#clientFor = clientFor;
    this.#subscription = services.onDidChange(() => {
      for (const [id, client] of this.#clients) {
        // Without a base URL, it takes the place of the only service, which was removed.
        if ((services.find(id)?.entry.value.baseUrl ?? '') !== '') continue;
        this.#clients.delete(id);
        client.dispose();
      }
    });
  }

  /** @throws {ApiError} `setup`, if the service was removed. */
  of(id: string): LateClient {
    const known = this.#clients.get(id);
    if (known !== undefined) return known;
    const service = this.#services.find(id);
    if (service === undefined) {
      throw new ApiError({ kind: 'setup', missing: 'service', found: serviceName(id) }, undefined, id);
    }
    const client = this.#clientFor(service);
    this.#clients.set(id, client);
    return client;
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const client of this.#clients.values()) client.dispose();
  }
}
