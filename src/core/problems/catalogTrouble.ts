import type { ApiFailure } from '../../shared/apiFailure.ts';

/** Why there's no model list. Each value has its own welcome view with a next step. */
export type CatalogTrouble =
  | 'address'
  | 'key'
  | 'keyElsewhere'
  | 'refused'
  | 'unreachable'
  | 'notTheService'
  | 'noList'
  | 'other';

export function troubleOf(failure: ApiFailure): CatalogTrouble {
  switch (failure.kind) {
    case 'setup':
      return setupTrouble(failure.missing);
    case 'unauthorized':
    case 'forbidden':
      return failure.isKeyless === true ? 'key' : 'refused';
    case 'outOfCredits':
      return 'refused';
    case 'network':
    case 'tls':
    case 'timeout':
    case 'connectionLost':
    case 'proxyAuthRequired':
      return 'unreachable';
    case 'notTheService':
    case 'malformed':
    case 'emptyAnswer':
    case 'modelNotFound':
    case 'unexpectedStatus':
    case 'redirected':
    case 'tooLarge':
      return 'notTheService';
    case 'noApi':
      return 'noList';
    case 'badRequest':
    case 'contextTooLong':
    case 'requestTooLarge':
    case 'noImageInput':
    case 'notReady':
    case 'unavailable':
    case 'rateLimited':
    case 'serverError':
    case 'backendUnavailable':
    case 'backendTimeout':
    case 'streamError':
    case 'unsupported':
    case 'download':
    case 'attachmentLost':
    case 'unexpected':
      return 'other';
  }
}

function setupTrouble(missing: Extract<ApiFailure, { kind: 'setup' }>['missing']): CatalogTrouble {
  switch (missing) {
    case 'baseUrl':
    case 'validBaseUrl':
    case 'validNativeUrl':
    case 'validLegacyUrl':
    case 'encryptedLegacyUrl':
    case 'otherNativeUrl':
      return 'address';
    case 'apiKeyForThisHost':
      return 'keyElsewhere';
    case 'apiKey':
    case 'savedApiKey':
    case 'validApiKey':
    case 'service':
    case 'model':
      return 'key';
  }
}
