import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { mediaInputSchema } from '../../core/mediaRecord.ts';
import { type FormValues, type MediaKind, textFields } from '../../shared/media.ts';

const text = v.exactOptional(v.pipe(v.string(), v.maxLength(1024 * 1024)));
const texts = Object.fromEntries([...textFields.video, ...textFields.image].map((name) => [name, text]));

export const formValuesSchema = v.object({
  texts: v.object(texts),
  inputs: v.object({ image: v.exactOptional(mediaInputSchema), audio: v.exactOptional(mediaInputSchema) }),
}) satisfies v.GenericSchema<unknown, FormValues>;

const formSchema = v.object({
  values: formValuesSchema,
  // A list: not every name may be a key.
  presets: v.array(v.object({ name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)), values: formValuesSchema })),
});
const fileSchema = v.object({ video: v.exactOptional(formSchema), image: v.exactOptional(formSchema) });
type Form = v.InferOutput<typeof formSchema>;

const empty: Form = { values: { texts: {}, inputs: {} }, presets: [] };

/** The last values of each form and its presets, in a file of their own. */
export class FormMemory {
  readonly #path: string;
  readonly #onError: (error: unknown) => void;
  #forms: Promise<Partial<Record<MediaKind, Form>>> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string, onError: (error: unknown) => void) {
    this.#path = path;
    this.#onError = onError;
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

  /** Ids of the files that any form or preset holds. */
  async inputIds(): Promise<readonly string[]> {
    const forms = await Promise.all([this.#form('video'), this.#form('image')]);
    const held = forms.flatMap(({ values, presets }) => [values, ...presets.map((preset) => preset.values)]);
    return held.flatMap(({ inputs: { image, audio } }) =>
      [image, audio].flatMap((input) => (input?.kind === 'file' ? [input.id] : [])),
    );
  }

  async keep(kind: MediaKind, values: FormValues): Promise<void> {
    await this.#change(kind, (form) => ({ ...form, values }));
  }

  /** Without the prompt: a preset is how something is made, not what. */
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

  async #form(kind: MediaKind): Promise<Form> {
    this.#forms ??= this.#read();
    return (await this.#forms)[kind] ?? empty;
  }

  async #change(kind: MediaKind, change: (form: Form) => Form): Promise<void> {
    const before = await this.#form(kind);
    const forms = { ...(await this.#forms), [kind]: change(before) };
    this.#forms = Promise.resolve(forms);
    this.#writing = this.#writing.then(() => this.#write(forms));
    await this.#writing;
  }

  async #read(): Promise<Partial<Record<MediaKind, Form>>> {
    try {
      const parsed = v.safeParse(fileSchema, JSON.parse(await readFile(this.#path, 'utf8')));
      return parsed.success ? parsed.output : {};
    } catch {
      // Missing or damaged: a form then starts empty, which loses no run.
      return {};
    }
  }

  async #write(forms: Partial<Record<MediaKind, Form>>): Promise<void> {
    try {
      await mkdir(dirname(this.#path), { recursive: true });
      const temporary = `${this.#path}.${crypto.randomUUID()}.tmp`;
      await writeFile(temporary, JSON.stringify(forms));
      await rename(temporary, this.#path);
    } catch (error) {
      this.#onError(error);
    }
  }
}

function without({ presets }: Form, name: string): Form['presets'] {
  return presets.filter((preset) => preset.name !== name);
}
