import { ChangeEvent } from '../../core/changeEvent.ts';
import { basename, dirname } from 'node:path';
import * as v from 'valibot';
import { inputIds } from '../../core/media/inputIds.ts';
import { mediaInputSchema } from '../../core/media/mediaRecord.ts';
import { mapTable } from '../../shared/mapTable.ts';
import { type FormValues, inputFields, mediaFields, type MediaKind, textFields } from '../../shared/media.ts';
import { type FileTrouble, JsonFile } from '../disk/jsonFile.ts';
import { watchFiles } from '../disk/watchFiles.ts';
import type { FolderWatch } from '../disk/watchFolder.ts';

const text = v.exactOptional(v.pipe(v.string(), v.maxLength(1024 * 1024)));
const texts = Object.fromEntries(textFields.map((name) => [name, text]));
const inputs = Object.fromEntries(inputFields.map((name) => [name, v.exactOptional(mediaInputSchema)]));

export const formValuesSchema = v.object({
  texts: v.object(texts),
  inputs: v.object(inputs),
}) satisfies v.GenericSchema<unknown, FormValues>;

const formSchema = v.object({
  values: formValuesSchema,
  // A list, because not every name can be a key.
  presets: v.array(v.object({ name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)), values: formValuesSchema })),
});
const fileSchema = v.object(mapTable(mediaFields, () => v.exactOptional(formSchema)));
type Form = v.InferOutput<typeof formSchema>;

type Forms = v.InferOutput<typeof fileSchema>;

const empty: Form = { values: { texts: {}, inputs: {} }, presets: [] };

/** The last values of each form and its presets, in a file that all windows share. */
export class FormMemory {
  readonly #file: JsonFile<Forms>;
  readonly #onError: (error: unknown) => void;
  readonly #changed = new ChangeEvent();
  #watch: FolderWatch | undefined;

  constructor(path: string, onTrouble: (trouble: FileTrouble) => void, onError: (error: unknown) => void) {
    this.#onError = onError;
    this.#file = new JsonFile<Forms>({ path, version: 1, schema: fileSchema, empty: {}, onTrouble });
  }

  /**
   * Reports changes by any window, including this one, a moment later.
   * @returns a function that ends the subscription
   */
  onDidChange(listener: () => void): () => void {
    const { path } = this.#file;
    this.#watch ??= watchFiles(
      dirname(path),
      (name) => name === basename(path),
      () => this.#changed.fire(),
      this.#onError,
    );
    return this.#changed.listen(listener);
  }

  /** Settles once changes are being watched, if there are listeners. */
  async following(): Promise<void> {
    await this.#watch?.ready;
  }

  dispose(): void {
    this.#watch?.dispose();
  }

  async values(kind: MediaKind): Promise<FormValues> {
    return (await this.#form(kind)).values;
  }

  async presetNames(kind: MediaKind): Promise<readonly string[]> {
    const { presets } = await this.#form(kind);
    return presets.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b));
  }

  async preset(kind: MediaKind, name: string): Promise<FormValues | undefined> {
    const { presets } = await this.#form(kind);
    return presets.find((preset) => preset.name === name)?.values;
  }

  /** IDs of the files in any form or preset; undefined if there might be more than can be read. */
  async inputIds(): Promise<readonly string[] | undefined> {
    const forms = Object.values(await this.#file.read());
    if (await this.#file.mayHoldMore()) return undefined;
    return forms
      .flatMap(({ values, presets }) => [values, ...presets.map((preset) => preset.values)])
      .flatMap(inputIds);
  }

  async keep(kind: MediaKind, values: FormValues): Promise<void> {
    await this.#change(kind, (form) => ({ ...form, values }));
  }

  /** Without the prompt: a preset says how something is generated, not what. */
  async savePreset(kind: MediaKind, name: string, values: FormValues): Promise<void> {
    const { prompt: _prompt, ...rest } = values.texts;
    await this.#change(kind, (form) => ({
      ...form,
      presets: [...without(form, name), { name, values: { texts: rest, inputs: values.inputs } }],
    }));
  }

  async deletePreset(kind: MediaKind, name: string): Promise<void> {
    await this.#change(kind, (form) => ({ ...form, presets: without(form, name) }));
  }

  /** Settles when every change is on disk, or the failure was reported. */
  settled(): Promise<void> {
    return this.#file.settled();
  }

  async #form(kind: MediaKind): Promise<Form> {
    return (await this.#file.read())[kind] ?? empty;
  }

  async #change(kind: MediaKind, change: (form: Form) => Form): Promise<void> {
    await this.#file.update((forms) => ({ ...forms, [kind]: change(forms[kind] ?? empty) }));
  }
}

function without({ presets }: Form, name: string): Form['presets'] {
  return presets.filter((preset) => preset.name !== name);
}
