import * as l10n from '@vscode/l10n';
import type { FormValues } from '../../shared/media.ts';
import { element, icon, iconButton, textButton } from '../kit/element.ts';
import { keepFocus } from '../kit/keepFocus.ts';

export interface FormNotesActs {
  endInsert(): void;
  /** Returns the values that these replaced. */
  putBack(values: FormValues): FormValues;
  /** Moves the focus to the form, because its button is gone. */
  goOn(): void;
}

/** What is above the fields: where the image is inserted, and how to get back what was in the form. */
export class FormNotes {
  readonly element = element('div', { class: 'form-notes' });
  readonly #place = element('div', { class: 'form-note', hidden: true });
  readonly #replaced = element('div', { class: 'form-note', role: 'status', hidden: true });
  readonly #acts: FormNotesActs;

  constructor(acts: FormNotesActs) {
    this.#acts = acts;
    this.element.append(this.#place, this.#replaced);
  }

  /** @param name of the document that the image will be inserted into */
  showPlace(name: string | undefined): void {
    if (name === undefined) return this.#hide(this.#place);
    this.#place.replaceChildren(
      icon('insert'),
      element('span', {}, l10n.t('The image will be inserted into {0}.', name)),
      iconButton('close', l10n.t("Don't insert"), () => this.#acts.endInsert()),
    );
    this.#place.hidden = false;
  }

  /** Offers to put back the values that others have just replaced, if the new ones don't have them all. */
  offerBack(before: FormValues, now: FormValues): void {
    if (!isLosing(before, now)) return this.endOffer();
    const focused = document.activeElement;
    this.#replaced.replaceChildren(
      icon('history'),
      element('span', {}, l10n.t('The values in the form were replaced.')),
      textButton('link', l10n.t('Undo'), () => {
        const typed = this.#acts.putBack(before);
        // What was typed since is kept, too.
        if (isLosing(typed, now)) this.offerBack(typed, before);
        else this.endOffer();
      }),
      iconButton('close', l10n.t('Dismiss'), () => this.endOffer()),
    );
    this.#replaced.hidden = false;
    keepFocus(focused, () => this.#acts.goOn());
  }

  endOffer(): void {
    this.#hide(this.#replaced);
  }

  #hide(note: HTMLElement): void {
    const focused = document.activeElement;
    note.hidden = true;
    note.replaceChildren();
    keepFocus(focused, () => this.#acts.goOn());
  }
}

/** The model alone doesn't count: it was selected. */
function isLosing(before: FormValues, now: FormValues): boolean {
  const kept = new Map(entriesOf(now));
  return entriesOf(before).some(([name, value]) => value !== '""' && value !== kept.get(name));
}

function entriesOf({ texts: { model: _model, ...texts }, inputs }: FormValues): readonly (readonly [string, string])[] {
  return Object.entries<unknown>({ ...texts, ...inputs }).map(([name, value]) => [name, JSON.stringify(value)]);
}
