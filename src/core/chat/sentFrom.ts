/** The message from which a conversation is sent, and since when, as Unix time in milliseconds. */
export interface SentFrom {
  readonly id: string;
  readonly at: number;
}
