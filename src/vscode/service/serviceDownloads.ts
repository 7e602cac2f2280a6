import type * as vscode from 'vscode';
import type { MediaDownloads } from '../../api/download/mediaDownload.ts';
import type { Transport } from '../../api/transport/transport.ts';
import type { TransportSettings } from '../../api/transport/transportSettings.ts';
import type { ServiceClients } from './serviceClients.ts';
import type { Services } from './services.ts';

/** Downloads what services have generated. That needs no key, so it's also possible once a service was removed. */
export class ServiceDownloads implements vscode.Disposable {
  readonly #services: Pick<Services, 'find' | 'formerUrl'>;
  readonly #clients: Pick<ServiceClients, 'of'>;
  readonly #settings: () => TransportSettings;
  #transport: Promise<Transport> | undefined;

  constructor(deps: {
    readonly services: Pick<Services, 'find' | 'formerUrl'>;
    readonly clients: Pick<ServiceClients, 'of'>;
    readonly settings: () => TransportSettings;
  }) {
    this.#services = deps.services;
    this.#clients = deps.clients;
    this.#settings = deps.settings;
  }

  of(id: string): MediaDownloads {
    const known = this.#services.find(id);
    // The first service stays when it's the only one and removed, without a URL.
    if (known !== undefined && !('kind' in known.endpoint.addresses())) return this.#clients.of(id);
    const url = this.#services.formerUrl(id);
    const service = url === undefined ? [] : [url];
    return {
      downloadMedia: async (link, sink, options) => {
        const { InferenceClient } = await import('../../api/inferenceClient.ts');
        const transport = await (this.#transport ??= this.#connect());
        return InferenceClient.download({ transport, service }, link, sink, options);
      },
    };
  }

  dispose(): void {
    void this.#transport?.then((transport) => transport.dispose());
  }

  async #connect(): Promise<Transport> {
    const { createTransport } = await import('../../api/transport/createTransport.ts');
    return createTransport({ settings: this.#settings, hostFetch: globalThis.fetch });
  }
}
