import type { Client } from 'undici';
import type { Carriage, CarriedRequest, CarrierEvents } from './carrier.ts';
import { Connection } from './connection.ts';
import { proxyRouteFor } from './proxyRoute.ts';
import type { ConnectPlan } from './socketConnector.ts';
import { SwitchedCarriage } from './switchedCarriage.ts';
import type { TransportSettings } from './transportSettings.ts';
import { TrustedCertificates } from './trustedCertificates.ts';

/** Connections of our own making: VS Code's proxy and certificate settings, undici for the protocol. */
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
   * Some servers close a connection with each reply and don't say so. The end of the connection may have come and not
   * been read yet: a request that is sent into it is lost, and nothing that costs money is sent twice. So it's read
   * first, in the next turns of the event loop.
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

  /** The same over a connection of its own, for an address that someone else named. */
  sendGuarded(
    request: CarriedRequest,
    settings: TransportSettings,
    events: CarrierEvents,
    mayConnect: (address: string) => boolean,
  ): Carriage {
    this.#follow(settings);
    return this.#open(request.url, settings, mayConnect).send(request, events);
  }

  /** Makes a connection without a request for it, unless one is there that has none. */
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

  /** A connection made under other settings serves its exchange to the end and no further one. */
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

/** Once what has come on every socket by now was read: a whole turn of the event loop lies between. */
function afterRead(act: () => void): void {
  setImmediate(() => setImmediate(act));
}
