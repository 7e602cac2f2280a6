import { ExperimentLog } from '../../core/experiments/experimentLog.ts';
import {
  decodeExperimentRecord,
  encodeExperimentRecord,
  type ExperimentFact,
  type ExperimentRecord,
} from '../../core/experiments/experimentRecord.ts';
import { DamagedLines } from '../disk/damagedLines.ts';
import { Journal } from '../disk/journal.ts';
import { processMark } from '../disk/processMark.ts';

/** The file of one experiment, and the sum of its lines. */
export class ExperimentFile {
  readonly log = new ExperimentLog();
  readonly #journal: Journal;
  readonly #damaged = new DamagedLines();
  readonly #runs = new Set<string>();

  /**
   * @param onError called once when lines can't be written; they're kept and retried
   * @param isNew if false, a missing file was deleted and isn't created again
   */
  constructor(path: string, onError: (error: unknown) => void, isNew = false) {
    this.#journal = new Journal({ path, onError, options: { existing: !isNew } });
  }

  /** Lines that can't be read, for example from a newer version of Parlance. */
  get damagedLines(): number {
    return this.#damaged.count;
  }

  /**
   * The runs that were read, in the order of their lines, which is the same for all windows, no matter what their
   * clocks say.
   */
  get runsAsWritten(): readonly string[] {
    return [...this.#runs];
  }

  /** Reads what other windows have added. */
  read(): Promise<void> {
    return this.#journal.readNew((line) => {
      const record = decodeExperimentRecord(line);
      if (record === undefined) return this.#damaged.damaged(line);
      this.#damaged.whole(line);
      if (record.type === 'runStarted') this.#runs.add(record.run);
      this.log.apply(record);
    });
  }

  /** Settles once the lines would survive a power failure. Rejects if they can't be written, and doesn't keep them. */
  async write(facts: readonly ExperimentFact[]): Promise<void> {
    const records = stamped(facts);
    await this.#journal.write(records.map(encodeExperimentRecord));
    for (const record of records) this.log.apply(record);
  }

  /** Keeps the lines and retries until they're in the file. */
  append(facts: readonly ExperimentFact[]): void {
    const records = stamped(facts);
    for (const record of records) this.log.apply(record);
    void this.#journal.append(records.map(encodeExperimentRecord));
  }

  flush(): Promise<void> {
    return this.#journal.flush();
  }

  dispose(): void {
    this.#journal.dispose();
  }
}

function stamped(facts: readonly ExperimentFact[]): readonly ExperimentRecord[] {
  return facts.map((fact) => ({ ...fact, writer: processMark(), at: Date.now() }));
}
