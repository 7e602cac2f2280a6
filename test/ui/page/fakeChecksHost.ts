import type { ChecksToHost, ChecksToPage } from '../../../src/shared/protocol/checksProtocol.ts';
import { checksStates, sampleDetail } from './checksStates.ts';

const stateName = new URLSearchParams(location.search).get('state') ?? 'empty';
const posted: ChecksToHost[] = [];
const send = (message: ChecksToPage) =>
  queueMicrotask(() => window.dispatchEvent(new MessageEvent('message', { data: message })));

// The host's side of the checks page's protocol, in the page itself.
Object.assign(globalThis, {
  checksPosted: posted,
  /** Settles once the page has drawn it. */
  checksShow: async (name: string) => {
    const view = checksStates[name];
    if (view === undefined) throw new Error(`No state of the checks page named ${name}`);
    send({ type: 'checks', view });
    await new Promise((resolve) => {
      requestAnimationFrame(resolve);
    });
  },
  acquireVsCodeApi: () => ({
    postMessage: (message: ChecksToHost) => {
      posted.push(message);
      const view = checksStates[stateName];
      if (view === undefined) throw new Error(`No state of the checks page named ${stateName}`);
      if (message.type === 'ready') send({ type: 'checks', view });
      if (message.type === 'open') {
        const { uri, caseId, key } = message;
        send({ type: 'detail', detail: { ...sampleDetail, uri, caseId, key } });
      }
    },
  }),
});
