/** Part of a file; `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The range that a `Range` header requests (RFC 9110, section 14). Undefined for the whole file: also for units and
 * lists that aren't supported here, as the standard allows.
 */
export function byteRange(header: string | undefined, length: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const wanted = Number(last);
    return wanted === 0 || length === 0 ? 'unsatisfiable' : { start: Math.max(0, length - wanted), end: length };
  }
  const start = Number(first);
  const end = last === '' ? length : Math.min(length, Number(last) + 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= length ? 'unsatisfiable' : { start, end };
}
