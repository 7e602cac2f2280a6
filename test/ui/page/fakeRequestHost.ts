import type { RequestToHost } from '../../../src/shared/protocol/requestProtocol.ts';
import { requestStates } from './requestStates.ts';

const stateName = new URLSearchParams(location.search).get('state') ?? 'done';
const posted: RequestToHost[] = [];

// The host's side of the request page's protocol, in the page itself.
Object.assign(globalThis, {
  posted,
  acquireVsCodeApi: () => ({
    postMessage: (message: RequestToHost) => {
      posted.push(message);
      if (message.type !== 'ready') return;
      const state = requestStates[stateName];
      if (state === undefined) throw new Error(`No state of the request page named ${stateName}`);
      queueMicrotask(() => window.dispatchEvent(new MessageEvent('message', { data: state() })));
    },
  }),
});
