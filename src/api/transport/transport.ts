import type { Carriage, CarrierEvents, HeaderList } from './carrier.ts';
import type { Patience } from './timeouts.ts';
import type { Endpoint } from '../types.ts';

/** One HTTP exchange with the service. */
export interface TransportRequest {
  readonly endpoint: Endpoint;
  /** Has to be of one of the endpoint's origins. */
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
  /** Asked of each address that the name of the host leads to. */
  readonly mayConnect: (address: string) => boolean;
}

export interface RequestBody {
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

export interface ResponseHead {
  readonly status: number;
  /** Names in lower case. */
  readonly header: (name: string) => string | undefined;
  readonly allHeaders: () => HeaderList;
  /** `host`: over the host's own fetch, because our own connection could not be made. */
  readonly via: 'own' | 'host';
}

/**
 * Hears of an answer as it comes, in the very turn in which its bytes were read: `head`, any
 * number of `data`, then `end` or `failed`. Nothing may throw but `data` and `end`, and only an
 * {@link ApiError}, which ends the exchange and comes back as `failed`.
 */
export interface ResponseReceiver {
  /** From here on a byte of the request may have left. */
  sent?(): void;
  head(head: ResponseHead): void;
  data(chunk: Uint8Array): void;
  end(): void;
  /** An {@link ApiError}, or the signal's reason when it was a cancel. Comes once, and last. */
  failed(error: unknown): void;
}

export interface ExchangeControl {
  pause(): void;
  resume(): void;
  /** What may still come is waited for briefly; then, and where the connection breaks, `end` is told. */
  settle(): void;
  /** The answer is complete as far as the receiver cares. Nothing is told any more. */
  finish(): void;
  /** Closes the connection at once. Nothing is told any more. */
  abandon(): void;
}

export interface Transport {
  send(request: TransportRequest, receiver: ResponseReceiver, signal?: AbortSignal): ExchangeControl;
  /** Gets a file from an address that someone else named. Without the key, and no redirect is followed. */
  get(request: OpenRequest, events: CarrierEvents): Promise<Carriage>;
  /**
   * Opens a connection to the address and keeps it for a minute, so that the next request finds it
   * open. Nothing is sent, nothing is told, and nothing is done where one is open and free.
   */
  warm(endpoint: Endpoint, url: URL): void;
  /** Closes every connection. What is under way fails. */
  dispose(): void;
}
