import type { ApiFailure } from '../../shared/apiFailure.ts';
import { isWithoutImageInput } from '../wire/errorCodes.ts';
import type { TransportRequest } from '../transport/transport.ts';

/** The meaning of a response depends on what the request contained: a key, images. */
export function inLightOfRequest(
  failure: ApiFailure,
  request: Pick<TransportRequest, 'hasImages'> & { readonly endpoint: Pick<TransportRequest['endpoint'], 'apiKey'> },
): ApiFailure {
  switch (failure.kind) {
    case 'unauthorized':
    case 'forbidden':
      return request.endpoint.apiKey === undefined ? { ...failure, isKeyless: true } : failure;
    case 'badRequest':
    case 'modelNotFound':
    case 'serverError':
    case 'unexpectedStatus':
      return lacksImageInput(failure, request) ? { ...failure, kind: 'noImageInput' } : failure;
    case 'streamError':
      return lacksImageInput(failure, request)
        ? { ...failure, kind: 'noImageInput', status: 200, body: 'json' }
        : failure;
    default:
      return failure;
  }
}

function lacksImageInput(
  failure: Parameters<typeof isWithoutImageInput>[0],
  { hasImages }: Pick<TransportRequest, 'hasImages'>,
): boolean {
  return hasImages === true && isWithoutImageInput(failure);
}
