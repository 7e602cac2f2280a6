import { once } from 'node:events';
import { Agent, fetch as undiciFetch } from 'undici';
import { holdTime } from '../heldTime.ts';
import { itIsAnsweredAtLast } from './longSilence.ts';

describe('A response that is silent for over 300 s', () => {
  itIsAnsweredAtLast(() => {
    const time = holdTime();
    // Node's own fetch has a copy of undici, whose timers can't be moved.
    const dispatcher = new Agent();
    return {
      nodeArguments: ['--import', new URL('../heldTimeOfChild.ts', import.meta.url).href],
      hostFetch: (url, init) => Reflect.apply(undiciFetch, undefined, [url, { ...init, dispatcher }]),
      pass: async (ms, children) => {
        time.pass(ms);
        for (const child of children) {
          const moved = once(child, 'message');
          child.send(ms);
          await moved;
        }
      },
      [Symbol.dispose]: () => time[Symbol.dispose](),
    };
  });
});
