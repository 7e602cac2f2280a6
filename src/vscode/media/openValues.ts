import { inputIds } from '../../core/media/inputIds.ts';
import type { FormValues, MediaKind } from '../../shared/media.ts';
import type { FormMemory } from './formMemory.ts';
import type { MediaFolder } from './mediaFolder.ts';

/**
 * The values of a form that is open. It begins with the last ones of any window, which are in a file, and then has its
 * own: another window might write others there.
 */
export class OpenValues {
  readonly kind: MediaKind;
  readonly #memory: Pick<FormMemory, 'values' | 'keep'>;
  readonly #folder: Pick<MediaFolder, 'useInputs'>;
  #own: FormValues | undefined;

  constructor(kind: MediaKind, memory: Pick<FormMemory, 'values' | 'keep'>, folder: Pick<MediaFolder, 'useInputs'>) {
    this.kind = kind;
    this.#memory = memory;
    this.#folder = folder;
  }

  async read(): Promise<FormValues> {
    const values = this.#own ?? (await this.#memory.values(this.kind));
    // Others might have been set in the meantime.
    this.#own ??= values;
    this.#use(this.#own);
    return this.#own;
  }

  async keep(values: FormValues): Promise<void> {
    this.#own = values;
    this.#use(values);
    await this.#memory.keep(this.kind, values);
  }

  get inputIds(): readonly string[] {
    return this.#own === undefined ? [] : inputIds(this.#own);
  }

  /** The window that deletes unused copies only knows those in the file, and in its own forms. */
  #use(values: FormValues): void {
    void this.#folder.useInputs(inputIds(values));
  }
}
