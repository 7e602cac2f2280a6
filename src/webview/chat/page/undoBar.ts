import * as l10n from '@vscode/l10n';
import { element, iconButton, textButton } from '../../kit/element.ts';

/** What the bar offers. */
export interface UndoActs {
  restore(ids: readonly string[]): void;
  dismiss(): void;
}

/** How the messages went: on their own, or for others to take their place. */
export type Removal = 'deleted' | 'replaced';

/** Says that messages are gone, and brings them back. It stays until it is used or put away. */
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

  show(ids: readonly string[], removal: Removal): void {
    this.#ids = ids;
    this.#words.textContent = removedWords(ids.length, removal);
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

export function removedWords(count: number, removal: Removal): string {
  if (removal === 'replaced') {
    return count === 1 ? l10n.t('Message replaced.') : l10n.t('{0} messages replaced.', count);
  }
  return count === 1 ? l10n.t('Message deleted.') : l10n.t('{0} messages deleted.', count);
}
