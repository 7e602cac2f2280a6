import type { Fault } from './faultScript.ts';

/** Responses that keep the client waiting. */
export const silences: readonly Fault[] = [
  {
    name: 'hang',
    description: 'No response at all; the connection stays open.',
    answer: () => ({ pieces: [], sendsHeaders: false, ending: 'hold' }),
  },
  {
    name: 'headers-only',
    description: 'The headers, then nothing; the connection stays open.',
    answer: () => ({ pieces: [], ending: 'hold' }),
  },
  {
    name: 'silence',
    description: 'Half of the text, then nothing; the connection stays open.',
    answer: (say) => ({ pieces: [say.role + say.first], ending: 'hold' }),
  },
  {
    name: 'comments-only',
    description: 'A keep-alive comment every half second, and never an event.',
    answer: () => ({ pieces: comments() }),
  },
  {
    name: 'comments-first',
    description: 'Four keep-alive comments in 0.8 s, then a valid response.',
    answer: (say) => ({
      pieces: [...Array.from({ length: 4 }, () => [': keep-alive\n\n', { pauseMs: 200 }]).flat(), say.whole],
    }),
  },
];

function* comments(): Generator<string | { readonly pauseMs: number }, void, undefined> {
  for (;;) {
    yield ': keep-alive\n\n';
    yield { pauseMs: 500 };
  }
}
