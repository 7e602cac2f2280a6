import type { ModelRowsView } from '../../../shared/modelRow.ts';
import { element } from '../../kit/element.ts';
import type { ModelPicker, PickerActs } from './modelPicker.ts';

/** The place of the model picker above the message box. The picker itself is loaded when it's first opened. */
export class LatePicker {
  readonly element = element('div', { class: 'model-place' });
  readonly #acts: PickerActs;
  #picker: ModelPicker | undefined;
  #loading: Promise<ModelPicker> | undefined;

  constructor(acts: PickerActs) {
    this.#acts = acts;
  }

  async open(replyId: string | undefined, view: ModelRowsView): Promise<void> {
    const picker = await this.#load();
    picker.open(replyId, view);
  }

  show(request: number, view: ModelRowsView): void {
    this.#picker?.show(request, view);
  }

  /** @returns false if it wasn't open */
  leave(): boolean {
    return this.#picker?.leave() ?? false;
  }

  #load(): Promise<ModelPicker> {
    this.#loading ??= import('./modelPicker.ts').then(({ ModelPicker: Picker }) => {
      this.#picker = new Picker(this.#acts);
      this.element.append(this.#picker.element);
      return this.#picker;
    });
    return this.#loading;
  }
}
