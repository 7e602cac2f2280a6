import type { TransportRequest } from './transport.ts';

/** Every header of a request that anyone may see: all but `authorization`, which only the transport adds. */
export function openHeaders(request: TransportRequest): Readonly<Record<string, string>> {
  return {
    ...request.endpoint.headers,
    accept: request.accept,
    // Size caps and the first delta's delay both suffer from compression.
    'accept-encoding': 'identity',
    'user-agent': request.endpoint.headers?.['user-agent'] ?? 'Parlance',
    ...(request.body === undefined ? {} : { 'content-type': request.body.contentType }),
  };
}
