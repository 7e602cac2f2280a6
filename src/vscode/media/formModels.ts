import { modelFieldText } from '../../core/models/modelText.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import type { FormValues } from '../../shared/media.ts';

/** The models of a form: in its field as users name them, everywhere else as Parlance identifies them. */
export class FormModels {
  readonly #written: (text: string) => ModelRef;
  /** The model that the field was given: for a model of a removed service, its text alone isn't enough. */
  readonly #given = new Map<string, ModelRef>();

  /** @param written the model that a user means by a text */
  constructor(written: (text: string) => ModelRef) {
    this.#written = written;
  }

  text(model: ModelRef): string {
    const text = modelFieldText(model);
    this.#given.set(text, model);
    return text;
  }

  ref(text: string): ModelRef {
    const trimmed = text.trim();
    return trimmed === '' ? '' : (this.#given.get(trimmed) ?? this.#written(trimmed));
  }

  /** The values with models as the page shows them. */
  shown(values: FormValues): FormValues {
    return withModelText(values, (model) => this.text(model));
  }

  /** From the page. */
  kept(values: FormValues): FormValues {
    return withModelText(values, (text) => this.ref(text));
  }
}

function withModelText(values: FormValues, change: (text: string) => string): FormValues {
  const { model } = values.texts;
  return model === undefined ? values : { ...values, texts: { ...values.texts, model: change(model) } };
}

export function isWithoutModel({ texts }: FormValues): boolean {
  return (texts.model ?? '').trim() === '';
}
