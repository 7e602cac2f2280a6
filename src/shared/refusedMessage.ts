/** What every page sends when a message from the host isn't of its protocol: the host writes it to the log. */
export interface RefusedMessage {
  readonly type: 'refusedMessage';
  /** The message's own `type`, as `messageName` gives it. */
  readonly name: string;
}

/** What a log may say about a message from the other side: its type, if that is a plain word. Never its content. */
export function messageName(message: unknown): string {
  const type = typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined;
  return typeof type === 'string' && /^\w{1,40}$/.test(type) ? type : 'unnamed';
}
