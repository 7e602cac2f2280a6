/** What a page sends when it fails on a message from the host. The host logs it. */
export interface FailedMessage {
  readonly type: 'failedMessage';
  /** The message's own `type`, as `messageName` gives it. */
  readonly name: string;
}

/**
 * What a log can safely say about a message from the other side: its type, if that is a plain word. Never its content.
 */
export function messageName(message: unknown): string {
  const type = typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined;
  return typeof type === 'string' && /^\w{1,40}$/.test(type) ? type : 'unnamed';
}
