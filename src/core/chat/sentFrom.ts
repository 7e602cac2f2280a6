/** From which message on a conversation is sent, and since when: Unix time in milliseconds. */
export interface SentFrom {
  readonly id: string;
  readonly at: number;
}
