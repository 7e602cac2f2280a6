import * as l10n from '@vscode/l10n';
import type { CheckCellView, CheckColumnView, CheckFileView, CheckRowView, ChecksView } from '../../shared/checks.ts';
import type { ChecksToHost } from '../../shared/protocol/checksProtocol.ts';
import { costText } from '../../words/amount.ts';
import { numberText } from '../../words/numberText.ts';
import { measuredMsText } from '../../words/runFigures.ts';
import { element, icon, textButton } from '../kit/element.ts';
import { marked } from '../kit/metricsRow.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { cssShare } from '../kit/cssShare.ts';

const icons: Readonly<Record<CheckCellView['state'], string>> = {
  passed: 'pass',
  flaky: 'warning',
  failed: 'error',
  undecided: 'question',
  running: 'loading',
  none: 'circle-outline',
  unlisted: '',
};

/** Identifies a cell, wherever it's drawn. */
export interface CellId {
  readonly uri: string;
  readonly caseId: string;
  readonly key: string;
}

/** A grid with a single tab stop: arrow keys move in it, Enter opens the details of a cell. */
export class ChecksGrid {
  readonly element = element('div', { class: 'scroller' });
  readonly #post: (message: ChecksToHost) => void;
  readonly #onLeave: () => void;
  /** Row and column of the current cell. */
  #selected = { row: 0, column: 0 };
  #cells: HTMLElement[][] = [];
  /** In the same rows and columns. */
  #ids: CellId[][] = [];
  #views: CheckCellView[][] = [];
  /** The cell whose runs are shown. */
  #opened: CellId | undefined;

  constructor(deps: { readonly post: (message: ChecksToHost) => void; readonly onLeave: () => void }) {
    this.#post = deps.post;
    this.#onLeave = deps.onLeave;
    // A line below the names, once something is behind them.
    this.element.addEventListener('scroll', () =>
      this.element.toggleAttribute('data-scrolled', this.element.scrollTop > 0),
    );
  }

  draw(view: ChecksView): void {
    const { columns, files } = view;
    const isBest = (at: number) => at === 0 && columns[0]?.passesAll === true && view.order !== 'name';
    const slowest = Math.max(0, ...columns.map(({ totalMs = 0 }) => totalMs));
    const head = this.#head(columns, isBest, slowest);
    const selected = this.#ids[this.#selected.row]?.[this.#selected.column];
    this.#cells = [];
    this.#ids = [];
    this.#views = [];
    const body = element('tbody');
    for (const file of files) {
      body.append(
        element(
          'tr',
          { class: 'file' },
          element('th', { scope: 'colgroup', colspan: String(columns.length + 1) }, element('span', {}, file.name)),
        ),
        ...file.rows.map((row) => this.#row(file, row, columns, isBest)),
      );
    }
    const table = element('table', { role: 'grid', 'aria-label': l10n.t('Checks') }, head, body);
    table.addEventListener('keydown', (event) => this.#key(event));
    // Columns are sorted by results, so a model can be elsewhere now.
    if (selected !== undefined) this.#selected = this.#placeOf(selected) ?? this.#selected;
    this.#mark();
    // The element around it stays, and so does its scroll position.
    this.element.replaceChildren(table);
  }

  /** Scrolls to the current cell if it isn't in view, for example behind the panel that it opened. */
  reveal(): void {
    this.#cells[this.#selected.row]?.[this.#selected.column]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  /** The cell whose runs are shown, with its result now; without one if it's gone. */
  get opened(): { readonly id: CellId; readonly cell: CheckCellView | undefined } | undefined {
    const place = this.#opened && this.#placeOf(this.#opened);
    return this.#opened && { id: this.#opened, cell: place && this.#views[place.row]?.[place.column] };
  }

  /** Its runs are no longer shown. @param hadFocus whether the focus was there */
  closed(hadFocus: boolean): void {
    this.#opened = undefined;
    this.#mark();
    if (hadFocus) this.focusSelected();
  }

  focusSelected(): void {
    this.#cells[this.#selected.row]?.[this.#selected.column]?.focus();
  }

  /** Moves to the next or previous cell that didn't pass, wrapping around. */
  stepToFailure(step: 1 | -1): void {
    const all = this.#cells.flatMap((row, at) => row.map((cell, column) => ({ cell, row: at, column })));
    const start = all.findIndex(({ row, column }) => row === this.#selected.row && column === this.#selected.column);
    for (let away = 1; away <= all.length; away += 1) {
      const found = all[(start + step * away + all.length * away) % all.length];
      if (found === undefined || !/flaky|failed|undecided/.test(found.cell.dataset['state'] ?? '')) continue;
      this.#selected = { row: found.row, column: found.column };
      this.#mark();
      found.cell.click();
      return;
    }
  }

  /** The name of each model, and below it a row for each figure, beside its label. */
  #head(columns: readonly CheckColumnView[], isBest: (at: number) => boolean, slowest: number): HTMLElement {
    const row = (label: string, isShown: boolean, cells: readonly (readonly (Node | string)[])[]) => {
      const head = element('th', { scope: 'row', class: 'labels' }, isShown ? label : hidden(label));
      const all = cells.map((cell, at) =>
        element('td', { role: 'columnheader', class: isBest(at) ? 'best' : '' }, ...cell),
      );
      return element('tr', {}, head, ...all);
    };
    const names = columns.map(({ model }, at) =>
      element(
        'th',
        { scope: 'col', class: isBest(at) ? 'best' : '' },
        element('div', { class: 'model', title: modelLabel(model) }, ...breakable(modelLabel(model))),
      ),
    );
    return element(
      'thead',
      {},
      element(
        'tr',
        { class: 'models' },
        element('th', { scope: 'col', class: 'labels' }, hidden(l10n.t('Model'))),
        ...names,
      ),
      row(l10n.t('Passed'), true, columns.map(passedShare)),
      row(
        l10n.t('Price per 1,000'),
        true,
        columns.map((column) => [priceOf(column)]),
      ),
      row(
        l10n.t('Median total'),
        true,
        columns.map((column) => [timeOf(column, slowest)]),
      ),
      row(
        l10n.t('Use This Model'),
        false,
        // A model that isn't known to pass anything isn't offered.
        columns.map((column, at) => (column.counted === 0 ? [hidden('–')] : [this.#use(column, isBest(at))])),
      ),
    );
  }

  #use({ key, model }: CheckColumnView, isBest: boolean): HTMLElement {
    const use = textButton(isBest ? 'button' : 'link', l10n.t('Use This Model'), () =>
      this.#post({ type: 'useModel', key }),
    );
    use.setAttribute('aria-label', l10n.t('Use This Model: {0}', modelLabel(model)));
    return use;
  }

  #row(
    file: CheckFileView,
    row: CheckRowView,
    columns: readonly CheckColumnView[],
    isBest: (at: number) => boolean,
  ): HTMLElement {
    const ids = columns.map(({ key }): CellId => ({ uri: file.uri, caseId: row.id, key }));
    const views = columns.map((_, at): CheckCellView => row.cells[at] ?? { state: 'none', passed: 0, counted: 0 });
    const cells = columns.map((column, at) => {
      const cell = views[at] ?? { state: 'none', passed: 0, counted: 0 };
      const words = row.notRun !== undefined && cell.state === 'none' ? row.notRun : spoken(cell);
      const name = `${row.name}, ${modelLabel(column.model)}: ${words}`;
      const title = cell.state === 'none' || cell.state === 'unlisted' ? { title: words } : {};
      const made = element(
        'td',
        {
          role: 'gridcell',
          tabindex: '-1',
          class: isBest(at) ? 'best' : '',
          'data-state': cell.state,
          'data-cell': '',
          ...title,
        },
        element('span', { class: 'visually-hidden' }, name),
        element('span', { class: 'shown', 'aria-hidden': 'true' }, ...shownCell(cell, row.notRun !== undefined)),
      );
      const id = ids[at] ?? { uri: file.uri, caseId: row.id, key: column.key };
      made.addEventListener('click', () => this.#open(id, cell));
      return made;
    });
    this.#cells.push(cells);
    this.#ids.push(ids);
    this.#views.push(views);
    const note =
      row.notRun === undefined ? [] : [element('div', { class: 'dim reason', title: row.notRun }, row.notRun)];
    return element('tr', {}, element('th', { scope: 'row' }, row.name, ...note), ...cells);
  }

  #open(id: CellId, cell: CheckCellView): void {
    this.#selected = this.#placeOf(id) ?? this.#selected;
    if (hasRuns(cell)) this.#opened = id;
    this.#mark();
    if (hasRuns(cell)) this.#post({ type: 'open', ...id });
  }

  #placeOf(id: CellId): { readonly row: number; readonly column: number } | undefined {
    for (const [row, ids] of this.#ids.entries()) {
      const column = ids.findIndex((each) => isSameCell(each, id));
      if (column >= 0) return { row, column };
    }
    return undefined;
  }

  #key(event: KeyboardEvent): void {
    const { row, column } = this.#selected;
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, (this.#cells[row]?.length ?? 1) - 1],
    };
    if (!(event.target instanceof HTMLElement) || event.target.dataset['cell'] === undefined) return;
    const move = moves[event.key];
    const target = move && this.#cells[move[0]]?.[move[1]];
    if (move !== undefined && target !== undefined) {
      event.preventDefault();
      this.#selected = { row: move[0], column: move[1] };
      this.#mark();
      target.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      event.target.click();
    } else if (event.key === 'Escape' && this.#opened !== undefined) this.#onLeave();
    else if (event.key === 'F8' && event.altKey) this.stepToFailure(event.shiftKey ? -1 : 1);
  }

  /** The single tab stop. */
  #mark(): void {
    const { row: selectedRow, column: selectedColumn } = this.#selected;
    if (this.#cells[selectedRow]?.[selectedColumn] === undefined) this.#selected = { row: 0, column: 0 };
    const opened = this.#opened && this.#placeOf(this.#opened);
    for (const [at, row] of this.#cells.entries()) {
      for (const [column, cell] of row.entries()) {
        const isSelected = at === this.#selected.row && column === this.#selected.column;
        cell.tabIndex = isSelected ? 0 : -1;
        cell.setAttribute('aria-selected', String(isSelected));
        cell.toggleAttribute('data-opened', at === opened?.row && column === opened.column);
      }
    }
  }
}

export function isSameCell(one: CellId, other: CellId): boolean {
  return one.key === other.key && one.caseId === other.caseId && one.uri === other.uri;
}

/** Whether there are runs to show. */
export function hasRuns({ state }: CheckCellView): boolean {
  return state !== 'none' && state !== 'unlisted' && state !== 'running';
}

function shownCell(cell: CheckCellView, isFaulty: boolean): readonly (Node | string)[] {
  if (cell.state === 'unlisted') return ['–'];
  if (cell.state === 'none') return [icon(isFaulty ? 'circle-slash' : icons.none)];
  const share = cell.counted > 0 || cell.state === 'running' ? `${cell.passed}/${cell.counted}` : '';
  return [icon(icons[cell.state]), share, element('span', { class: 'dim' }, cellStateWord(cell))];
}

/** Never by color alone. A pass has an icon and its figure. */
function cellStateWord({ state, counted }: CheckCellView): string {
  switch (state) {
    case 'flaky':
      return l10n.t('flaky');
    case 'failed':
      return l10n.t('failed');
    case 'undecided':
      return counted === 0 ? l10n.t("couldn't run") : l10n.t('unfinished');
    case 'running':
      return l10n.t('running');
    case 'none':
      return l10n.t('Not run yet');
    case 'unlisted':
      return l10n.t("This case isn't sent to this model");
    case 'passed':
      return '';
  }
}

function spoken(cell: CheckCellView): string {
  const share = l10n.t('{0} of {1} passed', cell.passed, cell.counted);
  const word = cellStateWord(cell);
  if (cell.state === 'none' || cell.state === 'unlisted') return word;
  return word === '' ? share : `${word}, ${share}`;
}

function passedShare({ passed, counted, undecided, passesAll }: CheckColumnView): readonly (Node | string)[] {
  const share = element('span', { class: passesAll ? 'strong' : '' }, l10n.t('{0} of {1}', passed, counted));
  const unknown = element('div', { class: 'dim' }, l10n.t("{0} couldn't run", numberText(undecided)));
  if (undecided > 0) return counted === 0 ? [unknown] : [share, unknown];
  return counted === 0 ? ['–'] : [share];
}

function priceOf({ costPerThousand, isEstimate }: CheckColumnView): Node | string {
  return costPerThousand === undefined ? '–' : figure(costText(costPerThousand, { isEstimate }));
}

/** In figures, and as a bar: the wait for the first token, and the rest. */
function timeOf({ totalMs, firstMs = 0 }: CheckColumnView, slowest: number): HTMLElement {
  if (totalMs === undefined) return element('div', { class: 'time' }, '–');
  const waiting = element('i', { class: 'waiting' });
  const writing = element('i', { class: 'writing' });
  waiting.style.width = cssShare(slowest === 0 ? 0 : Math.min(firstMs, totalMs) / slowest);
  writing.style.width = cssShare(slowest === 0 ? 0 : Math.max(0, totalMs - firstMs) / slowest);
  const bar = element('span', { class: 'time-bar', 'aria-hidden': 'true' }, waiting, writing);
  return element('div', { class: 'time' }, figure(measuredMsText(totalMs)), bar);
}

function figure(text: string): HTMLElement {
  return element('span', marked(text), text);
}

/** A long name breaks where its parts end. */
function breakable(name: string): readonly (Node | string)[] {
  return name.split(/(?<=[/:_-])/).flatMap((part, at) => (at === 0 ? [part] : [element('wbr'), part]));
}

function hidden(text: string): HTMLElement {
  return element('span', { class: 'visually-hidden' }, text);
}
