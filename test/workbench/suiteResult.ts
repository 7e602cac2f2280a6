/** What one suite did. Also the form of the file by which a suite in another process tells it. */
export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export function isSuiteResult(value: unknown): value is SuiteResult {
  if (typeof value !== 'object' || value === null) return false;
  const { passed, failed, skipped } = value as Partial<Record<keyof SuiteResult, unknown>>;
  return [passed, failed, skipped].every((count) => Number.isInteger(count));
}
