import type { ApiFailure } from '../../shared/apiFailure.ts';

/** The message of a request that was refused for what is in it, before anything was done. */
export function refusalWords(failure: ApiFailure): string | undefined {
  if (!('status' in failure) || (failure.status !== 400 && failure.status !== 422)) return undefined;
  return 'message' in failure ? failure.message : undefined;
}
