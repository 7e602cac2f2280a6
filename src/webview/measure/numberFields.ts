import { type MeasureFault, type MeasureField, measureFields, type MeasureForm } from '../../shared/measuring.ts';
import { element, setText } from '../kit/element.ts';

/** The form's number fields, and the errors of each part of the form. */
export class NumberFields {
  readonly #onChange: () => void;
  readonly #inputs = new Map<MeasureField, HTMLInputElement>();
  readonly #faults = new Map<MeasureFault['at'], HTMLElement>();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  field(at: MeasureField, label: string, hint = ''): HTMLElement {
    const id = `field-${at}`;
    const isWhole = 'integer' in measureFields[at];
    const input = element('input', {
      id,
      type: 'text',
      autocomplete: 'off',
      // A list of numbers needs a comma.
      inputmode: at === 'concurrency' ? 'text' : isWhole ? 'numeric' : 'decimal',
      placeholder: hint,
      'aria-describedby': `fault-${at}`,
    });
    input.addEventListener('input', this.#onChange);
    this.#inputs.set(at, input);
    return element('div', { class: 'field' }, element('label', { for: id }, label), input, this.fault(at));
  }

  /** Where errors of this part are shown. */
  fault(at: MeasureFault['at']): HTMLElement {
    const note = element('p', { class: 'complaint', id: `fault-${at}`, hidden: true });
    this.#faults.set(at, note);
    return note;
  }

  set(fields: MeasureForm['fields']): void {
    for (const [at, input] of this.#inputs) if (input.value !== fields[at]) input.value = fields[at];
  }

  read(fields: MeasureForm['fields']): MeasureForm['fields'] {
    const typed = Object.fromEntries([...this.#inputs].map(([at, { value }]) => [at, value]));
    return { ...fields, ...typed };
  }

  showFaults(faults: readonly MeasureFault[]): void {
    for (const [at, note] of this.#faults) {
      const texts = faults.filter((fault) => fault.at === at).map(({ text }) => text);
      setText(note, texts.join(' '));
      note.hidden = texts.length === 0;
    }
    for (const [at, input] of this.#inputs) {
      if (faults.some((fault) => fault.at === at)) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
    }
  }
}
