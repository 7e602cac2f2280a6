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
  /** 200 unless given. */
  readonly status?: number;
  /** `text/event-stream` unless given. */
  readonly headers?: Readonly<Record<string, string>>;
  /** False when the answer carries no `x-request-id`. */
  readonly sendsRequestId?: boolean;
  /** False when not even the headers are sent. */
  readonly sendsHeaders?: boolean;
  /** Each piece is written by itself, and given the time to leave by itself. */
  readonly pieces: Iterable<string | Uint8Array | Pause>;
  /**
   * `end`, unless given: as HTTP ends an answer. `close`: the connection is closed in the midst of it.
   * `reset`: it is reset. `hold`: nothing more comes, and the connection stays open until the client leaves.
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
