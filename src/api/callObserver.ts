import type { Exchange } from './exchange.ts';

/** One HTTP request as it's sent, without its headers, so the key is in none of this. */
export interface SentRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly contentType?: string;
  /** The body if it's text. A form with a file in it isn't. */
  readonly text?: string;
  /** It's sent without a key, because the service needs none. */
  readonly isKeyless?: boolean;
}

/** Observes the HTTP exchanges of one call: its attempts, on each form of the host. Must not throw. */
export interface CallObserver {
  readonly sending?: (request: SentRequest) => void;
  /** The request has its connection and is being sent: the service's time is measured from here. */
  readonly onWire?: () => void;
  /**
   * The bytes that were just read from the socket contained text or reasoning. For measurements: such a reply is
   * decoded only after everything that arrived with it, on any connection, has a timestamp. `atMs` is on the clock of
   * `performance.now()`.
   */
  readonly textArrived?: ((atMs: number) => void) | undefined;
  /** An exchange is over. */
  readonly exchanged?: (exchange: Exchange) => void;
}
