import type { IncomingMessage, ServerResponse } from 'node:http';

type Take = (request: IncomingMessage, response: ServerResponse) => void;

/** Milliseconds: more than the requests of one action are apart, unless the machine is busy. */
const together = 40;

/**
 * Takes POST requests that arrive together in the reverse order. Connections promise none, so a test that counts on one
 * would fail once in a hundred runs; this way, it fails in each.
 */
export function reverseArrivals(take: Take): Take {
  const held: (() => void)[] = [];
  const takeAll = () => {
    for (const takeOne of held.splice(0).toReversed()) takeOne();
  };
  return (request, response) => {
    if (request.method !== 'POST') {
      take(request, response);
      return;
    }
    if (held.length === 0) setTimeout(takeAll, together);
    held.push(() => {
      // As if its client had left before it arrived.
      if (!response.destroyed) take(request, response);
    });
  };
}
