import type { ApiFailure } from '../shared/apiFailure.ts';

/** The only error class that `api/` throws. A cancel isn't an error: it throws the signal's own reason. */
export class ApiError extends Error {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure, cause?: unknown) {
    super(failure.kind, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.failure = failure;
  }
}
