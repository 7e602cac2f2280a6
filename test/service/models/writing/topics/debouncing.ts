import type { Topic } from '../topic.ts';

export const debouncing: Topic = {
  heading: 'Waiting until input settles',
  keywords: ['debounce', 'throttle', 'typing', 'keystroke', 'input', 'event', 'events', 'timer', 'typescript'],
  openings: [
    'Wrap the handler so that every new call cancels the one before it, and only the last of a burst runs. ' +
      'The wrapper below keeps the **argument types** of the function it wraps, and can be cancelled, which ' +
      'matters as soon as the thing that listens goes away before the timer fires.',
    'What you want is a *debounce*: a call starts a timer, a further call restarts it, and the work is done ' +
      'once nothing has happened for a while. It is short enough to write yourself and to read in one go.',
    'A search box that asks the server on each keystroke does most of its work for nothing, and answers can ' +
      'come back in the wrong order. Waiting for a short pause solves the first problem and makes the second rare.',
  ],
  samples: [
    {
      lead: 'Here is the whole of it:',
      language: 'typescript',
      code: `export interface Debounced<Args extends unknown[]> {
  (...args: Args): void;
  cancel(): void;
}

export function debounce<Args extends unknown[]>(
  run: (...args: Args) => void,
  delayMs: number,
): Debounced<Args> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const debounced = (...args: Args): void => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), delayMs);
  };
  return Object.assign(debounced, { cancel: () => clearTimeout(timer) });
}`,
      notes: [
        '**The timer lives in the closure**, so two debounced functions never disturb each other.',
        '`clearTimeout(undefined)` does nothing, which saves a check on the first call.',
        'Call `cancel()` when the view is closed; otherwise the last call still runs, on something that is gone.',
        '200 ms feels immediate for a search, 500 ms is better for saving a file.',
      ],
    },
    {
      lead: 'When the first call should count rather than the last one, *throttle* instead:',
      language: 'javascript',
      code: `function throttle(run, intervalMs) {
  let nextAt = 0;
  return (...args) => {
    const now = performance.now();
    if (now < nextAt) return;
    nextAt = now + intervalMs;
    run(...args);
  };
}

window.addEventListener('scroll', throttle(updateProgress, 100), { passive: true });`,
      notes: [
        'The first event is answered at once, so scrolling never feels late.',
        'The last event of a burst is dropped; if the final position matters, add a trailing call.',
        'A *passive* listener tells the browser that scrolling will not be prevented.',
      ],
    },
  ],
  steps: [
    {
      text: 'Decide which call of a burst matters.',
      details: ['The last one: debounce.', 'The first one, or a steady beat: throttle.'],
    },
    {
      text: 'Pick the delay by what the user is doing.',
      details: ['Typing: 150 to 300 ms.', 'Resizing a window: one frame.', 'Saving: half a second or more.'],
    },
    {
      text: 'Cancel on the way out.',
      details: ['In a component, when it is removed.', 'In an editor extension, when the document is closed.'],
    },
  ],
  table: {
    lead: 'The three ways compare like this:',
    header: ['Way', 'Runs', 'Good for'],
    rows: [
      ['debounce', 'once, after a pause', 'search, validation, autosave'],
      ['throttle', 'at most once an interval', 'scrolling, progress'],
      ['animation frame', 'once before the next paint', 'anything that draws'],
    ],
  },
  quote: 'A delay is a decision about people, not about machines: it says how long they may be kept waiting.',
  tasks: [
    'Keep the types of the wrapped function',
    'Cancel the timer when the view is closed',
    'Test with a fake clock, never with a sleep',
  ],
  reference:
    'The details of timers, such as how browsers slow them down in hidden tabs, are described under ' +
    '[`setTimeout`](https://developer.mozilla.org/en-US/docs/Web/API/Window/setTimeout).',
  remarks: [
    'Test it with a fake clock: advance by one millisecond less than the delay and nothing must have happened.',
    'If the work is a request, cancel the one that is still under way with an `AbortController` as well.',
    'Do not debounce what the user watches, such as the text in the box itself; only what follows from it.',
    'A leading call and a trailing call together give an answer at once and the right one in the end.',
    'Hidden tabs run timers once a second at best, so never count time by counting ticks.',
  ],
};
