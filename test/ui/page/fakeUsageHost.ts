import type { UsageToPage } from '../../../src/shared/protocol/usageProtocol.ts';
import { usageStates } from './usageStates.ts';

declare global {
  interface Window {
    /** Shows the state again, as the host does after each request. */
    readonly showUsage: () => void;
  }
}

const stateName = new URLSearchParams(location.search).get('state') ?? 'empty';

function showUsage(): void {
  const usage = usageStates[stateName];
  if (usage === undefined) throw new Error(`No state of the usage page named ${stateName}`);
  const message: UsageToPage = { type: 'usage', usage: usage() };
  window.dispatchEvent(new MessageEvent('message', { data: message }));
}

// The host's side of the usage page's protocol, in the page itself.
Object.assign(globalThis, {
  showUsage,
  acquireVsCodeApi: () => ({ postMessage: () => queueMicrotask(showUsage) }),
});
