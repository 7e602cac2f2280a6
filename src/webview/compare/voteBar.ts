import type { ModelRef } from '../../shared/modelRef.ts';
import * as l10n from '@vscode/l10n';
import { type ToCompareHost, voteWords } from '../../shared/compareProtocol.ts';
import { element, textButton } from '../kit/element.ts';

type Choice = Extract<ToCompareHost, { type: 'vote' }>['choice'];

/** Which of the blind replies is better: a button and a key for each, for all, and for none. */
export class VoteBar {
  readonly element = element('section', { class: 'vote-bar', 'aria-label': l10n.t('Which reply is better?') });
  readonly #vote: (choice: Choice) => void;
  readonly #keys = new Map<string, Choice>();

  constructor(vote: (choice: Choice) => void) {
    this.#vote = vote;
  }

  /** @param replies names and columns, in the order that's shown */
  show(replies: readonly { readonly id: string; readonly model: ModelRef }[]): void {
    const words = { equal: { label: l10n.t('Equal'), key: '0' }, none: { label: l10n.t('None'), key: 'X' } };
    this.#keys.clear();
    this.element.replaceChildren(
      element('h2', {}, l10n.t('Which reply is better?')),
      ...replies.map(({ id, model }, index) => this.#button('button', model, String(index + 1), { columnId: id })),
      ...voteWords.map((word) => this.#button('button secondary', words[word].label, words[word].key, word)),
      element('p', {}, l10n.t('Names, speeds, and prices appear after your vote, which stays on this machine.')),
    );
  }

  /** A key of the page, outside of its fields. @returns whether it was one of ours */
  takes(key: string): boolean {
    const choice = this.#keys.get(key.toUpperCase());
    if (choice === undefined) return false;
    this.#vote(choice);
    return true;
  }

  #button(look: string, label: string, key: string, choice: Choice): HTMLButtonElement {
    this.#keys.set(key, choice);
    const button = textButton(look, label, () => this.#vote(choice));
    button.setAttribute('aria-keyshortcuts', key);
    button.append(element('kbd', { 'aria-hidden': 'true' }, key));
    return button;
  }
}
