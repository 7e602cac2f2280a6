import type { ToCompareHost, ToComparePage } from '../../../src/shared/protocol/compareProtocol.ts';
import { compareStates } from './compareStates.ts';
import { type RecordingHost, recordingHost } from './recordingHost.ts';

/** A message to the page without its number: the fake host adds it. */
export type UnnumberedCompare = ToComparePage extends infer M
  ? M extends ToComparePage
    ? Omit<M, 'seq'>
    : never
  : never;

declare global {
  interface Window {
    /** The host's side of the comparison page's protocol. */
    compareHost: RecordingHost<ToCompareHost, UnnumberedCompare>;
  }
}

if (new URLSearchParams(location.search).get('state')?.endsWith('woServices') === true) {
  document.body.dataset['services'] = JSON.stringify([{ service: 'Northwind', home: 'Home server' }, {}]);
}

window.compareHost = recordingHost((state) => {
  const snapshot = compareStates[state]?.();
  return snapshot && { type: 'snapshot', snapshot };
});
