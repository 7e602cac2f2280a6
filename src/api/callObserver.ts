import type { Exchange } from './exchange.ts';

/** One HTTP request as it goes out, without its headers: the key is in none of this. */
export interface SentRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly contentType?: string;
  /** The body where it is text; a form with a file in it is not. */
  readonly text?: string;
  /** It goes without a key: the service needs none. */
  readonly isKeyless?: boolean;
}

/** Hears of the HTTP exchanges of one call: its attempts, on each form of the host. Must not throw. */
export interface CallObserver {
  readonly sending?: (request: SentRequest) => void;
  /** It has its connection and leaves now: the moment from which the service's time is measured. */
  readonly onWire?: () => void;
  /** An exchange is over. */
  readonly exchanged?: (exchange: Exchange) => void;
}
