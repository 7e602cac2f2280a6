import type { UsageToPage } from '../../../src/shared/usage.ts';
import { usageStates } from './usageStates.ts';

const stateName = new URLSearchParams(location.search).get('state') ?? 'empty';

// The host's side of the usage page's protocol, in the page itself.
Object.assign(globalThis, {
  acquireVsCodeApi: () => ({
    postMessage: () => {
      const usage = usageStates[stateName];
      if (usage === undefined) throw new Error(`No state of the usage page named ${stateName}`);
      const message: UsageToPage = { type: 'usage', usage: usage() };
      queueMicrotask(() => window.dispatchEvent(new MessageEvent('message', { data: message })));
    },
  }),
});
