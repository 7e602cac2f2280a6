import * as l10n from '@vscode/l10n';
import { element, iconButton, textButton } from '../../kit/element.ts';
import { numberText } from '../../../words/numberText.ts';

/** Says that something was deleted, and restores it. It stays until it's used or dismissed. */
export class UndoBar {
  readonly element = element('div', { class: 'foot-bar undo-bar', hidden: true });
  readonly #words = element('span', {});
  readonly #button: HTMLButtonElement;
  #undo: () => void = () => undefined;

  /** @param leave called when the focus has nothing left to stay on */
  constructor(leave: () => void) {
    const end = (): void => {
      this.hide();
      leave();
    };
    this.#button = textButton('link', l10n.t('Undo'), () => {
      this.#undo();
      end();
    });
    const dismiss = iconButton('close', l10n.t('Dismiss'), end);
    this.element.append(this.#words, this.#button, element('div', { class: 'space' }), dismiss);
  }

  show(words: string, undo: () => void): void {
    this.#undo = undo;
    this.#words.textContent = words;
    this.element.hidden = false;
  }

  hide(): void {
    this.#undo = () => undefined;
    this.element.hidden = true;
  }

  focus(): void {
    this.#button.focus();
  }
}

export function removedWords(count: number): string {
  return count === 1 ? l10n.t('Message deleted.') : l10n.t('{0} messages deleted.', numberText(count));
}
