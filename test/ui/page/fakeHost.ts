import type { ToHost, ToPage } from '../../../src/shared/protocol/chatProtocol.ts';
import type { FailedMessage } from '../../../src/shared/protocol/pageMessage.ts';
import { loadTranscript } from '../../../src/webview/chat/transcript/lateTranscript.ts';
import { pageStates } from './pageStates.ts';
import { tellFailed } from './recordingHost.ts';

/** A message to the page without its number: the fake host adds it. */
export type Unnumbered = ToPage extends infer M ? (M extends ToPage ? Omit<M, 'seq'> : never) : never;

/** The host's side of the protocol, in the page itself, for tests and images. */
export interface FakeHost {
  /** Everything that the page sent, oldest first. */
  readonly posted: ToHost[];
  send(message: Unnumbered): void;
  /** Sends any value. */
  sendRaw(message: unknown): void;
  /** Skips a number. */
  skip(): void;
  /** Never answers again. */
  mute(): void;
  /** Answers what a page in a `held` state asked for. */
  release(): void;
  /** Settles once the page has loaded what an empty chat doesn't wait for: messages are shown at once then. */
  loaded(): Promise<void>;
}

declare global {
  interface Window {
    fakeHost: FakeHost;
  }
}

const stateName = new URLSearchParams(location.search).get('state') ?? 'empty';
const memory = `fake-host-state ${new URLSearchParams(location.search).get('visit') ?? ''}`;
let seq = 0;
let released = false;
let isMute = false;

if (stateName === 'severalServices') {
  const names = { service: 'Inference cluster in Frankfurt', home: 'Inference cluster in Frankfurt (staging)' };
  document.body.dataset['services'] = JSON.stringify([names, {}]);
}

const fakeHost: FakeHost = {
  posted: [],
  send: (message) => {
    seq += 1;
    fakeHost.sendRaw({ ...message, seq });
  },
  sendRaw: (message) => {
    window.dispatchEvent(new MessageEvent('message', { data: message }));
  },
  skip: () => {
    seq += 1;
  },
  mute: () => {
    isMute = true;
  },
  release: () => {
    released = true;
    answerReady();
  },
  loaded: loadTranscript,
};
window.fakeHost = fakeHost;

Object.assign(globalThis, {
  acquireVsCodeApi: () => ({
    postMessage: (message: ToHost | FailedMessage) => {
      if (message.type === 'failedMessage') return tellFailed(message);
      // What can't be cloned can't be sent to the host either.
      fakeHost.posted.push(structuredClone(message));
      if (message.type === 'ready') queueMicrotask(answerReady);
      if (message.type === 'offerRetry') queueMicrotask(() => offerRetry(message.replyId));
    },
    getState: (): unknown => JSON.parse(sessionStorage.getItem(memory) ?? 'null') ?? undefined,
    setState: (state: unknown) => {
      sessionStorage.setItem(memory, JSON.stringify(state));
      return state;
    },
  }),
});

function offerRetry(replyId: string): void {
  const models = [
    { id: 'kestrel/sparrow', speed: '118 tok/s' },
    { id: 'harbor/quill-70b', speed: '51 tok/s' },
  ];
  if (!isMute) fakeHost.send({ type: 'retryOffers', replyId, models });
}

let answered = false;
function answerReady(): void {
  const state = pageStates[stateName];
  if (state === undefined) throw new Error(`No page state named ${stateName}`);
  if (isMute || (state.held === true && !released)) return;
  fakeHost.send({ type: 'snapshot', snapshot: state.snapshot() });
  if (!answered) for (const message of state.afterwards?.() ?? []) fakeHost.send(message);
  answered = true;
}
