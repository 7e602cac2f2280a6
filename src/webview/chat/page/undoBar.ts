import * as l10n from '@vscode/l10n';
import { element, iconButton, textButton } from '../../kit/element.ts';

/** What the bar offers. */
export interface UndoActs {
  restore(ids: readonly string[]): void;
  dismiss(): void;
}

/** Says that messages were deleted, and brings them back. It stays until it is used or put away. */
export class UndoBar {
  readonly element = element('div', { class: 'foot-bar undo-bar', hidden: true });
  readonly #words = element('span', {});
  readonly #undo: HTMLButtonElement;
  #ids: readonly string[] = [];

  constructor(acts: UndoActs) {
    this.#undo = textButton('link', l10n.t('Undo'), () => acts.restore(this.#ids));
    const dismiss = iconButton('close', l10n.t('Dismiss'), () => acts.dismiss());
    this.element.append(this.#words, this.#undo, element('div', { class: 'space' }), dismiss);
  }

  show(ids: readonly string[]): void {
    this.#ids = ids;
    this.#words.textContent = removedWords(ids.length);
    this.element.hidden = ids.length === 0;
  }

  hide(): void {
    this.#ids = [];
    this.element.hidden = true;
  }

  focus(): void {
    this.#undo.focus();
  }
}

export function removedWords(count: number): string {
  return count === 1 ? l10n.t('Message deleted.') : l10n.t('{0} messages deleted.', count);
}
