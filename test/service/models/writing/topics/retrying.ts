import type { Topic } from '../topic.ts';

export const retrying: Topic = {
  heading: 'Retrying without making it worse',
  keywords: ['retry', 'retries', 'backoff', 'http', 'request', 'fetch', 'timeout', 'network', 'api', 'error', 'async'],
  openings: [
    'Retry only what can succeed the second time, wait longer after each failure, and add some chance to the wait so ' +
      'that a thousand clients do not come back in the same instant. A dozen lines are enough.',
    'A retry is a bet that the failure was a passing one. That is true of a dropped connection, a `429` and a `503`; it ' +
      'is not true of a `400`, which fails the same way for ever. So the question comes first, and then the waiting.',
  ],
  samples: [
    {
      lead: 'The function takes the work as an argument and knows nothing else about it:',
      language: 'typescript',
      code: `export async function withRetries<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  { tries, signal }: { tries: number; signal: AbortSignal },
): Promise<T> {
  for (let failed = 0; ; failed += 1) {
    try {
      return await attempt(signal);
    } catch (error) {
      if (signal.aborted || failed + 1 >= tries || !isPassing(error)) throw error;
      const longestMs = Math.min(8000, 500 * 2 ** failed);
      await sleep(Math.random() * longestMs, signal);
    }
  }
}`,
      notes: [
        '**Full jitter**: the wait is anything from nothing to the longest, which spreads the load best.',
        'The signal ends the waiting too, not only the request.',
        'The *last* error is thrown as it is, so the caller sees the real reason.',
        'Where the server sends `Retry-After`, take its word over your own number.',
      ],
    },
    {
      lead: 'From a shell, `curl` has all of it built in:',
      language: 'bash',
      code: `curl --fail --silent --show-error \\
  --retry 4 --retry-max-time 30 \\
  --header "Authorization: Bearer $SERVICE_API_KEY" \\
  "$BASE_URL/models" | jq -r '.data[].id'`,
      notes: [
        '`--retry` covers timeouts, 408, 429 and most of the 5xx.',
        '`--fail` makes an error status an exit code.',
      ],
    },
  ],
  steps: [
    { text: 'Sort the failures.', details: ['Passing: network, 408, 429, 5xx.', 'Lasting: every other 4xx.'] },
    {
      text: 'Ask whether a repeat does harm.',
      details: ['Reading never does.', 'Paying twice does: send an idempotency key.'],
    },
    { text: 'Put a lid on it.', details: ['A number of tries.', 'A time for all of them together.'] },
  ],
  table: {
    lead: 'A sensible start for a client that people wait for:',
    header: ['Failure', 'Tries', 'Wait'],
    rows: [
      ['connection refused', '3', 'jitter up to 0.5 s, 1 s'],
      ['`429`', '3', '`Retry-After`'],
      ['`502`, `503`', '3', 'jitter up to 0.5 s, 1 s'],
      ['`400`, `401`, `404`', '1', 'none'],
    ],
  },
  quote: 'A client without a limit on its retries is a denial of service that waits for its day.',
  tasks: ['Honour `Retry-After`', 'Stop waiting when the user cancels', 'Log each attempt with its number'],
  reference:
    'Which methods may be repeated without harm is defined in ' +
    '[RFC 9110](https://www.rfc-editor.org/rfc/rfc9110#name-idempotent-methods), under idempotent methods.',
  remarks: [
    'Show the wait to the person who is waiting, with a way to end it.',
    'Never retry at two levels at once: three tries of three tries are nine requests.',
    'A timeout is not proof that nothing happened; the answer may have been lost on the way back.',
    'Test with a server that fails twice and then works, and count what it received.',
    'When most requests fail, stop trying for a while altogether; that is what a circuit breaker does.',
  ],
};
