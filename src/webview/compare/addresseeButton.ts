import * as l10n from '@vscode/l10n';
import type { CompareColumnView } from '../../shared/protocol/compareProtocol.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { element, icon, setText } from '../kit/element.ts';
import { openMenu } from '../kit/popupMenu.ts';

/** Where the next message is sent: to all models, or to one of them. */
export class AddresseeButton {
  readonly element: HTMLButtonElement;
  readonly #label = element('span', { class: 'addressee-name' });
  #columns: readonly CompareColumnView[] = [];

  /** @param choose with a column's ID, or undefined for all */
  constructor(choose: (columnId: string | undefined) => void) {
    this.element = element('button', { type: 'button', class: 'addressee' }, this.#label, icon('chevron-down'));
    this.element.addEventListener('click', () =>
      openMenu(this.element, l10n.t('Send To'), [
        [{ label: allText(this.#columns.length), run: () => choose(undefined) }],
        this.#columns.map(({ id, model, own }) => ({
          label: modelLabel(model),
          ...(own !== undefined && { detail: own }),
          run: () => choose(id),
        })),
      ]),
    );
  }

  /**
   * @param to a column's ID; absent for all of them.
   * @param isBlind a single reply has nothing to be compared with, and a single price would reveal a model
   */
  show(columns: readonly CompareColumnView[], to: string | undefined, isBlind: boolean): void {
    this.#columns = columns;
    const column = columns.find(({ id }) => id === to);
    const words = column === undefined ? toAllText(columns.length) : l10n.t('To {0}', modelLabel(column.model));
    setText(this.#label, words);
    this.element.title = words;
    this.element.classList.toggle('one', column !== undefined);
    this.element.hidden = columns.length < 2 || isBlind;
  }
}

function allText(count: number): string {
  return count === 2 ? l10n.t('Both models') : l10n.t('All {0} models', count);
}

function toAllText(count: number): string {
  return count === 2 ? l10n.t('To both models') : l10n.t('To all {0} models', count);
}
