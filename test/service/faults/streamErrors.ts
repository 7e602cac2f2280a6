import type { Fault } from './faultScript.ts';

/** Errors inside a stream that began with 200. */
export const streamErrors: readonly Fault[] = [
  {
    name: 'error-first',
    description: 'An error envelope as the first event of the stream.',
    answer: (say) => ({ pieces: [`data: ${say.error()}\n\n`] }),
  },
  {
    name: 'error-later',
    description: 'An error envelope as an event after half of the text, then [DONE].',
    answer: (say) => ({ pieces: [say.role + say.first, `data: ${say.error()}\n\n${say.done}`] }),
  },
  {
    name: 'error-event-first',
    description: '`event: error` with an envelope before any text.',
    answer: (say) => ({ pieces: [`event: error\ndata: ${say.error()}\n\n`] }),
  },
  {
    name: 'error-event-later',
    description: '`event: error` with an envelope after half of the text.',
    answer: (say) => ({ pieces: [say.role + say.first, `event: error\ndata: ${say.error()}\n\n`] }),
  },
  {
    name: 'error-event-text',
    description: '`event: error` with plain text in place of an envelope, after half of the text.',
    answer: (say) => ({ pieces: [say.role + say.first, 'event: error\ndata: upstream went away\n\n'] }),
  },
  {
    name: 'broken-json',
    description: 'One event in the middle is JSON that breaks off.',
    answer: (say) => ({
      pieces: [
        say.role + say.first,
        'data: {"choices":[{"delta":{"content":" and\n\n',
        say.second + say.finish + say.done,
      ],
    }),
  },
];
