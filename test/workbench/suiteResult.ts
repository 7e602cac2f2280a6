interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What one suite did. Also the form of the file by which a suite in another process tells it. */
export interface SuiteResult extends Counts {
  /** The files with a failure in them, each with what all of its tests did. */
  readonly failedFiles?: readonly FileResult[];
}

export interface FileResult extends Counts {
  /** Absolute. */
  readonly file: string;
}

export function isSuiteResult(value: unknown): value is SuiteResult {
  if (typeof value !== 'object' || value === null) return false;
  const { passed, failed, skipped } = value as Partial<Record<keyof SuiteResult, unknown>>;
  return [passed, failed, skipped].every((count) => Number.isInteger(count));
}

/** What a suite did once the files that failed have been run again: their second results count. */
export function withSecondAttempt(first: SuiteResult, second: SuiteResult): SuiteResult {
  const without = (count: keyof Counts): number =>
    (first.failedFiles ?? []).reduce((rest, file) => rest - file[count], first[count]) + second[count];
  return {
    passed: without('passed'),
    failed: without('failed'),
    skipped: without('skipped'),
    failedFiles: second.failedFiles ?? [],
  };
}
