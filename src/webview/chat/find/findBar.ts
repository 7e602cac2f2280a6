import * as l10n from '@vscode/l10n';
import { maxQueryLength } from '../../../shared/messageLimits.ts';
import { element, iconButton, setText } from '../../kit/element.ts';
import { isImeKey } from '../../kit/keys.ts';

/** What the bar asks for. */
export interface FindActs {
  /** The search text has changed. */
  search(query: string): void;
  next(step: 1 | -1): void;
  close(): void;
}

/** The input for the search text, with the number of matches. */
export class FindBar {
  readonly element = element('div', { class: 'find-bar', role: 'search', hidden: true });
  readonly #acts: FindActs;
  readonly #box = element('input', {
    type: 'text',
    class: 'find-box',
    'aria-label': l10n.t('Find in Conversation'),
    placeholder: l10n.t('Find in Conversation'),
    maxlength: String(maxQueryLength),
    spellcheck: 'false',
    autocomplete: 'off',
  });
  readonly #count = element('span', { class: 'find-count', role: 'status' });

  constructor(acts: FindActs) {
    this.#acts = acts;
    this.element.append(
      this.#box,
      this.#count,
      iconButton('arrow-up', l10n.t('Previous Match'), () => acts.next(-1)),
      iconButton('arrow-down', l10n.t('Next Match'), () => acts.next(1)),
      iconButton('close', l10n.t('Close'), () => acts.close()),
    );
    // An unfinished word of an input method isn't worth a search.
    this.#box.addEventListener('input', (event) => {
      // oxlint-disable-next-line no-restricted-properties -- an input has no key
      if (!(event instanceof InputEvent && event.isComposing)) acts.search(this.query);
    });
    this.#box.addEventListener('compositionend', () => acts.search(this.query));
    this.element.addEventListener('keydown', (event) => this.#keyDown(event));
  }

  get query(): string {
    return this.#box.value;
  }

  open(): void {
    this.element.hidden = false;
    this.#box.focus();
    this.#box.select();
  }

  close(): void {
    this.element.hidden = true;
  }

  /** @param position of the current match, from 1; 0 without one */
  show(position: number, total: number): void {
    const words = total === 0 ? l10n.t('No results') : l10n.t('{0} of {1}', position === 0 ? '?' : position, total);
    setText(this.#count, this.query === '' ? '' : words);
  }

  #keyDown(event: KeyboardEvent): void {
    if (isImeKey(event)) return;
    if (event.key === 'Escape') this.#acts.close();
    else if (event.key === 'Enter' && event.target === this.#box) this.#acts.next(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  }
}
