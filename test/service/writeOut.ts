import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/**
 * Writes to a response and waits while its buffer is full.
 * @throws the signal's AbortError if the client left
 */
export async function writeOut(
  response: ServerResponse,
  data: string | Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (response.write(data)) return;
  await once(response, 'drain', { signal });
}
