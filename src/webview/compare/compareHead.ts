import * as l10n from '@vscode/l10n';
import type { ToCompareHost } from '../../shared/protocol/compareProtocol.ts';
import { element, icon, iconButton, textButton } from '../kit/element.ts';
import { openMenu } from '../kit/popupMenu.ts';

/** The title of the page, and the actions for the whole comparison. */
export class CompareHead {
  readonly element: HTMLElement;
  readonly #blind: HTMLButtonElement;
  readonly #ranking: HTMLButtonElement;
  readonly #add: HTMLButtonElement;
  #isBlind = false;

  constructor(post: (message: ToCompareHost) => void) {
    this.#add = textButton('button secondary', '', () => post({ type: 'chooseModel' }));
    this.#add.append(icon('add'), l10n.t('Add Model…'));
    this.#blind = textButton('button secondary blind-switch', '', () =>
      post({ type: 'setBlind', isBlind: !this.#isBlind }),
    );
    this.#blind.title = l10n.t('Hides names, speeds, and prices until you vote for a reply.');
    this.#ranking = textButton('button secondary', l10n.t('Ranking'), () => post({ type: 'showRanking' }));
    this.#ranking.prepend(icon('graph'));
    const more = iconButton('ellipsis', l10n.t('More Actions…'), () =>
      openMenu(more, l10n.t('More Actions…'), [
        [
          { label: l10n.t('New Comparison'), run: () => post({ type: 'newComparison' }) },
          { label: l10n.t('Open Comparison…'), run: () => post({ type: 'openComparison' }) },
        ],
        [
          { label: l10n.t('Export Comparison…'), run: () => post({ type: 'exportComparison' }) },
          { label: l10n.t('Delete Comparison…'), run: () => post({ type: 'deleteComparison' }) },
        ],
      ]),
    );
    this.element = element(
      'header',
      { class: 'compare-head' },
      element('h1', {}, l10n.t('Compare Models')),
      element('div', { class: 'space' }),
      this.#blind,
      this.#ranking,
      this.#add,
      more,
    );
    this.showBlind(false);
  }

  showBlind(isBlind: boolean): void {
    this.#isBlind = isBlind;
    this.#blind.setAttribute('aria-pressed', String(isBlind));
    this.#blind.replaceChildren(icon('eye-closed'), isBlind ? l10n.t('Blind: On') : l10n.t('Blind'));
  }

  /** @param hasRoom false if another column wouldn't fit */
  showRoom(hasRoom: boolean): void {
    this.#add.hidden = !hasRoom;
  }

  focusRanking(): void {
    this.#ranking.focus();
  }
}
