import type { Fault } from './faultScript.ts';
import type { Spoken } from './spoken.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const json = { 'content-type': 'application/json' };

/** Responses that are too large. */
export const sizes: readonly Fault[] = [
  {
    name: 'huge-event',
    description: 'One event of 9 MiB, after half of the text.',
    answer: (say) => ({ pieces: [say.role + say.first, say.text('x'.repeat(9 * mebibyte)), say.finish + say.done] }),
  },
  {
    name: 'endless',
    description: "A reply that never ends, as fast as it's read.",
    answer: (say) => ({ pieces: endlessEvents(say) }),
  },
  {
    name: 'endless-line',
    description: "A line of the stream that never ends, as fast as it's read.",
    answer: (say) => ({ pieces: endless('data: {"choices":[{"delta":{"content":"', say.role) }),
  },
  {
    name: 'endless-json',
    description: "A JSON body that never ends, as fast as it's read.",
    answer: () => ({ headers: json, pieces: endless('{"choices":[{"message":{"content":"') }),
  },
  {
    name: 'endless-error',
    description: "Status 500 with a body that never ends, as fast as it's read.",
    answer: () => ({ status: 500, headers: json, pieces: endless('{"error":{"message":"') }),
  },
  {
    name: 'large-error',
    description: 'Status 500 with an envelope of 128 KiB.',
    answer: (say) => ({
      status: 500,
      headers: json,
      pieces: [say.error().replace('broke off', `broke off${' and off'.repeat(16 * kibibyte)}`)],
    }),
  },
  {
    name: 'large-json',
    description: 'Valid response as one JSON body of 9 MiB.',
    answer: () => ({
      headers: json,
      pieces: [
        `{"choices":[{"index":0,"message":{"role":"assistant","content":"${'x'.repeat(9 * mebibyte)}"},"finish_reason":"stop"}]}`,
      ],
    }),
  },
];

function* endlessEvents(say: Spoken): Generator<string, void, undefined> {
  yield say.role;
  const manyEvents = say.text('and so on, ').repeat(1500);
  for (;;) yield manyEvents;
}

function* endless(start: string, before = ''): Generator<string, void, undefined> {
  yield before + start;
  const filler = 'x'.repeat(256 * kibibyte);
  for (;;) yield filler;
}
