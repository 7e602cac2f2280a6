import * as l10n from '@vscode/l10n';
import type { Tokens } from 'marked';
import type { DrawingContext, DrawnBlock } from './drawnBlock.ts';
import { withText } from './inlineDrawer.ts';
import { InlineRun } from './inlineRun.ts';
import { cellText } from './tableText.ts';
import type { VisibleToken } from './visibleToken.ts';

/** One row: its cells, and the Markdown that they were drawn from. */
class TableRow {
  readonly element = document.createElement('tr');
  readonly #cells: { element: HTMLTableCellElement; run: InlineRun; src: string }[] = [];
  #texts = '';

  constructor(cells: readonly Tokens.TableCell[], context: DrawingContext) {
    this.patch(cells, context);
  }

  patch(cells: readonly Tokens.TableCell[], context: DrawingContext): void {
    const texts = cells.map((cell) => cell.text).join('\n');
    if (texts === this.#texts && this.#cells.length > 0) return;
    this.#texts = texts;
    const drawn = withoutPadding(cells);
    while (this.element.cells.length > drawn.length) this.element.deleteCell(-1);
    this.#cells.length = Math.min(this.#cells.length, drawn.length);
    drawn.forEach((cell, index) => {
      const element = this.#cells[index]?.element ?? this.#newCell(cell);
      const run = this.#cells[index]?.run ?? new InlineRun(element, context.inline);
      run.patch(cell.tokens);
      this.#cells[index] = { element, run, src: cell.text };
      element.colSpan = index === drawn.length - 1 ? cells.length - index : 1;
    });
  }

  texts(): string[] {
    return this.#cells.map(({ element }) => cellText(element));
  }

  eachRun(visit: (src: string, run: InlineRun) => void): void {
    for (const { src, run } of this.#cells) visit(src, run);
  }

  #newCell(cell: Tokens.TableCell): HTMLTableCellElement {
    const element = document.createElement(cell.header ? 'th' : 'td');
    if (cell.header) element.setAttribute('scope', 'col');
    if (cell.align !== null) element.className = `md-align-${cell.align}`;
    this.element.append(element);
    return element;
  }
}

/** marked pads short rows to the width of the header. They share one empty cell. */
function withoutPadding(cells: readonly Tokens.TableCell[]): readonly Tokens.TableCell[] {
  let count = cells.length;
  while (count > 1 && cells[count - 1]?.text === '') count -= 1;
  return cells.slice(0, Math.min(count + 1, cells.length));
}

/** A table, or one piece of a very long one, in a group that scrolls horizontally. Regions would each be a landmark. */
export class TableBlock implements DrawnBlock {
  readonly element: HTMLElement;
  readonly #context: DrawingContext;
  readonly #head: TableRow;
  readonly #body = document.createElement('tbody');
  readonly #rows: TableRow[] = [];
  readonly #shape: string;
  readonly #actions = document.createElement('div');
  /** The piece that this one continues. */
  readonly #before: TableBlock | undefined;
  #finalRows = 0;

  constructor(token: Tokens.Table, context: DrawingContext, before?: TableBlock) {
    this.#context = context;
    this.#before = before;
    this.#shape = shapeOf(token);
    this.#head = new TableRow(token.header, context);
    const table = document.createElement('table');
    const head = document.createElement('thead');
    head.append(this.#head.element);
    table.append(head, this.#body);
    const scroller = document.createElement('div');
    scroller.className = 'md-table';
    scroller.tabIndex = 0;
    scroller.setAttribute('role', 'group');
    scroller.setAttribute('aria-label', l10n.t('Table'));
    scroller.append(table);
    this.#actions.className = 'md-table-actions';
    this.#actions.append(
      drawAction('copyTable', l10n.t('Copy'), l10n.t('Copy table')),
      drawAction('copyCsv', l10n.t('Copy as CSV'), l10n.t('Copy as CSV')),
    );
    this.element = document.createElement('div');
    this.element.className = 'md-table-box';
    this.element.append(scroller, this.#actions);
    context.tables.set(this.element, this);
    this.patch(token);
  }

  get finalParts(): number {
    return this.#finalRows;
  }

  patch(token: VisibleToken): boolean {
    if (token.type !== 'table' || shapeOf(token) !== this.#shape) return false;
    const { rows } = token;
    rows.forEach((cells, index) => {
      const at = this.#finalRows + index;
      const old = this.#rows[at];
      if (old !== undefined) {
        old.patch(cells, this.#context);
        return;
      }
      const row = new TableRow(cells, this.#context);
      this.#rows[at] = row;
      this.#body.append(row.element);
    });
    for (const row of this.#rows.splice(this.#finalRows + rows.length)) row.element.remove();
    return true;
  }

  /** The first `count` rows of the last token are final. Returns them. */
  commitParts(count: number): TableRow[] {
    const rows = this.#rows.slice(this.#finalRows, this.#finalRows + count);
    if (this.#finalRows === 0 && count > 0) rows.push(this.#head);
    this.#finalRows += count;
    return rows;
  }

  /** A new table, with the same header, for the rows after this one's final ones. */
  next(token: Tokens.Table): TableBlock {
    for (const row of this.#rows.splice(this.#finalRows)) row.element.remove();
    // The last piece has the actions for all.
    this.#actions.remove();
    return new TableBlock(token, this.#context, this);
  }

  /** The texts of all cells of this piece and those before it, header first. */
  texts(): string[][] {
    const rows = this.#before === undefined ? [this.#head.texts()] : this.#before.texts();
    return [...rows, ...this.#rows.map((row) => row.texts())];
  }

  eachRun(visit: (src: string, run: InlineRun) => void): void {
    if (this.#finalRows === 0) this.#head.eachRun(visit);
    for (const row of this.#rows.slice(this.#finalRows)) row.eachRun(visit);
  }

  drop(): void {}
}

function drawAction(action: string, label: string, name: string): HTMLElement {
  const button = withText('button', 'md-table-button', label);
  button.type = 'button';
  button.dataset['action'] = action;
  button.setAttribute('aria-label', name);
  return button;
}

function shapeOf(table: Tokens.Table): string {
  return [...table.header.map((cell) => cell.text), ...table.align].join('\n');
}
