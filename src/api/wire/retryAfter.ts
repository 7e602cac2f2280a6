import { isRecord } from '../../shared/isRecord.ts';
import { nonEmptyString } from './decode.ts';

const longestMs = 24 * 60 * 60 * 1000;

/**
 * How long the service asks to wait, in milliseconds, from `retry-after-ms`, or from `retry-after` in seconds or as a
 * date. Between 0 and a day; undefined if missing or invalid.
 */
export function retryAfterMsOf(header: (name: string) => string | undefined, nowMs: number): number | undefined {
  const inMs = plainNumber(header('retry-after-ms'));
  if (inMs !== undefined) return clamped(inMs);
  const text = header('retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  const inSeconds = plainNumber(text);
  if (inSeconds !== undefined) return clamped(inSeconds * 1000);
  // Date.parse also accepts numbers with a sign and other texts that aren't dates.
  const at = /^[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : clamped(at - nowMs);
}

/** Google's services say it in the details of their errors: `{retryDelay: "34.5s"}`. In milliseconds. */
export function retryDelayIn(body: unknown): number | undefined {
  const outer: unknown = Array.isArray(body) ? body[0] : body;
  const error = isRecord(outer) ? outer['error'] : undefined;
  const details = isRecord(error) ? error['details'] : undefined;
  if (!Array.isArray(details)) return undefined;
  for (const detail of details) {
    const seconds = isRecord(detail) ? /^(\d+(?:\.\d+)?)s$/.exec(nonEmptyString(detail['retryDelay']) ?? '') : null;
    if (seconds !== null) return clamped(Number(seconds[1]) * 1000);
  }
  return undefined;
}

function plainNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

function clamped(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms), 0), longestMs);
}
