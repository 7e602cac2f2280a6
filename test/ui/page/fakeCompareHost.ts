import type { ToCompareHost, ToComparePage } from '../../../src/shared/compareProtocol.ts';
import type { FailedMessage } from '../../../src/shared/failedMessage.ts';
import { compareStates } from './compareStates.ts';

/** A message to the page without its number: the fake host adds it. */
export type UnnumberedCompare = ToComparePage extends infer M
  ? M extends ToComparePage
    ? Omit<M, 'seq'>
    : never
  : never;

declare global {
  interface Window {
    /** The host's side of the comparison page's protocol, in the page itself. */
    compareHost: {
      /** Everything that the page sent, oldest first. */
      readonly posted: ToCompareHost[];
      /** Messages of uncaught errors, rejected promises, and content policy violations. */
      readonly errors: string[];
      /** Names of the messages that the page failed to handle. */
      readonly failed: string[];
      send(message: UnnumberedCompare): void;
      /** Sends any value. */
      sendRaw(message: unknown): void;
    };
  }
}

const stateName = new URLSearchParams(location.search).get('state') ?? 'empty';
let seq = 0;

const compareHost: Window['compareHost'] = {
  posted: [],
  errors: [],
  failed: [],
  send: (message) => {
    seq += 1;
    compareHost.sendRaw({ ...message, seq });
  },
  sendRaw: (message) => {
    window.dispatchEvent(new MessageEvent('message', { data: message }));
  },
};
window.compareHost = compareHost;
window.addEventListener('error', (event) => compareHost.errors.push(event.message));
window.addEventListener('unhandledrejection', (event) => compareHost.errors.push(String(event.reason)));
document.addEventListener('securitypolicyviolation', (event) =>
  compareHost.errors.push(`CSP: ${event.violatedDirective} ${event.blockedURI}`),
);

Object.assign(globalThis, {
  acquireVsCodeApi: () => ({
    postMessage: (message: ToCompareHost | FailedMessage) => {
      if (message.type === 'failedMessage') {
        compareHost.failed.push(message.name);
        return;
      }
      // What can't be cloned can't be sent to the host either.
      compareHost.posted.push(structuredClone(message));
      if (message.type === 'ready') queueMicrotask(answerReady);
    },
    getState: (): unknown => undefined,
    setState: (state: unknown) => state,
  }),
});

function answerReady(): void {
  const snapshot = compareStates[stateName];
  if (snapshot === undefined) throw new Error(`No state of the comparison page named ${stateName}`);
  compareHost.send({ type: 'snapshot', snapshot: snapshot() });
}
