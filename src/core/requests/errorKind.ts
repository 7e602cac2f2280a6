import { ApiError } from '../../api/apiError.ts';

/**
 * An error's kind, for example `ApiError timeout` or `Error, code ENOSPC`, without its message, which could quote
 * anything.
 */
export function errorKind(error: unknown): string {
  if (error instanceof ApiError) return `${error.name} ${error.failure.kind}`;
  if (!(error instanceof Error)) return typeof error;
  const code = 'code' in error && isPlainMark(error.code) ? [`code ${error.code}`] : [];
  return [isPlainMark(error.name) ? error.name : 'Error', ...code].join(', ');
}

/** A number, or a code like `insufficient_quota` or `ECONNRESET`, but nothing that could be a sentence or a key. */
export function isPlainMark(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && /^[A-Za-z][A-Za-z_]{1,40}$/.test(value));
}
