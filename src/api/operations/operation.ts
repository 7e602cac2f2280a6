import type { ApiFailure } from '../../shared/apiFailure.ts';
import { ApiError } from '../apiError.ts';
import { authorizationFor } from '../transport/authorization.ts';
import { operationUrl } from '../service/baseUrl.ts';
import { baseOf, isDowngrade } from '../service/hostForms.ts';
import type { RetriedCall } from '../calls/retry.ts';
import type { Patience } from '../transport/timeouts.ts';
import type { RequestBody, TransportRequest } from '../transport/transport.ts';
import type { ApiForm, Endpoint, HostForm } from '../types.ts';
import type { WholeAnswer } from '../wire/wholeAnswer.ts';

/** One operation of the service with its input, as data: all of it but the addresses and the key. */
export interface Operation {
  readonly api: ApiForm;
  /** After the API's base. `{segment}` stands for the service's own name in native paths. */
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly accept: string;
  /** May depend on the service, which its base URL names. */
  readonly body?: RequestBody | ((service: string) => RequestBody);
  /** The body has images for the model to look at. */
  readonly hasImages?: boolean;
  /** True where the request is to be sent once more at once, corrected: the failure says that nothing was done. */
  readonly corrects?: (failure: ApiFailure) => boolean;
  readonly patience: Patience;
  readonly retried: RetriedCall;
}

/** An operation whose answer comes in one piece. */
export interface WholeOperation<Answer> extends Operation {
  /** Cap on the answer's body, in bytes. */
  readonly answerBytes: number;
  /** @throws {ApiError} */
  decode(answer: WholeAnswer): Answer;
}

/** Cap on answers that are text. */
export const textBytes = 8 * 1024 * 1024;

export function jsonBody(value: unknown): RequestBody {
  return { contentType: 'application/json', content: JSON.stringify(value) };
}

/** @throws {ApiError} `setup` when the endpoint has no such form of the host, or the key may not go there. */
export function requestFor(operation: Operation, endpoint: Endpoint, form: HostForm): TransportRequest {
  const base = baseOf(endpoint, operation.api, form);
  if (base === undefined) throw legacyObstacle(endpoint);
  const segment = encodeURIComponent(endpoint.nativeSegment ?? 'svcai');
  const url = operationUrl(base, operation.path.replace('{segment}', segment));
  // Before anything is told of a request that will not be made.
  authorizationFor(endpoint, url);
  const { body } = operation;
  return {
    endpoint,
    url,
    method: operation.method,
    accept: operation.accept,
    patience: operation.patience,
    ...(operation.hasImages === true && { hasImages: true }),
    ...(body === undefined ? {} : { body: typeof body === 'function' ? body(endpoint.baseUrl.href) : body }),
  };
}

function legacyObstacle(endpoint: Endpoint): ApiError {
  const { legacyBaseUrl, keyHosts } = endpoint;
  if (legacyBaseUrl === undefined) return new ApiError({ kind: 'setup', missing: 'baseUrl' });
  const { origin } = legacyBaseUrl;
  if (isDowngrade(endpoint, legacyBaseUrl)) {
    return new ApiError({ kind: 'setup', missing: 'encryptedLegacyUrl', found: origin });
  }
  const found = keyHosts === undefined ? {} : { found: keyHosts };
  return new ApiError({ kind: 'setup', missing: 'apiKeyForThisHost', ...found, target: origin });
}
