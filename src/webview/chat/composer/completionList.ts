import { element, icon } from '../../kit/element.ts';

/** A row of the list. */
export interface ListRow {
  /** The heading above it. Rows of a group are adjacent. */
  readonly group?: string;
  /** Name of a codicon. */
  readonly icon?: string;
  readonly label: string;
  readonly detail: string;
}

export interface CompletionListOptions<R> {
  /** ID of the element, unique among lists. */
  readonly id: string;
  /** For screen readers. */
  readonly name: string;
  /** True if Enter selects the first row. Otherwise no row is selected until an arrow key was pressed. */
  readonly startsAtFirst: boolean;
  /** Asks the host for the rows. @param request number that comes back with them */
  readonly ask: (request: number, typed: string) => void;
  readonly take: (row: R) => void;
  /** What a screen reader says when the list opens. */
  readonly openedWords: (count: number) => string;
  /** Shown if there are no rows for the typed text. If undefined, the list closes instead. */
  readonly noneWords: (typed: string) => string | undefined;
  readonly say: (text: string) => void;
}

/**
 * A list above the text, with rows from the host for the typed text. The focus stays in the text, and the arrow keys
 * move in the list.
 */
export class CompletionList<R extends ListRow> {
  readonly element: HTMLElement;
  readonly #box: HTMLTextAreaElement;
  readonly #options: CompletionListOptions<R>;
  #rows: readonly R[] = [];
  #drawn: HTMLElement[] = [];
  #active: number | undefined;
  /** Rows for an earlier request arrive too late and are ignored. */
  #request = 0;
  /** The request that the shown rows answer. */
  #answered = 0;
  /** True once an arrow key has selected one of the shown rows. */
  #isChosen = false;
  /** True if Tab was pressed before the rows for the typed text arrived: it takes the first of those. */
  #isDue = false;
  #typed = '';

  constructor(box: HTMLTextAreaElement, options: CompletionListOptions<R>) {
    this.#box = box;
    this.#options = options;
    const { id, name } = options;
    this.element = element('div', { class: 'completions', id, role: 'listbox', 'aria-label': name, hidden: true });
    box.setAttribute('aria-autocomplete', 'list');
    box.setAttribute('aria-haspopup', 'listbox');
    // A click must not take the focus from the text, which would close the list first.
    this.element.addEventListener('mousedown', (event) => event.preventDefault());
  }

  /** What's shown. */
  get rows(): readonly R[] {
    return this.#rows;
  }

  /** Asks which rows fit this text. */
  ask(typed: string): void {
    this.#request += 1;
    this.#isDue = false;
    this.#typed = typed;
    this.#options.ask(this.#request, typed);
  }

  /**
   * @param rows all of them, again with more at the end if a request has a second answer
   * @returns false if these are the rows of an earlier request
   */
  show(request: number, rows: readonly R[]): boolean {
    if (request !== this.#request) return false;
    const none = this.#options.noneWords(this.#typed);
    // The user might have left the text in the meantime.
    if (document.activeElement === this.#box) this.#show(rows, none);
    if (rows.length === 0 && none !== undefined) this.#options.say(none);
    if (this.#isDue) this.takeFirst();
    return true;
  }

  #show(rows: readonly R[], none: string | undefined): void {
    if (rows.length === 0 && none === undefined) return this.close();
    const wasHidden = this.element.hidden;
    // A second answer has the shown rows and more after them, so the selected one stays selected.
    const isLonger = !wasHidden && this.#answered === this.#request;
    const place = isLonger ? this.#active : undefined;
    this.#rows = rows;
    this.#answered = this.#request;
    this.#isChosen &&= isLonger;
    this.#active = undefined;
    this.#box.removeAttribute('aria-activedescendant');
    this.#drawn = rows.map((row, index) => this.#draw(row, index));
    const shown = rows.length === 0 ? [noneRow(none ?? '')] : grouped(rows, this.#drawn);
    this.element.replaceChildren(...shown);
    this.element.hidden = false;
    this.#box.setAttribute('aria-controls', this.#options.id);
    if (rows.length === 0) return;
    const marked = place ?? (this.#options.startsAtFirst ? 0 : undefined);
    if (marked !== undefined) this.#mark(marked);
    if (wasHidden) this.#options.say(this.#options.openedWords(rows.length));
  }

  takeFirst(): void {
    if (this.#rows.length > 0) this.#take(0);
  }

  /** Rows that are still on their way don't open it again. */
  close(): void {
    this.#request += 1;
    this.#isDue = false;
    if (this.element.hidden) return;
    this.element.hidden = true;
    this.#rows = [];
    this.#box.removeAttribute('aria-activedescendant');
    this.#box.removeAttribute('aria-controls');
  }

  /** @returns true if the list handled the key */
  keyDown(event: KeyboardEvent): boolean {
    if (this.element.hidden || event.ctrlKey || event.metaKey || event.altKey) return false;
    const count = this.#rows.length;
    if (count === 0 && event.key !== 'Escape') {
      if (event.key === 'Enter') this.close();
      return false;
    }
    switch (event.key) {
      case 'ArrowDown':
        this.#choose(((this.#active ?? -1) + 1) % count);
        break;
      case 'ArrowUp':
        this.#choose(((this.#active ?? 0) + count - 1) % count);
        break;
      case 'Enter':
        if (event.shiftKey) return false;
        if (this.#active === undefined) {
          this.close();
          return false;
        }
        this.#take(this.#active);
        break;
      case 'Tab':
        if (event.shiftKey) return false;
        if (this.#isChosen || this.#answered === this.#request) this.#take(this.#active ?? 0);
        else this.#isDue = true;
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

  #draw({ icon: glyph, label, detail }: R, index: number): HTMLElement {
    const row = element(
      'div',
      { class: 'completion', role: 'option', id: `${this.#options.id}-${index}`, 'aria-selected': 'false' },
      ...(glyph === undefined ? [] : [icon(glyph)]),
      element('span', { class: 'completion-label' }, label),
      ...(detail === '' ? [] : [element('span', { class: 'completion-detail', title: detail }, detail)]),
    );
    row.addEventListener('click', () => this.#take(index));
    return row;
  }

  #choose(index: number): void {
    this.#isChosen = true;
    this.#mark(index);
  }

  #mark(index: number): void {
    this.#active = index;
    this.#drawn.forEach((row, place) => {
      row.setAttribute('aria-selected', String(place === index));
      if (place === index) row.scrollIntoView({ block: 'nearest' });
    });
    this.#box.setAttribute('aria-activedescendant', `${this.#options.id}-${index}`);
  }

  #take(index: number): void {
    const row = this.#rows[index];
    this.close();
    if (row !== undefined) this.#options.take(row);
  }
}

/** Says that there's nothing to select. */
function noneRow(text: string): HTMLElement {
  return element('div', { class: 'completion-none', role: 'option', 'aria-disabled': 'true' }, text);
}

/** The rows of each group under its heading, which is the group's name for screen readers. */
function grouped(rows: readonly ListRow[], drawn: readonly HTMLElement[]): readonly HTMLElement[] {
  const groups = Map.groupBy(drawn.entries(), ([index]) => rows[index]?.group ?? '');
  return [...groups].flatMap(([name, entries]) => {
    const own = entries.map(([, row]) => row);
    if (name === '') return own;
    const heading = element('div', { class: 'completion-group', 'aria-hidden': 'true' }, name);
    return [element('div', { role: 'group', 'aria-label': name }, heading, ...own)];
  });
}
