import type { IncomingMessage } from 'node:http';
import { ServiceError } from './serviceError.ts';

/** More than the largest context window in any script. */
const largestBodyBytes = 64 * 1024 * 1024;

/**
 * The whole body of a request.
 * @throws {ServiceError} 413 for one that no context window could hold
 */
export async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Read to the end anyway: leaving the loop would close the connection before the response.
    if (bytes <= largestBodyBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (bytes > largestBodyBytes) throw new ServiceError(413, 'The input is larger than any context window.');
  return Buffer.concat(chunks);
}
