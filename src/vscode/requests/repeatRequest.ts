import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { type Operation, jsonBody } from '../../api/operations/operation.ts';
import { deriveNativeUrl } from '../../api/service/baseUrl.ts';
import type { ApiForm } from '../../api/types.ts';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';
import type { SentBody } from '../../core/requests/requestBody.ts';
import { type LoggedRequest, serviceOf } from '../../core/requests/requestLog.ts';
import { isUnderUrl } from '../../core/services/strayFields.ts';
import type { Addresses } from '../service/endpoint.ts';
import { requestOperations } from '../../core/requests/requestOperations.ts';

/** Why a request can't be sent again. */
export type NotRepeatable = 'noBody' | 'fileLeftOut' | 'recording';

export function whyNotRepeatable(request: LoggedRequest, sent: SentBody | undefined): NotRepeatable | undefined {
  const { again, gives } = requestOperations[request.operation];
  if (again === undefined) return 'recording';
  if (gives === 'list') return undefined;
  if (sent?.body === undefined) return 'noBody';
  return sent.isPartial === true ? 'fileLeftOut' : undefined;
}

/** A logged request, and the ID of the service to send it to now. */
export interface Repeated {
  readonly request: LoggedRequest;
  readonly sent: SentBody | undefined;
  readonly target: string;
  /** That service is at another URL now. */
  readonly isElsewhere?: boolean;
}

/**
 * Whether a request was sent to a service other than the one that now has these URLs, for example one that was added in
 * VS Code's own list, or one at another path of the same host.
 */
export function wentElsewhere(
  sent: Pick<SentBody, 'url'> | undefined,
  addresses: Pick<Addresses, 'baseUrl' | 'nativeUrl' | 'isNativeElsewhere' | 'fallbackBaseUrl'>,
): boolean {
  if (sent === undefined) return false;
  const { baseUrl, nativeUrl, isNativeElsewhere, fallbackBaseUrl } = addresses;
  const native = isNativeElsewhere ? [] : [nativeUrl];
  const older = fallbackBaseUrl === undefined ? [] : [fallbackBaseUrl, deriveNativeUrl(fallbackBaseUrl)];
  const nativeOnOlder = older.flatMap(({ origin }) => native.map(({ pathname }) => new URL(pathname, origin)));
  const url = new URL(sent.url);
  return ![baseUrl, ...native, ...older, ...nativeOnOlder].some((place) => isUnderUrl(url, place));
}

/**
 * Sends the same body again, to the service as it's set up now, through the same one of its two APIs. Another service
 * gets it through the API that it has, with the fields of that API.
 *
 * @param anotherModel used instead of the first one.
 * @throws {ApiError}, or the signal's reason on a cancel.
 */
export async function repeatRequest(
  calls: InferenceCalls,
  { request, sent, target, isElsewhere = false }: Repeated,
  signal: AbortSignal,
  anotherModel?: ModelRef,
): Promise<void> {
  const body = { ...asObject(sent?.body), ...(anotherModel !== undefined && { model: refParts(anotherModel).model }) };
  const isSameService = target === serviceOf(request);
  const isSameModel = anotherModel === undefined || anotherModel === request.model;
  const isForeign = isElsewhere || !isSameService || !isSameModel;
  const operation = await requestOperations[request.operation].again?.(body, isForeign);
  if (operation === undefined) throw new Error(`What was sent for ${request.operation} is not kept`);
  const api = sent && isSameService ? apiAsked(sent, operation) : undefined;
  const options = { signal, ...(api !== undefined && { api }) };
  if ('request' in operation) for await (const event of calls.stream(operation, options)) void event;
  else if (operation.method === 'GET' || !isSameService) await calls.ask(operation, options);
  else await calls.ask({ ...operation, body: () => jsonBody(body) }, options);
}

/** Undefined if the path doesn't show it. */
function apiAsked({ url }: SentBody, { paths: { compatible, native } }: Operation): ApiForm | undefined {
  if (native === undefined || native.endsWith(compatible)) return undefined;
  return url.endsWith(compatible) ? 'compatible' : 'native';
}

function asObject(body: unknown): object {
  return typeof body === 'object' && body !== null ? body : {};
}
