import { measureDefaults } from '../../core/measuring/measureDefaults.ts';
import type { MeasureForm } from '../../shared/measuring.ts';
import { type FileTrouble, JsonFile } from '../disk/jsonFile.ts';
import { measureFormSchema } from './measureMessage.ts';

/**
 * The last values of the form, for the next time it's opened. In a file, because its text can be a megabyte and VS Code
 * reads everything in its own storage when a window opens.
 */
export class MeasureMemory {
  readonly #file: JsonFile<MeasureForm>;

  constructor(path: string, onTrouble: (trouble: FileTrouble) => void) {
    this.#file = new JsonFile<MeasureForm>({
      path,
      version: 1,
      schema: measureFormSchema,
      empty: measureDefaults,
      onTrouble,
    });
  }

  /** Never rejects. */
  form(): Promise<MeasureForm> {
    return this.#file.read();
  }

  /** Saved as soon as possible; the file keeps the latest form of any window. */
  async keep(form: MeasureForm): Promise<void> {
    await this.#file.update(() => form);
  }

  /** Settles when everything is on disk, or the failure was reported. */
  settled(): Promise<void> {
    return this.#file.settled();
  }
}
