import * as l10n from '@vscode/l10n';
import type { DotName, MeasuredGroup, MeasuredResult } from '../../shared/measuring.ts';
import { costText } from '../../words/amount.ts';
import { figureWords, groupFigureText, isOfTokens } from '../../words/measuredWords.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { numberText, preciseNumberText } from '../../words/numberText.ts';
import { barSentence } from '../../words/race.ts';
import { element, icon } from '../kit/element.ts';
import { bestCell, type ComparedCell } from './bestCell.ts';
import { modelIcon } from './charts/modelIcon.ts';

interface Cell extends ComparedCell {
  readonly text: string;
  readonly isDim?: boolean;
  readonly isFailure?: boolean;
}

interface Column {
  readonly head: string;
  readonly sub?: string;
  readonly formula: string;
  /** Whether less is better; absent if there's no best. */
  readonly best?: 'least' | 'most';
  readonly bestWord?: string;
  readonly cell: (group: MeasuredGroup) => Cell;
}

/** The main figures of each model at one level of concurrency. Arrow keys move between its rows and the levels. */
export class SummaryTable {
  readonly element = element('div', { class: 'table-frame' });
  readonly #step: (by: number) => void;
  #row = 0;

  constructor(step: (by: number) => void) {
    this.#step = step;
  }

  show(result: MeasuredResult, groups: readonly MeasuredGroup[]): void {
    const hadFocus = this.element.contains(document.activeElement);
    const columns = columnsOf(result);
    const heads = [
      element('th', { scope: 'col' }, l10n.t('Model')),
      element('th', { scope: 'col', class: 'bar-head' }, l10n.t('Waiting, then writing')),
      ...columns.map(({ head, sub, formula }) =>
        element(
          'th',
          { scope: 'col', title: formula },
          element('span', { class: 'head' }, head),
          ...(sub === undefined ? [] : [element('span', { class: 'sub' }, sub)]),
        ),
      ),
    ];
    const slowest = Math.max(...groups.map(({ spreads }) => spreads.endToEndMs?.median ?? 0));
    const cells = groups.map((group) => columns.map((column) => column.cell(group)));
    const best = columns.map((column, index) =>
      column.best === undefined
        ? undefined
        : bestCell(
            cells.map((row) => row[index]),
            column.best,
          ),
    );
    this.#row = Math.min(this.#row, groups.length - 1);
    const rows = groups.map((group, at) => {
      const row = element(
        'tr',
        { tabindex: at === this.#row ? '0' : '-1' },
        element(
          'th',
          { scope: 'row' },
          element(
            'div',
            { class: 'model-cell' },
            modelIcon(group.model, result.models.length),
            element(
              'span',
              { class: 'chip-name', title: modelLabel(result.models[group.model]?.id ?? '') },
              modelLabel(result.models[group.model]?.id ?? ''),
            ),
          ),
        ),
        element('td', { class: 'bar-cell' }, waitingBar(group, slowest)),
        ...(cells[at] ?? []).map((cell, index) =>
          cellOf(cell, best[index] === at ? columns[index]?.bestWord : undefined),
        ),
      );
      row.addEventListener('focus', () => (this.#row = at));
      row.addEventListener('keydown', (event) => this.#walk(event, at));
      return row;
    });
    this.element.replaceChildren(
      element(
        'table',
        { class: 'summary', 'aria-label': l10n.t('Summary') },
        element('thead', {}, element('tr', {}, ...heads)),
        element('tbody', {}, ...rows),
      ),
    );
    if (hadFocus) this.#focus(this.#row);
  }

  #walk(event: KeyboardEvent, at: number): void {
    switch (event.key) {
      case 'ArrowDown':
        this.#focus(at + 1);
        break;
      case 'ArrowUp':
        this.#focus(at - 1);
        break;
      case 'ArrowLeft':
        this.#step(-1);
        break;
      case 'ArrowRight':
        this.#step(1);
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  #focus(at: number): void {
    const rows = this.element.querySelectorAll<HTMLElement>('tbody tr');
    const row = rows.item(at);
    if (row === null || at < 0) return;
    for (const each of rows) each.tabIndex = -1;
    row.tabIndex = 0;
    row.focus();
  }
}

function columnsOf(result: MeasuredResult): readonly Column[] {
  const rate = figureWords('tokensPerSecond');
  return [
    ...timeColumns('firstMs', l10n.t('Quickest to start')),
    {
      head: rate.label,
      sub: l10n.t('median'),
      formula: rate.formula,
      best: 'most',
      bestWord: l10n.t('Fastest writer'),
      cell: (group) => medianCell(group, 'tokensPerSecond'),
    },
    {
      head: rate.label,
      sub: l10n.t('slowest 5%'),
      formula: l10n.t('95% of the replies were written faster. {0}', rate.formula),
      cell: (group) => p95Cell(group, 'tokensPerSecond'),
    },
    ...timeColumns('endToEndMs', l10n.t('Fastest')),
    {
      head: figureWords('requestsPerSecond').label,
      formula: figureWords('requestsPerSecond').formula,
      cell: ({ requestsPerSecond: value }) => ({ text: value === undefined ? '–' : preciseNumberText(value) }),
    },
    ...(result.hasTarget
      ? [
          {
            head: figureWords('goodRequestsPerSecond').label,
            sub: l10n.t('requests/s'),
            formula: figureWords('goodRequestsPerSecond').formula,
            cell: ({ goodRequestsPerSecond: value }: MeasuredGroup): Cell => ({
              text: value === undefined ? '–' : preciseNumberText(value),
            }),
          },
        ]
      : []),
    {
      head: l10n.t('Failed'),
      sub: l10n.t('all loads'),
      formula: l10n.t('Failed requests, as a share of the requests at all loads'),
      cell: ({ model }) => failedCell(result, model),
    },
    {
      head: figureWords('costPer1000').label,
      formula: figureWords('costPer1000').formula,
      cell: ({ costPer1000: value, isEstimate }) => ({
        text: value === undefined ? '–' : costText(value, { isEstimate }),
      }),
    },
  ];
}

function timeColumns(name: 'firstMs' | 'endToEndMs', bestWord: string): readonly Column[] {
  return [
    {
      head: figureWords(name).label,
      sub: l10n.t('median'),
      formula: figureWords(name).formula,
      best: 'least',
      bestWord,
      cell: (group) => medianCell(group, name),
    },
    {
      head: figureWords(name).label,
      sub: l10n.t('p95'),
      formula: l10n.t('95% of the requests took less. {0}', figureWords(name).formula),
      cell: (group) => p95Cell(group, name),
    },
  ];
}

function medianCell(group: MeasuredGroup, name: DotName): Cell {
  const spread = group.spreads[name];
  return {
    text: spread === undefined ? '–' : groupFigureText(group, name, spread.median),
    value: spread?.median,
    spread,
    isEstimate: group.isEstimate && isOfTokens(name),
  };
}

function p95Cell(group: MeasuredGroup, name: DotName): Cell {
  const spread = group.spreads[name];
  return { text: spread === undefined ? '–' : groupFigureText(group, name, spread.p95), isDim: true };
}

function failedCell({ groups }: MeasuredResult, model: number): Cell {
  const own = groups.filter((group) => group.model === model);
  const failed = own.reduce((sum, group) => sum + group.failed, 0);
  const all = own.reduce((sum, group) => sum + group.failed + group.done + group.incomplete + group.stopped, 0);
  return failed === 0
    ? { text: numberText(0) }
    : { text: l10n.t('{0} of {1}', numberText(failed), numberText(all)), isFailure: true };
}

function cellOf({ text, isDim = false, isFailure = false }: Cell, bestWord: string | undefined): HTMLElement {
  if (isFailure) return element('td', { class: 'failed' }, icon('error'), text);
  if (bestWord === undefined) return element('td', { class: isDim && 'dim' }, text);
  return element(
    'td',
    { class: 'best', title: bestWord },
    icon('check'),
    element('strong', {}, text),
    element('span', { class: 'visually-hidden' }, `, ${bestWord}`),
  );
}

/** One scale for all bars in view. */
function waitingBar({ spreads: { firstMs, endToEndMs } }: MeasuredGroup, slowest: number): HTMLElement {
  if (endToEndMs === undefined || slowest <= 0) return element('div', {});
  const first = Math.min(firstMs?.median ?? 0, endToEndMs.median);
  const label = barSentence(first / 1000, endToEndMs.median / 1000);
  const waiting = element('div', { class: 'speed-waiting' });
  waiting.style.width = `${(first / endToEndMs.median) * 100}%`;
  const bar = element(
    'div',
    { class: 'speed-bar', role: 'img', 'aria-label': label, title: label },
    waiting,
    element('div', { class: 'speed-writing' }),
  );
  bar.style.width = `${(endToEndMs.median / slowest) * 100}%`;
  return bar;
}
