import type { TransportRequest } from './transport.ts';

/** Every header of a request that isn't secret: all except `authorization`, which only the transport adds. */
export function openHeaders(request: TransportRequest): Readonly<Record<string, string>> {
  return {
    ...request.endpoint.headers,
    accept: request.accept,
    // Compression would interfere with size limits and delay the first delta.
    'accept-encoding': 'identity',
    'user-agent': request.endpoint.headers?.['user-agent'] ?? 'Parlance',
    ...(request.body === undefined ? {} : { 'content-type': request.body.contentType }),
  };
}
