import type { IncomingMessage } from 'node:http';
import { ServiceError } from './serviceError.ts';

/** More than the largest context window holds in any script. */
const largestBodyBytes = 64 * 1024 * 1024;

/** @throws {ServiceError} 400 for a body that is not JSON, 413 for one that no context window could hold */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Read to its end all the same: leaving the loop would close the connection before the answer.
    if (bytes <= largestBodyBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (bytes > largestBodyBytes) throw new ServiceError(413, 'The input is larger than any context window.');
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new ServiceError(400, 'The Content-Type must be application/json.');
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    return JSON.parse(text) as unknown;
  } catch {
    throw new ServiceError(400, 'The body is not valid JSON.');
  }
}
