import type { ToMediaHost, ToMediaPage } from '../../../src/shared/protocol/mediaProtocol.ts';
import { mediaStates } from './mediaStates.ts';
import { type RecordingHost, recordingHost } from './recordingHost.ts';

/** A message to the page without its number: the fake host adds it. */
export type UnnumberedMedia = ToMediaPage extends infer M ? (M extends ToMediaPage ? Omit<M, 'seq'> : never) : never;

declare global {
  interface Window {
    /** The host's side of the media pages' protocol. */
    mediaHost: RecordingHost<ToMediaHost, UnnumberedMedia>;
  }
}

if (new URLSearchParams(location.search).get('state') === 'services') {
  const [names, removed] = [{ service: 'Northwind', home: 'Home server' }, { gone: 'Old studio' }];
  document.body.dataset['services'] = JSON.stringify([names, removed]);
}

window.mediaHost = recordingHost((state) => {
  const snapshot = mediaStates[state]?.();
  return snapshot && { type: 'snapshot', snapshot };
});
