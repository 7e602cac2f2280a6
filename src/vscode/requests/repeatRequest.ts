import { type ModelRef, refParts } from '../../shared/modelRef.ts';
import { type Operation, jsonBody } from '../../api/operations/operation.ts';
import type { ApiForm } from '../../api/types.ts';
import type { InferenceCalls } from '../../core/requests/inferenceCalls.ts';
import type { SentBody } from '../../core/requests/requestBody.ts';
import { type LoggedRequest, serviceOf } from '../../core/requests/requestLog.ts';
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
}

/**
 * Whether a request was sent to another service than the current one, for example one that was added in VS Code's own
 * list.
 */
export function wentElsewhere(sent: Pick<SentBody, 'url'> | undefined, origins: readonly string[]): boolean {
  return sent !== undefined && !origins.includes(new URL(sent.url).origin);
}

/**
 * Sends the same body again, to the service as it is set now and by the same of its two APIs; another service is asked
 * through the API that it has.
 *
 * @param anotherModel asked instead of the first one.
 * @throws {ApiError}, or the signal's reason on a cancel.
 */
export async function repeatRequest(
  calls: InferenceCalls,
  { request, sent, target }: Repeated,
  signal: AbortSignal,
  anotherModel?: ModelRef,
): Promise<void> {
  const body = { ...asObject(sent?.body), ...(anotherModel !== undefined && { model: refParts(anotherModel).model }) };
  const operation = await requestOperations[request.operation].again?.(body);
  if (operation === undefined) throw new Error(`What was sent for ${request.operation} is not kept`);
  const api = sent && target === serviceOf(request) ? apiAsked(sent, operation) : undefined;
  const options = { signal, ...(api !== undefined && { api }) };
  if ('request' in operation) for await (const event of calls.stream(operation, options)) void event;
  else await calls.ask(operation.method === 'GET' ? operation : { ...operation, body: () => jsonBody(body) }, options);
}

/** Undefined if the path doesn't show it. */
function apiAsked({ url }: SentBody, { paths: { compatible, native } }: Operation): ApiForm | undefined {
  if (native === undefined || native.endsWith(compatible)) return undefined;
  return url.endsWith(compatible) ? 'compatible' : 'native';
}

function asObject(body: unknown): object {
  return typeof body === 'object' && body !== null ? body : {};
}
