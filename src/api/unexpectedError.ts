import { ApiError } from './apiError.ts';

/** A bug in Parlance, in the error class that callers know. The stack is in the cause. */
export function unexpectedError(error: unknown): ApiError {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new ApiError({ kind: 'unexpected', message: message.slice(0, 200) }, error);
}
