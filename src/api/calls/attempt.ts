/** One attempt at an answer: pushed by the socket, pulled by the caller. */
export interface Attempt<Event> {
  /** True once something came that the caller will see, after which nothing is repeated. */
  readonly hasOutput: boolean;
  /**
   * The events that came since the last call, waiting for the first of them; undefined at the end.
   *
   * @throws the failure, or the cancel's reason, once everything that came before it was given.
   */
  nextBatch(): Promise<readonly Event[] | undefined>;
  /** The caller leaves. */
  abandon(): void;
}
