import * as l10n from '@vscode/l10n';
import type { ToHost } from '../../../shared/protocol/chatProtocol.ts';
import { maxQueryLength } from '../../../shared/messageLimits.ts';
import type { ModelFigure, ModelQuestion, ModelRow, ModelRowsView, UnlistedService } from '../../../shared/modelRow.ts';
import type { ProblemActionKind } from '../../../shared/problem.ts';
import { element, icon, setText, textButton } from '../../kit/element.ts';
import { isImeKey } from '../../kit/keys.ts';
import { ProblemSlot } from '../../kit/problemCard.ts';
import type { Ticker } from '../../kit/ticker.ts';
import { FigureHeadings } from './figureHeadings.ts';
import { ModelList } from './modelList.ts';
import { modelsText } from '../../../words/modelsText.ts';

// Minimum distance from the picker to the top of the page.
const EDGE = 4;
const leastHeight = 160;

export interface PickerActs {
  readonly post: (message: ToHost) => void;
  readonly say: (text: string) => void;
  readonly copy: (text: string) => void;
  /** Whether the next message has an image that the current model doesn't accept. */
  readonly needsImages: () => boolean;
  /** A model was selected: the message box is next. */
  readonly chosen: () => void;
  readonly ticker: Ticker;
}

/**
 * The model list beside the message box. The focus stays in the search box, as in VS Code's own lists: arrows move
 * through the rows, Enter selects one, Escape closes the list.
 */
export class ModelPicker {
  readonly element = element('div', { class: 'model-picker', role: 'dialog', hidden: true });
  readonly #acts: PickerActs;
  readonly #search: HTMLInputElement;
  readonly #list: ModelList;
  readonly #headings: FigureHeadings;
  readonly #words = element('div', { class: 'model-words' });
  readonly #problem: ProblemSlot;
  readonly #unlisted = element('div', { class: 'model-unlisted' });
  readonly #favorite: HTMLButtonElement;
  /** The row that this button names. The mark is forgotten while what was typed is being looked for. */
  #favoriteRow: ModelRow | undefined;
  readonly #kinds: HTMLButtonElement;
  #request = 0;
  #sort: ModelFigure | undefined;
  #allKinds = false;
  #replyId: string | undefined;
  #leftFrom: Element | null = null;
  #said = '';
  /**
   * While the first row for the typed text isn't known: whether Enter has been pressed, which then selects it, and
   * whether rows that don't settle it are shown.
   */
  #due: { isEntered: boolean; isDrawn: boolean } | undefined;

  constructor(acts: PickerActs) {
    this.#acts = acts;
    this.#problem = new ProblemSlot(
      { class: 'model-problem' },
      { run: (action, _model, service) => this.#run(action, service), copy: acts.copy },
      acts.ticker,
    );
    const { post } = acts;
    this.#search = element('input', {
      type: 'text',
      class: 'model-search',
      role: 'combobox',
      'aria-label': l10n.t('Search models'),
      'aria-expanded': 'true',
      'aria-autocomplete': 'list',
      'aria-controls': 'parlance-models',
      placeholder: l10n.t('Search, or "{0}"', l10n.t('fastest')),
      maxlength: String(maxQueryLength),
      spellcheck: 'false',
      autocomplete: 'off',
    });
    this.#list = new ModelList('parlance-models', this.#search, {
      take: (row) => this.#take(row),
      toggleFavorite: (row) => post({ type: 'toggleFavorite', row: row.id }),
      marked: (row) => this.#showFavorite(row),
    });
    this.#headings = new FigureHeadings((figure) => {
      this.#sort = figure === this.#sort ? undefined : figure;
      this.#ask();
      this.#search.focus();
    });
    this.#favorite = textButton('link', '', () => {
      if (this.#favoriteRow !== undefined) post({ type: 'toggleFavorite', row: this.#favoriteRow.id });
    });
    this.#kinds = textButton('link', '', () => {
      this.#allKinds = !this.#allKinds;
      this.#ask();
    });
    const models = textButton('link', l10n.t('Show Models'), () => {
      this.#leave();
      post({ type: 'showModels' });
    });
    const add = textButton('link', l10n.t('Add Service…'), () => {
      this.#leave();
      post({ type: 'addService' });
    });
    this.element.append(
      element('div', { class: 'model-table' }, this.#headings.element, this.#list.element),
      this.#words,
      this.#problem.element,
      this.#unlisted,
      this.#search,
      element('div', { class: 'model-foot' }, this.#favorite, this.#kinds, models, add),
    );
    this.#search.addEventListener('input', () => this.#ask());
    this.element.addEventListener('keydown', (event) => this.#keyDown(event));
    // A click on a row or between the parts must not take the focus out of the search.
    this.element.addEventListener('mousedown', (event) => {
      if (event.target !== this.#search) event.preventDefault();
    });
    this.element.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.element.contains(relatedTarget))) this.#close();
    });
  }

  /** @param replyId the reply to retry; without one, the conversation's model is selected */
  open(replyId: string | undefined, view: ModelRowsView): void {
    const words = replyId === undefined ? l10n.t('Select Model') : l10n.t('Retry with Another Model');
    this.element.setAttribute('aria-label', words);
    if (this.element.hidden) this.#leftFrom = document.activeElement;
    this.#replyId = replyId;
    this.#sort = undefined;
    this.#allKinds = false;
    this.#request = 0;
    this.#due = undefined;
    this.#said = '';
    this.#search.value = '';
    this.element.hidden = false;
    this.#fit();
    this.#draw(view);
    this.#list.markStart(replyId === undefined && this.#acts.needsImages());
    this.#search.focus();
  }

  show(request: number, view: ModelRowsView): void {
    if (this.element.hidden || request !== this.#request) return;
    this.#draw(view);
    if (this.#due === undefined) return;
    this.#due.isDrawn = true;
    const { marked } = this.#list;
    // A list that's still being fetched might have what was typed. A listed model needn't wait for it.
    if (view.isLoading && marked?.isTyped !== false) return;
    const { isEntered } = this.#due;
    this.#due = undefined;
    if (isEntered && marked !== undefined) this.#take(marked);
  }

  /** Closes it, and puts the focus back. @returns false if it wasn't open */
  leave(): boolean {
    if (this.element.hidden) return false;
    this.#leave();
    return true;
  }

  /** @param again what is fetched once more: all lists, or that of one service */
  #ask(again?: { readonly service?: string }): void {
    this.#request += 1;
    const question: ModelQuestion = {
      typed: this.#search.value,
      ...(this.#sort !== undefined && { sort: this.#sort }),
      allKinds: this.#allKinds,
    };
    this.#list.forgetMark();
    this.#due = { isEntered: false, isDrawn: false };
    this.#acts.post({
      type: 'findModels',
      request: this.#request,
      question,
      ...(again !== undefined && { again: true, ...again }),
    });
  }

  #draw(view: ModelRowsView): void {
    const { rows, left, sortedBy, isLoading, lacksList = false, problem, unlisted, otherKinds } = view;
    this.#list.show(rows);
    this.#headings.show(
      sortedBy,
      rows.some(({ isTyped }) => !isTyped),
    );
    const isFirst = isLoading && (lacksList || rows.every(({ isTyped }) => isTyped));
    const words = isFirst
      ? l10n.t('Fetching models…')
      : this.#wordsAbout(rows, left, problem !== undefined || unlisted.length > 0);
    setText(this.#words, words);
    this.#words.hidden = words === '';
    this.#kinds.hidden = otherKinds === 'none';
    setText(this.#kinds, otherKinds === 'shown' ? l10n.t('Show Chat Models Only') : l10n.t('Show Models of All Kinds'));
    this.#showFavorite(this.#list.marked);
    // The picker closes when the focus leaves it, as it does with a button that is removed.
    if (this.#problem.element.contains(document.activeElement)) this.#search.focus();
    this.#problem.show(problem);
    this.#drawUnlisted(unlisted);
    const heard = problem?.title ?? (words !== '' ? words : modelsText(rows.length));
    if (heard !== this.#said) this.#acts.say(heard);
    this.#said = heard;
  }

  /** A line for each service without a list, with what the user can do about it. */
  #drawUnlisted(unlisted: readonly UnlistedService[]): void {
    // The picker closes when the focus leaves it, as it does with a button that is removed.
    if (this.#unlisted.contains(document.activeElement)) this.#search.focus();
    this.#unlisted.replaceChildren(
      ...unlisted.map(({ service, name, problem: { title, detail, actions } }) =>
        element(
          'div',
          { class: 'model-unlisted-service', role: 'group', 'aria-label': name, title: detail },
          icon('warning'),
          element('span', {}, l10n.t('{0}: {1}', name, title)),
          ...actions.map(({ kind, label }) => textButton('link', label, () => this.#run(kind, service))),
        ),
      ),
    );
    this.#unlisted.hidden = unlisted.length === 0;
  }

  #run(action: ProblemActionKind, service: string | undefined): void {
    const about = service === undefined ? {} : { service };
    if (action === 'retry') return this.#ask(about);
    this.#leave();
    this.#acts.post({ type: 'runAction', action, ...about });
  }

  #wordsAbout(rows: readonly ModelRow[], left: number, isFailed: boolean): string {
    const typed = this.#search.value.trim();
    if (rows.some(({ isTyped }) => !isTyped)) {
      if (left === 1) return l10n.t('1 more model. Type to find it.');
      return left === 0 ? '' : l10n.t('{0} more models. Type to find them.', left);
    }
    if (isFailed) return '';
    return typed === ''
      ? l10n.t('The service lists no models. Type a model ID.')
      : l10n.t('No models match "{0}".', typed);
  }

  #showFavorite(row: ModelRow | undefined): void {
    const named = row?.isTyped === false ? row : undefined;
    this.#favoriteRow = named;
    if (named === undefined) {
      // The picker closes when the focus leaves it, as it does with a button that is hidden.
      if (this.#favorite === document.activeElement) this.#search.focus();
      this.#favorite.hidden = true;
      return;
    }
    this.#favorite.hidden = false;
    setText(this.#favorite, named.isFavorite ? l10n.t('Remove from Favorites') : l10n.t('Add to Favorites'));
    this.#favorite.setAttribute('aria-label', `${this.#favorite.textContent ?? ''}: ${named.name}`);
  }

  #take({ id }: ModelRow): void {
    const replyId = this.#replyId;
    this.#acts.post({ type: 'takeModel', row: id, ...(replyId !== undefined && { replyId }) });
    this.#close();
    this.#acts.chosen();
  }

  #keyDown(event: KeyboardEvent): void {
    if (isImeKey(event)) return;
    if (event.key === 'Escape') this.#leave();
    else if (event.key === 'Enter' && event.target === this.#search && this.#due !== undefined)
      this.#due.isEntered = true;
    else if (event.target !== this.#search || !this.#list.keyDown(event)) return;
    // An arrow has marked one of the rows for the typed text.
    else if (this.#due?.isDrawn === true) this.#due = undefined;
    event.preventDefault();
    // Escape would stop a reply.
    event.stopPropagation();
  }

  /** No higher than the space above the message box. */
  #fit(): void {
    const { bottom } = this.element.getBoundingClientRect();
    this.element.style.maxHeight = `${Math.max(leastHeight, bottom - EDGE)}px`;
  }

  /** Returns the focus to where it was. */
  #leave(): void {
    const from = this.#leftFrom;
    this.#close();
    if (from instanceof HTMLElement && from.isConnected && from !== document.body) from.focus();
    else this.#acts.chosen();
  }

  #close(): void {
    if (this.element.hidden) return;
    this.element.hidden = true;
    this.#list.show([]);
    this.#problem.show(undefined);
    this.#drawUnlisted([]);
    this.#acts.post({ type: 'closeModels' });
  }
}
