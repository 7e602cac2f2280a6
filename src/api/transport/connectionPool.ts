import type { Client } from 'undici';
import type { Carriage, CarriedRequest, CarrierEvents } from './carrier.ts';
import { Connection } from './connection.ts';
import { proxyRouteFor } from './proxyRoute.ts';
import type { ConnectPlan } from './socketConnector.ts';
import { SwitchedCarriage } from './switchedCarriage.ts';
import type { TransportSettings } from './transportSettings.ts';
import { TrustedCertificates } from './trustedCertificates.ts';

/** Our own connections, with VS Code's proxy and certificate settings, and undici for the protocol. */
export class ConnectionPool {
  readonly #connectMs: number;
  readonly #ClientClass: typeof Client;
  readonly #certificates = new TrustedCertificates();
  readonly #idle = new Map<string, Connection[]>();
  readonly #all = new Set<Connection>();
  #settingsKey = '';

  constructor(deps: { readonly connectMs: number; readonly ClientClass: typeof Client }) {
    this.#connectMs = deps.connectMs;
    this.#ClientClass = deps.ClientClass;
  }

  send(request: CarriedRequest, settings: TransportSettings, events: CarrierEvents): Carriage {
    this.#follow(settings);
    const key = request.url.origin;
    const connection = this.#idle.get(key)?.pop() ?? this.#open(request.url, settings);
    return connection.isUsed
      ? this.#sendOverUsed(connection, request, settings, events)
      : connection.send(request, events);
  }

  /**
   * Some servers close a connection after each response without saying so. The close might have arrived without having
   * been read yet: a request sent at that moment is lost, and nothing that costs money is sent twice. So the socket is
   * read first, in the next turns of the event loop.
   */
  #sendOverUsed(
    connection: Connection,
    request: CarriedRequest,
    settings: TransportSettings,
    events: CarrierEvents,
  ): Carriage {
    const carriage = new SwitchedCarriage();
    afterRead(() => {
      if (carriage.isOver) return connection.close();
      const open = connection.isClosed ? this.#open(request.url, settings) : connection;
      carriage.use(open.send(request, events));
    });
    return carriage;
  }

  /** The same over a separate connection, for a URL from someone else. */
  sendGuarded(
    request: CarriedRequest,
    settings: TransportSettings,
    events: CarrierEvents,
    mayConnect: (address: string) => boolean,
  ): Carriage {
    this.#follow(settings);
    return this.#open(request.url, settings, mayConnect).send(request, events);
  }

  /** Opens a connection in advance, unless an idle one exists. */
  warm(target: URL, settings: TransportSettings): void {
    this.#follow(settings);
    if ((this.#idle.get(target.origin)?.length ?? 0) > 0) return;
    const connection = this.#open(target, settings);
    this.#idle.set(target.origin, [connection]);
    connection.warm();
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  /** A connection opened under other settings finishes its exchange and isn't used again. */
  #follow(settings: TransportSettings): void {
    const settingsKey = JSON.stringify(settings);
    if (settingsKey === this.#settingsKey) return;
    this.#settingsKey = settingsKey;
    for (const connection of [...this.#idle.values()].flat()) connection.close();
    this.#idle.clear();
  }

  #open(target: URL, settings: TransportSettings, mayConnect?: (address: string) => boolean): Connection {
    const madeUnder = this.#settingsKey;
    const key = target.origin;
    const plan: ConnectPlan = {
      target,
      route: proxyRouteFor(target, settings),
      timeoutMs: this.#connectMs,
      secureContext: () => this.#certificates.contextFor(settings.systemCertificates),
      ...(settings.systemCertificates && { systemTrust: () => this.#certificates.contextWithSystem() }),
      ClientClass: this.#ClientClass,
      ...(mayConnect === undefined ? {} : { mayConnect }),
    };
    const connection = new Connection(plan, {
      idle: (free) => {
        if (madeUnder !== this.#settingsKey || mayConnect !== undefined) return free.close();
        this.#idle.set(key, [...(this.#idle.get(key) ?? []), free]);
      },
      closed: (gone) => {
        this.#all.delete(gone);
        const rest = (this.#idle.get(key) ?? []).filter((each) => each !== gone);
        if (rest.length === 0) this.#idle.delete(key);
        else this.#idle.set(key, rest);
      },
    });
    this.#all.add(connection);
    return connection;
  }
}

/**
 * Resolves once everything that has arrived on every socket so far has been read: after a whole turn of the event loop.
 */
function afterRead(act: () => void): void {
  setImmediate(() => setImmediate(act));
}
