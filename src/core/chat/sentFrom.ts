/** The message from which a conversation is sent. */
export interface SentFrom {
  readonly id: string;
}
