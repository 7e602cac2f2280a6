import type { Fault } from './faultScript.ts';

const json = { 'content-type': 'application/json' };

/** Errors that violate the envelope, or ask for a wait in another way. */
export const errorBodies: readonly Fault[] = [
  {
    name: 'body-string',
    description: 'Status 400; `error` is a bare string.',
    answer: () => ({ status: 400, headers: json, pieces: ['{"error":"The prompt is too rude."}'] }),
  },
  {
    name: 'body-detail',
    description: 'Status 400 with `detail` in place of the envelope.',
    answer: () => ({ status: 400, headers: json, pieces: ['{"detail":"The prompt is too rude."}'] }),
  },
  {
    name: 'body-message',
    description: 'Status 400 with a top-level `message` in place of the envelope.',
    answer: () => ({ status: 400, headers: json, pieces: ['{"message":"The prompt is too rude."}'] }),
  },
  {
    name: 'body-text',
    description: 'Status 500 with plain text.',
    answer: () => ({ status: 500, headers: { 'content-type': 'text/plain' }, pieces: ['upstream connect error'] }),
  },
  {
    name: 'body-empty',
    description: 'Status 500 with an empty body.',
    answer: () => ({ status: 500, headers: {}, pieces: [] }),
  },
  {
    name: 'body-broken',
    description: 'Status 500 with JSON that breaks off.',
    answer: () => ({ status: 500, headers: json, pieces: ['{"error":{"message":"It br'] }),
  },
  {
    name: 'wait-date',
    description: 'Status 429; Retry-After is a date two seconds away.',
    answer: (say) => ({
      status: 429,
      // Dates in headers have whole seconds: round up, or the wait could be a second too short.
      headers: { ...json, 'retry-after': new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000).toUTCString() },
      pieces: [say.error()],
    }),
  },
  {
    name: 'wait-ms',
    description: 'Status 429; retry-after-ms is 250, and Retry-After says 60.',
    answer: (say) => ({
      status: 429,
      headers: { ...json, 'retry-after-ms': '250', 'retry-after': '60' },
      pieces: [say.error()],
    }),
  },
  {
    name: 'wait-long',
    description: 'Status 429; Retry-After is an hour.',
    answer: (say) => ({ status: 429, headers: { ...json, 'retry-after': '3600' }, pieces: [say.error()] }),
  },
  {
    name: 'wait-nonsense',
    description: 'Status 429; Retry-After is no number and no date.',
    answer: (say) => ({ status: 429, headers: { ...json, 'retry-after': 'soon' }, pieces: [say.error()] }),
  },
];
