import * as l10n from '@vscode/l10n';
import type { ChecksFile, ChecksRemark } from './checksFile.ts';
import type { Place } from './locatedYaml.ts';

/** More problems than anyone reads. */
const maxRemarks = 2000;
/**
 * The values of all expectations with their variables filled in, for each case again: in UTF-16 units, plus a few for
 * each value. Without this, a small file could fill gigabytes of memory.
 */
const maxValues = 8_000_000;
const VALUE_ITSELF = 20;

class TooMuchToReadError extends Error {}

/** The remarks from reading a file of checks, and how much of it may be read. */
export class ChecksReading {
  readonly remarks: ChecksRemark[] = [];
  #values = 0;

  /** Stops reading if there are too many. */
  remark({ from, to }: Place, severity: ChecksRemark['severity'], message: string): void {
    if (this.remarks.length >= maxRemarks) {
      throw new TooMuchToReadError(
        l10n.t('This file has more than {0} problems, so none of its cases can run.', maxRemarks),
      );
    }
    this.remarks.push({ severity, message, from, to });
  }

  /** Marks what nothing has been marked for yet, for example an expectation of the whole file that only fails here. */
  remarkUnlessSaid(at: Place, message: string): void {
    if (!this.remarks.some((each) => each.message === message)) this.remark(at, 'error', message);
  }

  /** Counts the value of an expectation, and stops reading if all of them together are too much. */
  count(value: unknown): void {
    this.#values += VALUE_ITSELF + (typeof value === 'string' ? value.length : 0);
    if (this.#values > maxValues) {
      throw new TooMuchToReadError(
        l10n.t('The expectations of all its cases are too much to read. Split this file into several.'),
      );
    }
    if (Array.isArray(value)) for (const item of value as readonly unknown[]) this.count(item);
  }
}

/**
 * Reads a file as far as that's possible. A file that is too large has no cases, because one of their expectations
 * might be missing.
 */
export async function readChecks(
  work: (reading: ChecksReading) => Promise<Omit<ChecksFile, 'remarks'> | undefined>,
): Promise<ChecksFile> {
  const reading = new ChecksReading();
  const { remarks } = reading;
  const nothing = { models: [], repeat: 1, options: {}, cases: [] };
  try {
    return { ...((await work(reading)) ?? nothing), remarks };
  } catch (error) {
    if (!(error instanceof TooMuchToReadError)) throw error;
    return { ...nothing, remarks: [{ severity: 'error', message: error.message, from: 0, to: 1 }, ...remarks] };
  }
}
