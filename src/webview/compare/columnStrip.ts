import * as l10n from '@vscode/l10n';
import type { CompareColumnView, CompareReplyView, CompareTurnView } from '../../shared/protocol/compareProtocol.ts';
import { element, textButton } from '../kit/element.ts';
import type { ColumnSurroundings } from './columnReply.ts';
import { ColumnView } from './columnView.ts';

/** The columns beside each other; on a narrow page one at a time, with tabs above. */
export class ColumnStrip {
  readonly element = element('div', { class: 'compare-columns' });
  readonly tabs = element('div', { class: 'compare-tabs', role: 'tablist', 'aria-label': l10n.t('Models') });
  readonly #around: ColumnSurroundings;
  #views: readonly ColumnView[] = [];
  #shown = '';

  constructor(around: ColumnSurroundings) {
    this.#around = around;
  }

  get views(): readonly ColumnView[] {
    return this.#views;
  }

  view(columnId: string): ColumnView | undefined {
    return this.#views.find(({ id }) => id === columnId);
  }

  show(
    columns: readonly CompareColumnView[],
    turns: readonly CompareTurnView[],
    replies: readonly CompareReplyView[],
    isBlind: boolean,
  ): void {
    for (const view of this.#views) if (!columns.some(({ id }) => id === view.id)) view.dispose();
    this.#views = columns.map((column) => this.#columnView(column));
    const elements = this.#views.map((view) => view.element);
    const isSame = elements.every((each, index) => this.element.children[index] === each);
    if (!isSame || elements.length !== this.element.childElementCount) this.element.replaceChildren(...elements);
    for (const view of this.#views) {
      view.showReplies(turns, replies);
      view.setBlind(isBlind);
    }
    this.element.style.setProperty('--columns', String(Math.max(1, columns.length)));
    this.#drawTabs();
  }

  /** Shows new prices and speeds in the same columns. */
  update(columns: readonly CompareColumnView[]): void {
    for (const column of columns) this.view(column.id)?.showColumn(column);
  }

  /** Where the focus moves from one column to the next. */
  get stops(): readonly ColumnView[] {
    return this.#views.filter(({ element: each }) => each.checkVisibility());
  }

  /** Arrow keys in the tabs. @returns whether the key was one of ours */
  moveTab(key: string): boolean {
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return false;
    const at = this.#views.findIndex(({ id }) => id === this.#shown);
    const next = this.#views.at((at + step) % this.#views.length);
    if (next === undefined) return false;
    this.#showOnly(next.id);
    const tab = this.tabs.children[this.#views.indexOf(next)];
    if (tab instanceof HTMLElement) tab.focus();
    return true;
  }

  #columnView(column: CompareColumnView): ColumnView {
    const known = this.view(column.id);
    known?.showColumn(column);
    return known ?? new ColumnView(column, this.#around);
  }

  #drawTabs(): void {
    if (this.view(this.#shown) === undefined) this.#shown = this.#views[0]?.id ?? '';
    this.tabs.replaceChildren(
      ...this.#views.map((view) => {
        const tab = textButton('compare-tab', view.shortLabel, () => this.#showOnly(view.id));
        tab.setAttribute('role', 'tab');
        tab.title = view.label;
        return tab;
      }),
    );
    this.#markShown();
  }

  #showOnly(id: string): void {
    this.#shown = id;
    this.#markShown();
  }

  #markShown(): void {
    this.#views.forEach(({ id, element: column }, index) => {
      const isShown = id === this.#shown;
      column.classList.toggle('shown', isShown);
      const tab = this.tabs.children[index];
      tab?.setAttribute('aria-selected', String(isShown));
      tab?.setAttribute('tabindex', isShown ? '0' : '-1');
    });
  }
}
