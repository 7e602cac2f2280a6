import * as l10n from '@vscode/l10n';
import { type ModelFigure, modelFigureNames, type ModelRow } from '../../../shared/modelRow.ts';
import { element, icon } from '../../kit/element.ts';
import { spokenFigure } from './figureHeadings.ts';

const pageStep = 8;

export interface ListActs {
  readonly take: (row: ModelRow) => void;
  readonly toggleFavorite: (row: ModelRow) => void;
  /** Another row is marked than before. */
  readonly marked: (row: ModelRow | undefined) => void;
}

/** The rows of the model picker, with one of them marked. The focus stays in the box to search in. */
export class ModelList {
  readonly element: HTMLElement;
  readonly #id: string;
  readonly #search: HTMLInputElement;
  readonly #acts: ListActs;
  #rows: readonly ModelRow[] = [];
  #drawn: readonly HTMLElement[] = [];
  #marked: string | undefined;

  constructor(id: string, search: HTMLInputElement, acts: ListActs) {
    this.#id = id;
    this.#search = search;
    this.#acts = acts;
    this.element = element('div', { class: 'model-rows', role: 'listbox', id, 'aria-label': l10n.t('Models') });
  }

  get marked(): ModelRow | undefined {
    return this.#rows.find(({ id }) => id === this.#marked);
  }

  /** The mark stays on its model; if that is gone, it moves to the first row. */
  show(rows: readonly ModelRow[]): void {
    this.#rows = rows;
    this.#drawn = rows.map((row) => this.#draw(row));
    this.element.hidden = rows.length === 0;
    this.element.replaceChildren(...this.#grouped());
    this.#mark(this.marked ?? rows[0]);
  }

  /** What is typed next finds its own first row. */
  forgetMark(): void {
    this.#marked = undefined;
  }

  /** @param needsImages marks the first other model that sees images, if any, instead of the current one */
  markStart(needsImages: boolean): void {
    const current = this.#rows.find(({ isCurrent }) => isCurrent) ?? this.#rows[0];
    const fitting = needsImages ? this.#rows.find((row) => row.withImages !== undefined && !row.isCurrent) : undefined;
    this.#mark(fitting ?? current);
  }

  /** @returns true when the key was for the list */
  keyDown({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
    if (ctrlKey || metaKey || altKey || shiftKey || this.#rows.length === 0) return false;
    const last = this.#rows.length - 1;
    const at = this.#rows.findIndex(({ id }) => id === this.#marked);
    switch (key) {
      case 'ArrowDown':
        this.#mark(this.#rows[at === last ? 0 : at + 1]);
        return true;
      case 'ArrowUp':
        this.#mark(this.#rows[at <= 0 ? last : at - 1]);
        return true;
      case 'PageDown':
        this.#mark(this.#rows[Math.min(at + pageStep, last)]);
        return true;
      case 'PageUp':
        this.#mark(this.#rows[Math.max(at - pageStep, 0)]);
        return true;
      case 'Enter': {
        const row = this.#rows[at];
        if (row !== undefined) this.#acts.take(row);
        return true;
      }
      default:
        return false;
    }
  }

  #draw(row: ModelRow): HTMLElement {
    const { id, name, figures, notes, withImages, isFavorite, isCurrent, isTyped } = row;
    const marks = [
      ...(isCurrent ? [l10n.t('current')] : []),
      ...(withImages === undefined ? [] : [withImages]),
      ...(isFavorite ? [l10n.t('favorite')] : []),
    ];
    const drawn = element(
      'div',
      {
        class: `model-row${isTyped ? ' typed' : ''}${isFavorite ? ' favorite' : ''}`,
        role: 'option',
        id: `${this.#id}-${id}`,
        'aria-selected': 'false',
      },
      element(
        'span',
        { class: 'model-name', title: name },
        ...(isCurrent ? [icon('check')] : []),
        element('span', { class: 'model-name-text' }, name),
        ...(withImages === undefined ? [] : [eye(withImages)]),
        heard(marks),
        ...(notes.length === 0 ? [] : [element('span', { class: 'model-notes' }, notes.join(' · '))]),
      ),
      ...(isTyped ? [] : [...modelFigureNames.map((figure) => drawFigure(figure, figures[figure])), this.#star(row)]),
    );
    drawn.addEventListener('click', () => this.#acts.take(row));
    return drawn;
  }

  /** By keyboard, the button below the list does this. */
  #star(row: ModelRow): HTMLElement {
    const star = element('span', {
      class: `model-star codicon codicon-star-${row.isFavorite ? 'full' : 'empty'}`,
      title: row.isFavorite ? l10n.t('Remove from Favorites') : l10n.t('Add to Favorites'),
      'aria-hidden': 'true',
    });
    star.addEventListener('click', (event) => {
      event.stopPropagation();
      this.#acts.toggleFavorite(row);
    });
    return star;
  }

  /** The rows of each group under its heading, which is the group's name for screen readers. */
  #grouped(): readonly HTMLElement[] {
    const groups = Map.groupBy(this.#drawn.entries(), ([index]) => this.#rows[index]?.group ?? '');
    return [...groups].flatMap(([name, entries]) => {
      const own = entries.map(([, row]) => row);
      if (name === '') return own;
      const heading = element('div', { class: 'model-group-name', 'aria-hidden': 'true' }, name);
      return [element('div', { class: 'model-group', role: 'group', 'aria-label': name }, heading, ...own)];
    });
  }

  #mark(row: ModelRow | undefined): void {
    this.#marked = row?.id;
    for (const [index, { id }] of this.#rows.entries()) {
      const drawn = this.#drawn[index];
      drawn?.setAttribute('aria-selected', String(id === row?.id));
      if (id === row?.id) drawn?.scrollIntoView({ block: 'nearest' });
    }
    if (row === undefined) this.#search.removeAttribute('aria-activedescendant');
    else this.#search.setAttribute('aria-activedescendant', `${this.#id}-${row.id}`);
    this.#acts.marked(row);
  }
}

/** A screen reader hears the name of the figure, which others see in the heading. */
function drawFigure(figure: ModelFigure, text: string): HTMLElement {
  const cell = element('span', { class: 'model-figure' });
  if (text !== '') cell.append(element('span', { 'aria-hidden': 'true' }, text), heard([spokenFigure(figure, text)]));
  return cell;
}

/** Screen readers hear it after the name. */
function eye(title: string): HTMLElement {
  return element('span', { class: 'codicon codicon-eye', title, 'aria-hidden': 'true' });
}

/** Only for screen readers. */
function heard(words: readonly string[]): HTMLElement {
  return element('span', { class: 'visually-hidden' }, words.map((word) => `, ${word}`).join(''));
}
