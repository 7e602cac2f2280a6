import { ApiError } from './apiError.ts';
import { operationUrl } from './baseUrl.ts';
import { baseOf } from './hostForms.ts';
import type { RetriedCall } from './retry.ts';
import type { Patience } from './timeouts.ts';
import type { RequestBody, TransportRequest } from './transport.ts';
import type { ApiForm, Endpoint, HostForm } from './types.ts';
import type { WholeAnswer } from './wholeAnswer.ts';

/** One operation of the service with its input, as data: all of it but the addresses and the key. */
export interface Operation {
  readonly api: ApiForm;
  /** After the API's base. `{segment}` stands for the service's own name in native paths. */
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly accept: string;
  readonly body?: RequestBody;
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

/** @throws {ApiError} `setup` when the endpoint has no such form of the host. */
export function requestFor(operation: Operation, endpoint: Endpoint, form: HostForm): TransportRequest {
  const base = baseOf(endpoint, operation.api, form);
  if (base === undefined) throw new ApiError({ kind: 'setup', missing: 'baseUrl' });
  const segment = encodeURIComponent(endpoint.nativeSegment ?? 'svcai');
  return {
    endpoint,
    url: operationUrl(base, operation.path.replace('{segment}', segment)),
    method: operation.method,
    accept: operation.accept,
    patience: operation.patience,
    ...(operation.body === undefined ? {} : { body: operation.body }),
  };
}
