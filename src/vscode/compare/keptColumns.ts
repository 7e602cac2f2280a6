import { join } from 'node:path';
import * as v from 'valibot';
import { chatOptionsSchema } from '../../core/chat/conversationRecord.ts';
import type { ComparedColumn } from '../../core/compare/comparison.ts';
import { maxColumns } from '../../shared/protocol/compareProtocol.ts';
import { type FileTrouble, JsonFile } from '../disk/jsonFile.ts';

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
  readonly #folder: string;
  readonly #onTrouble: (trouble: FileTrouble) => void;
  readonly #files = new Map<string, JsonFile<Columns>>();

  constructor(folder: string, onTrouble: (trouble: FileTrouble) => void) {
    this.#folder = folder;
    this.#onTrouble = onTrouble;
  }

  /** Undefined if none are known. Never rejects. */
  read(comparisonId: string): Promise<Columns> {
    return this.#file(comparisonId).read();
  }

  /** Saved as soon as possible. Never rejects. */
  async keep(comparisonId: string, columns: readonly ComparedColumn[]): Promise<void> {
    await this.#file(comparisonId).update(() => columns);
  }

  async remove(comparisonId: string): Promise<void> {
    await this.#file(comparisonId).update(() => undefined);
  }

  /** Settles once everything is on disk, or the failure was reported. */
  async settled(): Promise<void> {
    await Promise.all([...this.#files.values()].map((file) => file.settled()));
  }

  #file(comparisonId: string): JsonFile<Columns> {
    const known = this.#files.get(comparisonId);
    if (known !== undefined) return known;
    const path = join(this.#folder, `${comparisonId}.json`);
    const file = new JsonFile<Columns>({ path, version: 1, schema, empty: undefined, onTrouble: this.#onTrouble });
    this.#files.set(comparisonId, file);
    return file;
  }
}
