import * as l10n from '@vscode/l10n';
import { element, iconButton } from '../kit/element.ts';

export interface PresetActs {
  use(name: string): void;
  forget(name: string): void;
}

/** The saved presets of a form; hidden while there are none. */
export class PresetBox {
  readonly select = element('select', { class: 'presets', 'aria-label': l10n.t('Presets') });
  readonly forget: HTMLButtonElement;

  constructor(acts: PresetActs) {
    this.forget = iconButton('trash', l10n.t('Delete this preset'), () => {
      if (this.select.value !== '') acts.forget(this.select.value);
    });
    // Which one was used isn't a value of the form.
    this.select.addEventListener('input', (event) => event.stopPropagation());
    this.select.addEventListener('change', (event) => {
      event.stopPropagation();
      this.forget.hidden = this.select.value === '';
      if (this.select.value !== '') acts.use(this.select.value);
    });
  }

  show(names: readonly string[]): void {
    const chosen = this.select.value;
    this.select.replaceChildren(
      element('option', { value: '' }, l10n.t('Presets')),
      ...names.map((name) => element('option', { value: name }, name)),
    );
    this.select.value = names.includes(chosen) ? chosen : '';
    this.select.hidden = names.length === 0;
    this.forget.hidden = this.select.value === '';
  }
}
