import type { FailedMessage } from '../../../src/shared/protocol/pageMessage.ts';

/** The host's side of a page's protocol, in the page itself. */
export interface RecordingHost<Posted, Message> {
  /** Everything that the page sent, oldest first. */
  readonly posted: Posted[];
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
    send: (message) => {
      seq += 1;
      host.sendRaw({ ...message, seq });
    },
    sendRaw: (message) => {
      window.dispatchEvent(new MessageEvent('message', { data: message }));
    },
  };
  Object.assign(globalThis, {
    acquireVsCodeApi: () => ({
      postMessage: (message: Posted | FailedMessage) => {
        if (isFailed(message)) return tellFailed(message);
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

/** As the host would in its log. An error in the page's console fails the test. */
export function tellFailed({ name }: FailedMessage): void {
  console.error(`The page failed at the message ${name}`);
}

function isFailed(message: { readonly type: string }): message is FailedMessage {
  return message.type === 'failedMessage';
}
