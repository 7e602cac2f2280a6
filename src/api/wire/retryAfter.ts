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

function plainNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

function clamped(ms: number): number {
  return Math.min(Math.max(Math.ceil(ms), 0), longestMs);
}
