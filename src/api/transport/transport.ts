import type { Carriage, CarrierEvents, HeaderList } from './carrier.ts';
import type { Patience } from './timeouts.ts';
import type { Endpoint } from '../types.ts';

/** One HTTP exchange with the service. */
export interface TransportRequest {
  readonly endpoint: Endpoint;
  /** Has to be on one of the endpoint's origins. */
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly accept: string;
  readonly body?: RequestBody;
  /** The body has images for the model to look at. */
  readonly hasImages?: boolean;
  readonly patience: Patience;
}

/** A request that carries no key. */
export interface OpenRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Called for each IP address that the host's name resolves to. */
  readonly mayConnect: (address: string) => boolean;
}

export interface RequestBody {
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

export interface ResponseHead {
  readonly status: number;
  /** In lower case. */
  readonly header: (name: string) => string | undefined;
  readonly allHeaders: () => HeaderList;
  /** `host`: through the host's own fetch, because our own connection failed. */
  readonly via: 'own' | 'host';
}

/**
 * Receives a response as it arrives, in the very turn in which its bytes were read: `head`, any number of `data`, then
 * `end` or `failed`. Only `data` and `end` may throw, and only an {@link ApiError}, which ends the exchange and is
 * passed to `failed`.
 */
export interface ResponseReceiver {
  /**
   * It needs to know when bytes arrived. `head` and `data` are then delivered in a later turn, so that work on the
   * replies of other connections doesn't delay the times.
   */
  readonly isTimed?: boolean;
  /** From here on, a byte of the request might have been sent. */
  sent?(): void;
  head(head: ResponseHead): void;
  /** @param atMs when it was read from the socket, by `performance.now()`, if the receiver is timed */
  data(chunk: Uint8Array, atMs?: number): void;
  end(): void;
  /** An {@link ApiError}, or the signal's reason after a cancel. Called once, as the last one. */
  failed(error: unknown): void;
}

export interface ExchangeControl {
  pause(): void;
  resume(): void;
  /** The remaining bytes are awaited briefly. After that, or if the connection breaks, `end` is called. */
  settle(): void;
  /** The receiver considers the response complete. Nothing is called after this. */
  finish(): void;
  /** Closes the connection at once. Nothing is called after this. */
  abandon(): void;
}

export interface Transport {
  send(request: TransportRequest, receiver: ResponseReceiver, signal?: AbortSignal): ExchangeControl;
  /** Fetches a file from a URL that someone else provided, without the key and without following redirects. */
  get(request: OpenRequest, events: CarrierEvents): Promise<Carriage>;
  /**
   * Opens a connection to the URL and keeps it for a minute for the next request. Nothing is sent or reported, and
   * nothing happens if an idle connection exists.
   */
  warm(endpoint: Endpoint, url: URL): void;
  /** Closes every connection. Running exchanges fail. */
  dispose(): void;
}
