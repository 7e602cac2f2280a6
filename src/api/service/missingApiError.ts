import type { NoApiFailure } from '../../shared/apiFailure.ts';
import { ApiError } from '../apiError.ts';
import { unexpectedError } from '../unexpectedError.ts';

/**
 * The error when none of the APIs that were tried has the path.
 * @param lacking the response of each; if there's only one, the user selected it.
 */
export function missingApiError(what: NoApiFailure['what'], lacking: readonly ApiError[]): ApiError {
  const last = lacking.at(-1);
  if (last === undefined) return unexpectedError(new Error('no API to ask'));
  const fixable = lacking.find(hasOwnRemedy);
  const isChosen = lacking.length === 1 && what !== 'video' && what !== 'models';
  if (fixable !== undefined || isChosen) return fixable ?? last;
  const { failure } = last;
  const status = 'status' in failure ? (failure.status ?? 0) : 200;
  const message = 'message' in failure ? failure.message : '';
  const requestId = 'requestId' in failure ? failure.requestId : undefined;
  return new ApiError({ kind: 'noApi', what, status, message, ...(requestId !== undefined && { requestId }) }, last);
}

/** A host that the key isn't approved for, and a redirect, both suggest what to do. */
function hasOwnRemedy({ failure }: ApiError): boolean {
  return failure.kind === 'setup' || failure.kind === 'redirected';
}
