import type { Spoken } from './spoken.ts';

/** What a fault knows about the exchange that it breaks. */
export interface FaultContext {
  readonly requestId: string;
  readonly model: string;
  readonly promptTokens: number;
  /** The same URL on the other form of the host: another origin. */
  readonly elsewhere: string;
}

/** A pause between two pieces, in milliseconds. */
interface Pause {
  readonly pauseMs: number;
}

/** A response byte by byte. */
export interface FaultAnswer {
  /** 200 by default. */
  readonly status?: number;
  /** `text/event-stream` by default. */
  readonly headers?: Readonly<Record<string, string>>;
  /** False if the response has no `x-request-id`. */
  readonly sendsRequestId?: boolean;
  /** False if not even the headers are sent. */
  readonly sendsHeaders?: boolean;
  /** Each piece is written separately, with time to be sent separately. */
  readonly pieces: Iterable<string | Uint8Array | Pause>;
  /**
   * `end` (default): ends the response as HTTP does. `close`: closes the connection in the middle. `reset`: resets it.
   * `hold`: sends nothing more and keeps the connection open until the client leaves.
   */
  readonly ending?: 'end' | 'close' | 'reset' | 'hold';
}

/** One way to break a response. */
export interface Fault {
  /** The model is `local/fault-<name>`. */
  readonly name: string;
  /** One line. */
  readonly description: string;
  readonly answer: (spoken: Spoken, context: FaultContext) => FaultAnswer;
}
