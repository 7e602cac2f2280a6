import * as l10n from '@vscode/l10n';
import { element, iconButton, textButton } from './element.ts';

/** What the bar offers. */
export interface UndoActs {
  restore(ids: readonly string[]): void;
  dismiss(): void;
}

/** Says that messages were deleted, and brings them back. It stays until it is used or put away. */
export class UndoBar {
  readonly element = element('div', { class: 'undo-bar', hidden: true });
  readonly #words = element('span', {});
  readonly #undo: HTMLButtonElement;
  #ids: readonly string[] = [];

  constructor(acts: UndoActs) {
    this.#undo = textButton('link', l10n.t('Undo'), () => acts.restore(this.#ids));
    const dismiss = iconButton('close', l10n.t('Dismiss'), () => acts.dismiss());
    this.element.append(this.#words, this.#undo, element('div', { class: 'space' }), dismiss);
  }

  /** @param takeFocus true when the focus was on what is gone. */
  show(ids: readonly string[], takeFocus: boolean): void {
    this.#ids = ids;
    this.#words.textContent = deletedWords(ids.length);
    this.element.hidden = ids.length === 0;
    if (ids.length > 0 && takeFocus) this.#undo.focus();
  }
}

export function deletedWords(count: number): string {
  return count === 1 ? l10n.t('Message deleted.') : l10n.t('{0} messages deleted.', count);
}
