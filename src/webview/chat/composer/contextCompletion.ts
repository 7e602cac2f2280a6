import * as l10n from '@vscode/l10n';
import { type CompletionView, contextIcons } from '../../../shared/attachment.ts';
import { element, icon } from '../../kit/element.ts';

/** What the list asks of the page. */
export interface CompletionActs {
  readonly ask: (request: number, typed: string) => void;
  readonly take: (item: CompletionView) => void;
  readonly say: (text: string) => void;
}

const LIST_ID = 'parlance-completions';

/** The list that `#` opens over the text: the focus stays in the text, the arrows move in the list. */
export class ContextCompletion {
  readonly element = element('ul', {
    class: 'completions',
    id: LIST_ID,
    role: 'listbox',
    'aria-label': l10n.t('Context to add'),
    hidden: true,
  });
  readonly #box: HTMLTextAreaElement;
  readonly #acts: CompletionActs;
  #items: readonly CompletionView[] = [];
  /** The row that an arrow chose; before that none is, so that Enter sends the message as it stands. */
  #active: number | undefined;
  #request = 0;

  constructor(box: HTMLTextAreaElement, acts: CompletionActs) {
    this.#box = box;
    this.#acts = acts;
    box.setAttribute('aria-autocomplete', 'list');
    box.setAttribute('aria-haspopup', 'listbox');
    // A click must not take the focus out of the text, which would close the list first.
    this.element.addEventListener('mousedown', (event) => event.preventDefault());
  }

  /** Asks what these characters may stand for; an answer to an earlier question is left alone. */
  ask(typed: string): void {
    this.#request += 1;
    this.#acts.ask(this.#request, typed);
  }

  show(request: number, items: readonly CompletionView[]): void {
    if (request !== this.#request || document.activeElement !== this.#box) return;
    if (items.length === 0) return this.#hide();
    const wasHidden = this.element.hidden;
    this.#items = items;
    this.#active = undefined;
    this.#box.removeAttribute('aria-activedescendant');
    this.element.replaceChildren(...items.map((item, index) => this.#row(item, index)));
    this.element.hidden = false;
    this.#box.setAttribute('aria-controls', LIST_ID);
    if (wasHidden)
      this.#acts.say(
        l10n.t(
          '{0} suggestions. Use the arrow keys to select, Enter to add the selected one, Tab to add the first.',
          items.length,
        ),
      );
  }

  close(): void {
    this.#request += 1;
    this.#hide();
  }

  /** @returns true when the key was for the list */
  keyDown(event: KeyboardEvent): boolean {
    if (this.element.hidden || event.ctrlKey || event.metaKey || event.altKey) return false;
    switch (event.key) {
      case 'ArrowDown':
        this.#mark(((this.#active ?? -1) + 1) % this.#items.length);
        break;
      case 'ArrowUp':
        this.#mark(((this.#active ?? 0) + this.#items.length - 1) % this.#items.length);
        break;
      case 'Enter':
        if (event.shiftKey) return false;
        if (this.#active === undefined) {
          this.close();
          return false;
        }
        this.#take(this.#items[this.#active]);
        break;
      case 'Tab':
        if (event.shiftKey) return false;
        this.#take(this.#items[this.#active ?? 0]);
        break;
      case 'Escape':
        this.close();
        break;
      default:
        return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  #row({ kind, label, detail }: CompletionView, index: number): HTMLElement {
    const row = element(
      'li',
      { class: 'completion', role: 'option', id: `${LIST_ID}-${index}`, 'aria-selected': 'false' },
      icon(contextIcons[kind]),
      element('span', { class: 'completion-label' }, label),
      element('span', { class: 'completion-detail', title: detail }, detail),
    );
    row.addEventListener('click', () => this.#take(this.#items[index]));
    return row;
  }

  #mark(index: number): void {
    this.#active = index;
    [...this.element.children].forEach((row, place) => {
      row.setAttribute('aria-selected', String(place === index));
      if (place === index) row.scrollIntoView({ block: 'nearest' });
    });
    this.#box.setAttribute('aria-activedescendant', `${LIST_ID}-${index}`);
  }

  /** The chip stands for the word from now on: a file's name stays in the sentence, a kind's goes. */
  #take(item: CompletionView | undefined): void {
    if (item === undefined) return;
    const { selectionStart: caret, value } = this.#box;
    const start = value.slice(0, caret).lastIndexOf('#');
    if (start >= 0) {
      const words = item.kind === 'file' && item.detail !== '' ? `${item.detail.split('/').at(-1) ?? ''} ` : '';
      this.#box.setSelectionRange(start, caret);
      // The one way that keeps the text's undo.
      if (!document.execCommand('insertText', false, words)) this.#box.setRangeText(words, start, caret, 'end');
    }
    this.close();
    this.#box.dispatchEvent(new InputEvent('input', { bubbles: true }));
    this.#acts.take(item);
  }

  #hide(): void {
    this.element.hidden = true;
    this.#items = [];
    this.#box.removeAttribute('aria-activedescendant');
    this.#box.removeAttribute('aria-controls');
  }
}
