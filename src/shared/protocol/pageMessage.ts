/** What a page sends when it fails on a message from the host. The host logs it. */
export interface FailedMessage {
  readonly type: 'failedMessage';
  /** The message's own `type`, as `messageName` gives it. */
  readonly name: string;
}

/** What the host adds to every message for a page. */
export interface Sent {
  /** On the host's clock, as Unix time in milliseconds; absent from a host that shares the page's clock. */
  readonly sentAt?: number;
}

/**
 * What a log can safely say about a message from the other side: its type, if that is a plain word. Never its content.
 */
export function messageName(message: unknown): string {
  const type = typeof message === 'object' && message !== null && 'type' in message ? message.type : undefined;
  return typeof type === 'string' && /^\w{1,40}$/.test(type) ? type : 'unnamed';
}

/** A message without its number, which the sender adds. */
export type Unnumbered<Message> = Message extends unknown ? Omit<Message, 'seq'> : never;

/** What one side does with each kind of message; a kind without a handler doesn't compile. */
export type Handlers<Message extends { readonly type: string }, Result = void> = {
  readonly [Each in Message as Each['type']]: (message: Each) => Result;
};

/** A method may take less than its type says. TypeScript can't see that each message gets to the handler of its kind. */
type AnyHandler<Message, Result> = { handle(message: Message): Result }['handle'];

/** Calls the handler of a message's kind. */
export function handleMessage<Message extends { readonly type: string }, Result>(
  handlers: Readonly<Record<Message['type'], AnyHandler<Message, Result>>>,
  message: Message,
): Result {
  const type: Message['type'] = message.type;
  return handlers[type](message);
}
