import type { ToMeasureHost, ToMeasurePage } from '../../../src/shared/protocol/measureProtocol.ts';
import { measureStates } from './measureStates.ts';

type Unnumbered = ToMeasurePage extends infer Each ? (Each extends ToMeasurePage ? Omit<Each, 'seq'> : never) : never;

const stateName = new URLSearchParams(location.search).get('state') ?? 'empty';
if (stateName === 'twoServices') {
  document.body.dataset['services'] = JSON.stringify([{ service: 'Northwind', home: 'Home server' }, {}]);
}
const said: ToMeasureHost[] = [];
let seq = 0;

function tell(message: Unnumbered): void {
  seq += 1;
  window.dispatchEvent(new MessageEvent('message', { data: { ...message, seq } }));
}

// The host's side of the page's protocol, in the page itself; tests read its messages and answer on its behalf.
Object.assign(globalThis, {
  measureSaid: said,
  measureTell: tell,
  acquireVsCodeApi: () => ({
    postMessage: (message: ToMeasureHost) => {
      said.push(message);
      if (message.type !== 'ready') return;
      const snapshot = measureStates[stateName];
      if (snapshot === undefined) throw new Error(`No state of the page named ${stateName}`);
      queueMicrotask(() => tell({ type: 'snapshot', snapshot: snapshot() }));
    },
  }),
});
