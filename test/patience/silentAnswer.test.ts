import { setTimeout as wait } from 'node:timers/promises';
import { itIsAnsweredAtLast } from '../unit/api/transport/longSilence.ts';

describe('In real time, a response that is silent for over 300 s', () => {
  itIsAnsweredAtLast(() => ({
    nodeArguments: [],
    hostFetch: fetch,
    pass: (ms) => wait(ms),
    [Symbol.dispose]: () => undefined,
  }));
});
