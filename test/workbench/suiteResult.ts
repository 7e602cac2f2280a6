export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface FileResult extends Counts {
  /** Relative to the project folder, with forward slashes. */
  readonly file: string;
  /** From the first hook of the file to its last. */
  readonly ms: number;
  /** Full titles of the skipped tests, or why there are none. */
  readonly skips?: readonly string[];
}

/** What a suite did, file by file. Also the format in which a suite in another process reports it. */
export type SuiteResult = readonly FileResult[];

export function isSuiteResult(value: unknown): value is SuiteResult {
  return Array.isArray(value) && value.every(isFileResult);
}

export function isFileResult(value: unknown): value is FileResult {
  if (typeof value !== 'object' || value === null) return false;
  const { file, passed, failed, skipped, ms } = value as Partial<Record<keyof FileResult, unknown>>;
  return typeof file === 'string' && [passed, failed, skipped].every(Number.isInteger) && typeof ms === 'number';
}

export function sumOf(results: readonly Counts[]): Counts {
  const sum = (count: keyof Counts): number => results.reduce((total, result) => total + result[count], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** Whether there was no test, not even one that was skipped. */
export function isEmpty({ passed, failed, skipped }: Counts): boolean {
  return passed + failed + skipped === 0;
}

/** For example "12 passed, 0 failed", with the skipped ones if there are any. */
export function countsText({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
