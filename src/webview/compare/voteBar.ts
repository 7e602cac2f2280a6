import * as l10n from '@vscode/l10n';
import { maxTagLength, type ToCompareHost, type VoteTags, voteWords } from '../../shared/protocol/compareProtocol.ts';
import type { ModelRef } from '../../shared/modelRef.ts';
import { element, icon, textButton } from '../kit/element.ts';

type Choice = Extract<ToCompareHost, { type: 'vote' }>['choice'];

/**
 * Asks which of the blind replies is better, with a button and a key for each, for all, and for none, and what the vote
 * is about.
 */
export class VoteBar {
  readonly element = element('section', { class: 'vote-bar', 'aria-label': l10n.t('Which reply is better?') });
  readonly #vote: (choice: Choice, tag: string) => void;
  readonly #keys = new Map<string, Choice>();
  readonly #known = element('datalist', { id: 'parlance-vote-tags' });
  readonly #tag = element('input', {
    id: 'parlance-vote-tag',
    type: 'text',
    list: 'parlance-vote-tags',
    maxlength: String(maxTagLength),
    placeholder: l10n.t('For example: code review'),
    autocomplete: 'off',
  });

  /** @param vote with a tag, empty for none */
  constructor(vote: (choice: Choice, tag: string) => void) {
    this.#vote = vote;
  }

  /** @param replies names and columns, in display order */
  show(
    replies: readonly { readonly id: string; readonly model: ModelRef; readonly canWin: boolean }[],
    { last, known }: VoteTags,
  ): void {
    const words = { equal: { label: l10n.t('Equal'), key: '0' }, none: { label: l10n.t('None'), key: 'X' } };
    this.#keys.clear();
    if (document.activeElement !== this.#tag) this.#tag.value = last;
    this.#known.replaceChildren(...known.map((value) => element('option', { value })));
    this.element.replaceChildren(
      element('h2', {}, l10n.t('Which reply is better?')),
      ...replies.flatMap(({ id, model, canWin }, index) =>
        canWin ? [this.#button(model, String(index + 1), { columnId: id })] : [],
      ),
      ...voteWords.map((word) => this.#button(words[word].label, words[word].key, word)),
      element(
        'div',
        { class: 'vote-tag' },
        element('label', { for: this.#tag.id }, l10n.t('Tag')),
        this.#tag,
        this.#known,
      ),
      element('p', {}, l10n.t('Names, speeds, and prices appear after your vote, which stays on this machine.')),
    );
  }

  /** After the vote. */
  showGiven(words: string): void {
    this.#keys.clear();
    const given = element('p', { class: 'vote-given' }, icon('check'), words);
    if (this.element.textContent !== words) this.element.replaceChildren(given);
  }

  /** A key pressed outside of text fields. @returns whether it was one of ours */
  takes(key: string): boolean {
    const choice = this.#keys.get(key.toUpperCase());
    if (choice === undefined) return false;
    this.#give(choice);
    return true;
  }

  #give(choice: Choice): void {
    this.#vote(choice, this.#tag.value.trim());
  }

  #button(label: string, key: string, choice: Choice): HTMLButtonElement {
    this.#keys.set(key, choice);
    const button = textButton('button secondary', label, () => this.#give(choice));
    button.setAttribute('aria-keyshortcuts', key);
    button.append(element('kbd', { 'aria-hidden': 'true' }, key));
    return button;
  }
}
