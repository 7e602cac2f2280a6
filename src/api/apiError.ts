import type { ApiFailure } from '../shared/apiFailure.ts';

/** The only error class that `api/` throws. A cancel isn't an error: it throws the signal's own reason. */
export class ApiError extends Error {
  readonly failure: ApiFailure;
  /** ID of the service that it's about, if known where it's thrown. */
  readonly service: string | undefined;

  constructor(failure: ApiFailure, cause?: unknown, service?: string) {
    super(failure.kind, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.failure = failure;
    this.service = service;
  }
}
