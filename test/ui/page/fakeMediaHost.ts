import type { ToMediaHost, ToMediaPage } from '../../../src/shared/mediaProtocol.ts';
import type { FailedMessage } from '../../../src/shared/failedMessage.ts';
import { mediaStates } from './mediaStates.ts';

/** A message to the page without its number: the fake host adds it. */
export type UnnumberedMedia = ToMediaPage extends infer M ? (M extends ToMediaPage ? Omit<M, 'seq'> : never) : never;

declare global {
  interface Window {
    /** The host's side of the media pages' protocol, in the page itself. */
    mediaHost: {
      /** Everything that the page sent, oldest first. */
      readonly posted: ToMediaHost[];
      /** Messages of uncaught errors, rejected promises, and content policy violations. */
      readonly errors: string[];
      /** Names of the messages that the page failed to handle. */
      readonly failed: string[];
      send(message: UnnumberedMedia): void;
      /** Sends any value. */
      sendRaw(message: unknown): void;
    };
  }
}

const stateName = new URLSearchParams(location.search).get('state') ?? 'empty';
let seq = 0;

const mediaHost: Window['mediaHost'] = {
  posted: [],
  errors: [],
  failed: [],
  send: (message) => {
    seq += 1;
    mediaHost.sendRaw({ ...message, seq });
  },
  sendRaw: (message) => {
    window.dispatchEvent(new MessageEvent('message', { data: message }));
  },
};
window.mediaHost = mediaHost;
window.addEventListener('error', (event) => mediaHost.errors.push(event.message));
window.addEventListener('unhandledrejection', (event) => mediaHost.errors.push(String(event.reason)));
document.addEventListener('securitypolicyviolation', (event) =>
  mediaHost.errors.push(`CSP: ${event.violatedDirective} ${event.blockedURI}`),
);

Object.assign(globalThis, {
  acquireVsCodeApi: () => ({
    postMessage: (message: ToMediaHost | FailedMessage) => {
      if (message.type === 'failedMessage') {
        mediaHost.failed.push(message.name);
        return;
      }
      // What can't be cloned can't be sent to the host either.
      mediaHost.posted.push(structuredClone(message));
      if (message.type === 'ready') queueMicrotask(answerReady);
    },
    getState: (): unknown => undefined,
    setState: (state: unknown) => state,
  }),
});

function answerReady(): void {
  const snapshot = mediaStates[stateName];
  if (snapshot === undefined) throw new Error(`No state of the media page named ${stateName}`);
  mediaHost.send({ type: 'snapshot', snapshot: snapshot() });
}
