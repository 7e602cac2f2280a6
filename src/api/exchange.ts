import type { ApiFailure } from '../shared/apiFailure.ts';
import type { Usage } from './types.ts';

/** What one HTTP exchange was, for a log line: no key, no query, no body. */
export interface Exchange {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly host: string;
  /** Absent when no answer came. */
  readonly status?: number;
  readonly requestId?: string;
  /** `host`: over the host's own fetch, because our own connection could not be made. */
  readonly via?: 'own' | 'host';
  /** From the start to the answer's headers. */
  readonly headMs?: number;
  readonly durationMs: number;
  readonly outcome: 'ok' | 'failed' | 'canceled';
  readonly failure?: ApiFailure['kind'];
  /** Token counts of the service, where it sent any. */
  readonly usage?: Usage;
}
