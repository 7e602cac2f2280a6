import type { IncomingMessage } from 'node:http';
import { readBody } from './readBody.ts';
import { ServiceError } from './serviceError.ts';

/** @throws {ServiceError} 400 for a body that isn't JSON, 413 for one that no context window could hold */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request);
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new ServiceError(400, 'The Content-Type must be application/json.');
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return JSON.parse(text) as unknown;
  } catch {
    throw new ServiceError(400, 'The body is not valid JSON.');
  }
}
