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
  /** It has its connection and is sent now: the service's time is measured from here. */
  readonly onWire?: () => void;
  /**
   * The bytes that were just read from the socket contained text or reasoning. For a measurement: such a reply is only
   * decoded once everything that arrived with it, on any connection, has its time. `atMs` is on the clock of
   * `performance.now()`.
   */
  readonly textArrived?: ((atMs: number) => void) | undefined;
  /** An exchange is over. */
  readonly exchanged?: (exchange: Exchange) => void;
}
