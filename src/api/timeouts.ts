/** How long each phase may last, in milliseconds. */
export interface Timeouts {
  /** Name lookup, TCP, proxy tunnel and TLS together. */
  readonly connectMs: number;
  /** From sending a request to the first byte of a streamed answer's body. */
  readonly firstByteMs: number;
  /** Between two reads of a streamed answer; keep-alive comments count. */
  readonly silenceMs: number;
  /** A reply that comes in one piece: its first byte comes only when all of it is made. */
  readonly wholeReplyMs: number;
  /** The model catalogue, from start to end. */
  readonly catalogueMs: number;
}

export const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  firstByteMs: 120_000,
  silenceMs: 90_000,
  wholeReplyMs: 600_000,
  catalogueMs: 15_000,
};
