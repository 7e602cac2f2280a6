import { join } from 'node:path';
import * as v from 'valibot';
import { chatOptionsSchema } from '../../core/chat/conversationRecord.ts';
import type { ComparedColumn } from '../../core/compare/comparison.ts';
import { maxColumns } from '../../shared/compareProtocol.ts';
import { isMissing } from '../disk/diskError.ts';
import { Queue } from '../disk/queue.ts';
import { readWhole } from '../disk/readWhole.ts';
import { removeFile } from '../disk/removeFile.ts';
import { replaceFile } from '../disk/replaceFile.ts';

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(300));
const schema = v.object({
  version: v.literal(1),
  columns: v.pipe(
    v.array(
      v.object({
        id: text,
        model: text,
        service: v.exactOptional(text),
        options: v.exactOptional(chatOptionsSchema),
      }),
    ),
    v.maxLength(maxColumns),
  ),
});

/**
 * The columns of each comparison as they were last shown: its questions only say which models were asked, not which
 * columns were closed or added since.
 */
export class KeptColumns {
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;
  readonly #queue = new Queue();

  /** @param onError called when columns couldn't be saved or read */
  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
  }

  /** Undefined if none are known, or not in this version. */
  async read(comparisonId: string): Promise<readonly ComparedColumn[] | undefined> {
    await this.#queue.settled();
    try {
      const parsed = v.safeParse(schema, JSON.parse((await readWhole(this.#path(comparisonId))).toString()));
      return parsed.success ? parsed.output.columns : undefined;
    } catch (error) {
      if (!isMissing(error)) this.#onError(error);
      return undefined;
    }
  }

  keep(comparisonId: string, columns: readonly ComparedColumn[]): void {
    const content = JSON.stringify({ version: 1, columns });
    this.#run(() => replaceFile(this.#path(comparisonId), content));
  }

  remove(comparisonId: string): void {
    this.#run(() => removeFile(this.#path(comparisonId)));
  }

  /** Settles once everything is on disk, or the failure was reported. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  #run(work: () => Promise<void>): void {
    this.#queue.run(work).catch(this.#onError);
  }

  #path(comparisonId: string): string {
    return join(this.#folder, `${comparisonId}.json`);
  }
}
