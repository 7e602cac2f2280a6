import { join } from 'node:path';
import * as v from 'valibot';
import { chatOptionsSchema } from '../../core/chat/conversationRecord.ts';
import type { ComparedColumn } from '../../core/compare/comparison.ts';
import { maxColumns } from '../../shared/protocol/compareProtocol.ts';
import { type FileTrouble, JsonFiles } from '../disk/jsonFile.ts';

const schema = v.pipe(
  v.array(
    v.object({
      id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)),
      // A server might use the path of the model's file.
      model: v.pipe(v.string(), v.minLength(1)),
      options: v.exactOptional(chatOptionsSchema),
    }),
  ),
  v.maxLength(maxColumns),
);

type Columns = readonly ComparedColumn[] | undefined;

/**
 * The columns of each comparison as they were last shown, one file each: its questions only say which models were
 * asked, not which columns were closed or added since.
 */
export class KeptColumns {
  readonly #files: JsonFiles<Columns>;

  constructor(folder: string, onTrouble: (trouble: FileTrouble) => void) {
    const pathOf = (comparisonId: string) => join(folder, `${comparisonId}.json`);
    this.#files = new JsonFiles<Columns>({ pathOf, version: 1, schema, empty: undefined, onTrouble });
  }

  /** Undefined if none are known. Never rejects. */
  read(comparisonId: string): Promise<Columns> {
    return this.#files.of(comparisonId).read();
  }

  /** Saved as soon as possible. Never rejects. */
  async keep(comparisonId: string, columns: readonly ComparedColumn[]): Promise<void> {
    await this.#files.of(comparisonId).update(() => columns);
  }

  async remove(comparisonId: string): Promise<void> {
    await this.#files.of(comparisonId).update(() => undefined);
  }

  /** Settles once everything is on disk, or the failure was reported. */
  settled(): Promise<void> {
    return this.#files.settled();
  }
}
