import * as l10n from '@vscode/l10n';
import type {
  CheckCellView,
  CheckColumnView,
  CheckFileView,
  CheckRowView,
  ChecksToHost,
  ChecksView,
} from '../../shared/checks.ts';
import { amountText } from '../../words/amount.ts';
import { durationText } from '../../words/duration.ts';
import { element, icon, textButton } from '../kit/element.ts';
import { modelLabel } from '../../words/modelLabel.ts';

const icons: Readonly<Record<CheckCellView['state'], string>> = {
  passed: 'pass',
  flaky: 'warning',
  failed: 'error',
  undecided: 'question',
  running: 'loading',
  none: '',
};

/** A grid with a single tab stop: arrow keys move in it, Enter opens the details of a cell. */
export class ChecksGrid {
  readonly #post: (message: ChecksToHost) => void;
  readonly #onLeave: () => void;
  /** Row and column of the current cell. */
  #selected = { row: 0, column: 0 };
  #cells: HTMLElement[][] = [];
  #opened: string | undefined;

  constructor(deps: { readonly post: (message: ChecksToHost) => void; readonly onLeave: () => void }) {
    this.#post = deps.post;
    this.#onLeave = deps.onLeave;
  }

  draw(view: ChecksView): HTMLElement {
    const { columns, files } = view;
    const isBest = (at: number) => at === 0 && columns[0]?.passesAll === true && view.order !== 'name';
    const slowest = Math.max(0, ...columns.map(({ totalMs = 0 }) => totalMs));
    const head = element('thead', {}, this.#head(columns, isBest, slowest));
    this.#cells = [];
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
    this.#mark();
    return element('div', { class: 'scroller' }, table);
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

  #head(columns: readonly CheckColumnView[], isBest: (at: number) => boolean, slowest: number): HTMLElement {
    const labels = element(
      'th',
      { scope: 'col', class: 'labels' },
      ...['', l10n.t('Passed'), l10n.t('Price per 1,000'), l10n.t('Median total')].map((text) =>
        element('div', {}, text),
      ),
    );
    const heads = columns.map((column, at) => {
      const { key, model, passed, counted, passesAll, costPerThousand, totalMs, firstMs = 0 } = column;
      const share = counted === 0 ? '–' : l10n.t('{0} of {1}', passed, counted);
      const waiting = element('i', { class: 'waiting' });
      const writing = element('i', { class: 'writing' });
      waiting.style.width = percent(slowest === 0 ? 0 : Math.min(firstMs, totalMs ?? 0) / slowest);
      writing.style.width = percent(slowest === 0 ? 0 : Math.max(0, (totalMs ?? 0) - firstMs) / slowest);
      const bar = element('span', { class: 'time-bar', 'aria-hidden': 'true' }, waiting, writing);
      const time = element('span', {}, totalMs === undefined ? '–' : durationText(totalMs / 1000));
      const use = textButton(isBest(at) ? 'primary' : 'link', l10n.t('Use This Model'), () =>
        this.#post({ type: 'useModel', key }),
      );
      use.setAttribute('aria-label', l10n.t('Use This Model: {0}', modelLabel(model)));
      const head = element(
        'th',
        { scope: 'col', class: isBest(at) ? 'best' : '' },
        element('div', { class: 'model', title: modelLabel(model) }, modelLabel(model)),
        element('div', { class: passesAll ? 'strong' : '' }, share),
        element('div', {}, costPerThousand === undefined ? '–' : amountText(costPerThousand)),
        element('div', { class: 'time' }, time, bar),
        use,
      );
      return head;
    });
    return element('tr', {}, labels, ...heads);
  }

  #row(
    file: CheckFileView,
    row: CheckRowView,
    columns: readonly CheckColumnView[],
    isBest: (at: number) => boolean,
  ): HTMLElement {
    const number = this.#cells.length;
    const cells = columns.map((column, at) => {
      const cell = row.cells[at] ?? { state: 'none', passed: 0, counted: 0 };
      const words = cellWords(cell);
      const name = `${row.name}, ${modelLabel(column.model)}: ${words === '' ? l10n.t('Not run yet') : spoken(cell)}`;
      const made = element(
        'td',
        {
          role: 'gridcell',
          tabindex: '-1',
          class: isBest(at) ? 'best' : '',
          'data-state': cell.state,
          'data-cell': '',
        },
        element('span', { class: 'visually-hidden' }, name),
        element(
          'span',
          { class: 'shown', 'aria-hidden': 'true' },
          ...(icons[cell.state] === '' ? [] : [icon(icons[cell.state])]),
          cell.counted > 0 || cell.state === 'running' ? `${cell.passed}/${cell.counted}` : '',
          element('span', { class: 'dim' }, stateWord(cell)),
        ),
      );
      made.addEventListener('click', () =>
        this.#open(number, at, { uri: file.uri, caseId: row.id, key: column.key }, cell),
      );
      return made;
    });
    this.#cells.push(cells);
    const note =
      row.notRun === undefined ? [] : [element('span', { class: 'dim', title: row.notRun }, ` · ${l10n.t('not run')}`)];
    return element('tr', {}, element('th', { scope: 'row' }, row.name, ...note), ...cells);
  }

  #open(
    row: number,
    column: number,
    cell: { uri: string; caseId: string; key: string },
    { state }: CheckCellView,
  ): void {
    this.#selected = { row, column };
    this.#mark();
    if (state === 'none' || state === 'running') return;
    this.#opened = JSON.stringify(cell);
    this.#post({ type: 'open', ...cell });
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
    const rows = this.#cells.length;
    if (this.#selected.row >= rows) this.#selected = { row: 0, column: 0 };
    for (const [at, row] of this.#cells.entries()) {
      for (const [column, cell] of row.entries()) {
        const isSelected = at === this.#selected.row && column === this.#selected.column;
        cell.tabIndex = isSelected ? 0 : -1;
        cell.setAttribute('aria-selected', String(isSelected));
      }
    }
  }
}

function cellWords(cell: CheckCellView): string {
  return cell.state === 'none' ? '' : `${cell.passed}/${cell.counted} ${stateWord(cell)}`;
}

/** Never by color alone. A pass has an icon and its figure. */
function stateWord({ state }: CheckCellView): string {
  switch (state) {
    case 'flaky':
      return l10n.t('flaky');
    case 'failed':
      return l10n.t('failed');
    case 'undecided':
      return l10n.t("couldn't run");
    case 'running':
      return l10n.t('running');
    case 'passed':
    case 'none':
      return '';
  }
}

function spoken(cell: CheckCellView): string {
  const share = l10n.t('{0} of {1} passed', cell.passed, cell.counted);
  const word = stateWord(cell);
  return word === '' ? share : `${word}, ${share}`;
}

function percent(share: number): string {
  return `${(Math.min(1, share) * 100).toFixed(2)}%`;
}
