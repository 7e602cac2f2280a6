import type { ApiFailure } from '../../shared/apiFailure.ts';
import { isUnknownPath, refusalIn } from '../wire/errorCodes.ts';

/**
 * Whether the request might have been carried out and charged although no result arrived. False only if that's ruled
 * out: nothing was sent, or the service refused.
 */
export function mayHaveBeenMade(failure: ApiFailure): boolean {
  switch (failure.kind) {
    case 'network':
    case 'timeout':
      return !isUnsent(failure);
    case 'tls':
    case 'setup':
    case 'attachmentLost':
    case 'noApi':
    case 'proxyAuthRequired':
    case 'badRequest':
    case 'unauthorized':
    case 'outOfCredits':
    case 'forbidden':
    case 'modelNotFound':
    case 'contextTooLong':
    case 'requestTooLarge':
    case 'noImageInput':
    case 'notReady':
    case 'rateLimited':
      return false;
    case 'redirected':
      // 303 points to the result of a request that was carried out.
      return failure.status === 303;
    case 'streamError':
      return !isUnknownPath(failure) && refusalIn(failure) === undefined;
    case 'unexpectedStatus':
    case 'notTheService':
      // A gateway returns 408 or 5xx for a request that it might have passed on.
      return failure.status >= 500 || failure.status === 408;
    case 'serverError':
    case 'unavailable':
    case 'backendUnavailable':
    case 'backendTimeout':
    case 'connectionLost':
    case 'malformed':
    case 'emptyAnswer':
    case 'tooLarge':
    case 'unsupported':
    case 'download':
    case 'unexpected':
      return true;
  }
}

/** No connection was made, so not a single byte of the request was sent. */
export function isUnsent(failure: ApiFailure): boolean {
  if (failure.kind === 'network') return !failure.mayHaveBeenSent;
  return failure.kind === 'timeout' && failure.timer === 'connect';
}
