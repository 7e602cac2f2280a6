import { isUnsent } from '../../api/calls/mayHaveBeenMade.ts';
import type { ApiFailure } from '../../shared/apiFailure.ts';

/**
 * What a failed request says about others. `pause`: it was refused for now. `service`: every other request to the
 * service would fail in the same way. `model`: every other request to the model would. `silence`: the service couldn't
 * be reached, which counts against it. `request`: only this one.
 */
export type FailureReach = 'pause' | 'service' | 'model' | 'silence' | 'request';

export function failureReach(failure: ApiFailure): FailureReach {
  switch (failure.kind) {
    case 'rateLimited':
    case 'notReady':
      return 'pause';
    case 'outOfCredits':
    case 'unauthorized':
    case 'setup':
    case 'tls':
    case 'redirected':
    case 'proxyAuthRequired':
    case 'notTheService':
      return 'service';
    case 'forbidden':
    case 'modelNotFound':
    case 'noApi':
    case 'noImageInput':
      return 'model';
    case 'network':
      return 'silence';
    case 'timeout':
      return failure.timer === 'connect' ? 'silence' : 'request';
    // A gateway returns these for one model whose server is down, and a server returns them for a model that crashes in
    // the middle of a reply.
    case 'connectionLost':
    case 'unavailable':
    case 'backendUnavailable':
    case 'badRequest':
    case 'contextTooLong':
    case 'requestTooLarge':
    case 'serverError':
    case 'backendTimeout':
    case 'unexpectedStatus':
    case 'streamError':
    case 'malformed':
    case 'emptyAnswer':
    case 'tooLarge':
    case 'unsupported':
    case 'download':
    case 'attachmentLost':
    case 'unexpected':
      return 'request';
  }
}

/** Whether the same request can be resent: it was certainly not carried out, and might succeed later. */
export function isOpenAgain(failure: ApiFailure): boolean {
  const reach = failureReach(failure);
  if (reach === 'pause' || isUnsent(failure)) return true;
  return failure.kind === 'outOfCredits' || failure.kind === 'unauthorized' || failure.kind === 'setup';
}
