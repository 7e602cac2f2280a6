/** One attempt at a response: pushed by the socket, pulled by the caller. */
export interface Attempt<Event> {
  /** True once something arrived that the caller will see. After that, nothing is retried. */
  readonly hasOutput: boolean;
  /**
   * The events since the last call, after waiting for the first of them; undefined at the end.
   * @throws the failure, or the cancel's reason, once everything before it was returned.
   */
  nextBatch(): Promise<readonly Event[] | undefined>;
  /** The caller stops reading. */
  abandon(): void;
}
