import type { FailedMessage } from '../../../src/shared/protocol/pageMessage.ts';

/** The host's side of a page's protocol, in the page itself. */
export interface RecordingHost<Posted, Message> {
  /** Everything that the page sent, oldest first. */
  readonly posted: Posted[];
  /** Messages of uncaught errors, rejected promises, and content policy violations. */
  readonly errors: string[];
  /** Names of the messages that the page failed to handle. */
  readonly failed: string[];
  /** Adds the message's number. */
  send(message: Message): void;
  /** Sends any value. */
  sendRaw(message: unknown): void;
}

/** Answers the page's `ready` with the first message. @param first for a state of the page; undefined if there's none */
export function recordingHost<Posted extends { readonly type: string }, Message extends object>(
  first: (state: string) => Message | undefined,
): RecordingHost<Posted, Message> {
  let seq = 0;
  const host: RecordingHost<Posted, Message> = {
    posted: [],
    errors: [],
    failed: [],
    send: (message) => {
      seq += 1;
      host.sendRaw({ ...message, seq });
    },
    sendRaw: (message) => {
      window.dispatchEvent(new MessageEvent('message', { data: message }));
    },
  };
  window.addEventListener('error', (event) => host.errors.push(event.message));
  window.addEventListener('unhandledrejection', (event) => host.errors.push(String(event.reason)));
  document.addEventListener('securitypolicyviolation', (event) =>
    host.errors.push(`CSP: ${event.violatedDirective} ${event.blockedURI}`),
  );
  Object.assign(globalThis, {
    acquireVsCodeApi: () => ({
      postMessage: (message: Posted | FailedMessage) => {
        if (isFailed(message)) {
          host.failed.push(message.name);
          return;
        }
        // What can't be cloned can't be sent to the host either.
        host.posted.push(structuredClone(message));
        if (message.type === 'ready') queueMicrotask(answerReady);
      },
      getState: (): unknown => undefined,
      setState: (state: unknown) => state,
    }),
  });
  return host;

  function answerReady(): void {
    const state = new URLSearchParams(location.search).get('state') ?? 'empty';
    const message = first(state);
    if (message === undefined) throw new Error(`No state of the page named ${state}`);
    host.send(message);
  }
}

function isFailed(message: { readonly type: string }): message is FailedMessage {
  return message.type === 'failedMessage';
}
