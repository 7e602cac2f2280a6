import * as l10n from '@vscode/l10n';
import type { InputName, MediaInput } from '../../shared/media.ts';
import { element, iconButton, textButton } from '../kit/element.ts';
import { keepFocus } from '../kit/keepFocus.ts';
import { bytesText } from '../../words/bytes.ts';

export interface InputFieldActs {
  chooseFile(field: InputName): void;
  changed(): void;
}

/** An image or an audio file that guides a video: a URL, or a file with its size. */
export class InputField {
  readonly element: HTMLElement;
  readonly name: InputName;
  readonly complaint: HTMLElement;
  readonly box: HTMLInputElement;
  readonly #row: HTMLElement;
  readonly #chip = element('div', { class: 'file-chip', hidden: true });
  readonly #choose: HTMLButtonElement;
  readonly #acts: InputFieldActs;
  #file: Extract<MediaInput, { kind: 'file' }> | undefined;

  constructor(name: InputName, label: string, acts: InputFieldActs) {
    this.name = name;
    this.#acts = acts;
    const id = `parlance-input-${name}`;
    this.complaint = element('div', { class: 'complaint', id: `${id}-complaint` });
    this.box = element('input', {
      id,
      type: 'text',
      placeholder: 'https://…',
      autocomplete: 'off',
      spellcheck: 'false',
    });
    this.#choose = textButton('button secondary', l10n.t('Browse…'), () => acts.chooseFile(name));
    this.#choose.setAttribute('aria-label', l10n.t('{0}: browse…', label));
    this.#row = element('div', { class: 'with-button' }, this.box, this.#choose);
    this.element = element(
      'div',
      { class: 'field' },
      element('label', { for: id }, label),
      this.#row,
      this.#chip,
      this.complaint,
    );
    this.box.addEventListener('input', () => acts.changed());
  }

  get value(): MediaInput | undefined {
    if (this.#file !== undefined) return this.#file;
    return this.box.value.trim() === '' ? undefined : { kind: 'address', url: this.box.value };
  }

  /** Like `show`, when the user has chosen it: the button for that is gone. */
  choose(input: MediaInput): void {
    const focused = document.activeElement;
    this.show(input);
    keepFocus(focused, () => this.#chip.querySelector('button')?.focus());
  }

  show(input: MediaInput | undefined): void {
    this.#file = input?.kind === 'file' ? input : undefined;
    if (input?.kind !== 'file') {
      const url = input?.url ?? '';
      if (this.box.value !== url) this.box.value = url;
    }
    this.#row.hidden = this.#file !== undefined;
    this.#chip.hidden = this.#file === undefined;
    if (this.#file === undefined) return;
    const { name, sizeBytes } = this.#file;
    // Base64 turns three bytes into four characters.
    const sent = bytesText(Math.ceil(sizeBytes / 3) * 4);
    const remove = iconButton('close', l10n.t('Remove {0}', name), () => {
      this.show(undefined);
      this.#acts.changed();
      this.box.focus();
    });
    this.#chip.replaceChildren(
      element('span', { class: 'file-name', title: name }, name),
      element('span', { class: 'file-size' }, l10n.t('{0} in the request', sent)),
      remove,
    );
  }
}
