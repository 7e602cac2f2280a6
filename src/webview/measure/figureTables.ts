import * as l10n from '@vscode/l10n';
import { type MeasuredGroup, type MeasuredResult, type SpreadName, spreadNames } from '../../shared/measuring.ts';
import { withEstimateMark } from '../../words/figureMark.ts';
import { figureWords, groupFigureText, spreadText } from '../../words/measuredWords.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { numberText, preciseNumberText } from '../../words/numberText.ts';
import { element, icon, textButton } from '../kit/element.ts';

/** Number of failed requests per model that can be opened from the page. */
const MOST_LINKS = 5;

/** @param hints tooltips of the column headers, in order */
export function plainTable(
  name: string,
  heads: readonly string[],
  rows: readonly (readonly (string | Node)[])[],
  hints: readonly (string | undefined)[] = [],
): HTMLElement {
  const head = heads.map((each, index) => element('th', { scope: 'col', title: hints[index] ?? false }, each));
  const body = rows.map(([first = '', ...cells]) =>
    element('tr', {}, element('th', { scope: 'row' }, first), ...cells.map((cell) => element('td', {}, cell))),
  );
  const table = element(
    'table',
    { 'aria-label': name },
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...body),
  );
  return element('div', { class: 'table-frame', tabindex: '0', role: 'region', 'aria-label': name }, table);
}

/** Every figure of each model at one level of concurrency, the service's own figures, and the failures. */
export function allFigures(
  result: MeasuredResult,
  groups: readonly MeasuredGroup[],
  openRequest: (attempt: string) => void,
): HTMLElement {
  return element('div', { class: 'all-body' }, ...groups.map((group) => figuresTable(result, group, openRequest)));
}

function figuresTable(
  result: MeasuredResult,
  group: MeasuredGroup,
  openRequest: (attempt: string) => void,
): HTMLElement {
  const id = modelLabel(result.models[group.model]?.id ?? '');
  const rows = spreadNames.flatMap((name) => spreadRow(group, name));
  const heads = [
    l10n.t('Figure'),
    l10n.t('Median'),
    l10n.t('p90'),
    l10n.t('p95'),
    l10n.t('p99'),
    l10n.t('Interquartile range'),
    l10n.t('Service'),
  ];
  const failed = group.dots.filter(({ failure }) => failure !== undefined);
  const links = failed.slice(0, MOST_LINKS).map(({ attempt, failure = '' }) =>
    element(
      'li',
      {},
      textButton('link', l10n.t('Open: {0}', failure), () => openRequest(attempt)),
    ),
  );
  return element(
    'section',
    { 'aria-label': id },
    element('h3', {}, id),
    plainTable(id, heads, rows),
    ...(group.service?.isOff === true ? [offNote()] : []),
    element('p', { class: 'note' }, totalsOf(group).join(' · ')),
    ...(links.length === 0 ? [] : [element('ul', { class: 'failures' }, ...links)]),
  );
}

function offNote(): HTMLElement {
  const text = l10n.t("The service's own figures differ from the measured ones by more than the network can explain.");
  return element('p', { class: 'note-row warning' }, icon('warning'), element('span', {}, text));
}

function spreadRow(group: MeasuredGroup, name: SpreadName): readonly (readonly (string | Node)[])[] {
  const spread = group.spreads[name];
  if (spread === undefined) return [];
  const { label, formula } = figureWords(name);
  const marked = (value: number) => groupFigureText(group, name, value);
  return [
    [
      element('span', { title: formula }, label),
      marked(spread.median),
      marked(spread.p90),
      marked(spread.p95),
      marked(spread.p99),
      marked(spread.iqr),
      serviceCell(group, name),
    ],
  ];
}

function serviceCell({ service }: MeasuredGroup, name: SpreadName): string {
  if (service === undefined || name === 'perTokenMs' || name === 'gapMs') return '–';
  const value = service[name];
  return value === undefined ? '–' : spreadText(name, value);
}

function totalsOf(group: MeasuredGroup): readonly string[] {
  const { overallTokensPerSecond, goodRequestsPerSecond, incomplete, stopped, failures } = group;
  return [
    l10n.t('{0} successful', numberText(group.done)),
    ...(incomplete === 0 ? [] : [l10n.t('{0} incomplete', numberText(incomplete))]),
    ...(stopped === 0 ? [] : [l10n.t('{0} stopped', numberText(stopped))]),
    ...failures.map(({ title, count }) => l10n.t('{0} failed: {1}', numberText(count), title)),
    ...(overallTokensPerSecond === undefined
      ? []
      : [
          l10n.t(
            '{0}: {1}',
            figureWords('overallTokensPerSecond').label,
            withEstimateMark(preciseNumberText(overallTokensPerSecond), group.isEstimate),
          ),
        ]),
    ...(goodRequestsPerSecond === undefined
      ? []
      : [l10n.t('{0} requests/s within the target', preciseNumberText(goodRequestsPerSecond))]),
  ];
}
