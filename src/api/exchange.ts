import type { ApiFailure } from '../shared/apiFailure.ts';
import type { Usage } from './types.ts';

/** Summary of one HTTP exchange for a log line: no key, no query, no body. */
export interface Exchange {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly host: string;
  /** Absent if no response arrived. */
  readonly status?: number;
  readonly requestId?: string;
  /** `host`: through the host's own fetch, because our own connection failed. */
  readonly via?: 'own' | 'host';
  /** From the start to the response headers. */
  readonly headMs?: number;
  readonly durationMs: number;
  readonly outcome: 'ok' | 'failed' | 'canceled';
  readonly failure?: ApiFailure['kind'];
  /** Token counts from the service, if it sent any. */
  readonly usage?: Usage;
}
