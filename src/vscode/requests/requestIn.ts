import type { LoggedRequest } from '../../core/requests/requestLog.ts';

/** The request of a row in the Requests view, as a command gets it; undefined for anything else. */
export function requestIn(node: unknown): LoggedRequest | undefined {
  return isRequestNode(node) ? node.request : undefined;
}

function isRequestNode(node: unknown): node is { readonly request: LoggedRequest } {
  return typeof node === 'object' && node !== null && 'request' in node;
}
