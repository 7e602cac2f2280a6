import * as l10n from '@vscode/l10n';
import {
  type DotName,
  dotNames,
  type MeasuredComparison,
  type MeasuredGroup,
  type MeasuredResult,
} from '../../shared/measuring.ts';
import type { FormerRun, ToMeasureHost } from '../../shared/protocol/measureProtocol.ts';
import { dotWords, figureWords, groupFigureText, verdictText } from '../../words/measuredWords.ts';
import { modelLabel } from '../../words/modelLabel.ts';
import { dayText, recentText } from '../../words/moment.ts';
import { numberText, preciseNumberText } from '../../words/numberText.ts';
import { element, icon, setText } from '../kit/element.ts';
import { hostNow } from '../kit/host/hostClock.ts';
import { ChartFrame } from './charts/chartFrame.ts';
import { loadChart, type LoadChartName } from './charts/loadChart.ts';
import { modelIcon } from './charts/modelIcon.ts';
import { spreadChart } from './charts/spreadChart.ts';
import { allFigures, plainTable } from './figureTables.ts';
import { SummaryTable } from './summaryTable.ts';

const loadCharts = ['firstMs', 'tokensPerSecond', 'requestsPerSecond'] as const satisfies readonly LoadChartName[];
const fileNames: Readonly<Record<LoadChartName, string>> = {
  firstMs: 'first-token',
  tokensPerSecond: 'writing-speed',
  endToEndMs: 'total-time',
  requestsPerSecond: 'throughput',
};

/**
 * The results of a run: a table for one level of concurrency, charts over all levels, and the spread of the figures
 * next to an earlier run.
 */
export class ResultSections {
  readonly element = element('div', { class: 'results', hidden: true });
  readonly #post: (message: ToMeasureHost) => void;
  readonly #loads = element('div', { class: 'loads', role: 'radiogroup', 'aria-label': l10n.t('Requests at once') });
  readonly #table: SummaryTable;
  readonly #all = element('details', { class: 'all-figures' });
  readonly #allBody = element('div', {});
  readonly #legend = element('ul', { class: 'legend' });
  readonly #charts = new Map<LoadChartName, ChartFrame>();
  readonly #spread: ChartFrame;
  readonly #former: HTMLSelectElement;
  readonly #figure: HTMLSelectElement;
  readonly #notComparable = element('p', { class: 'note-row info', role: 'status' });
  readonly #key = element('p', { class: 'note' });
  #result: MeasuredResult | undefined;
  #comparison: MeasuredComparison | undefined;
  #load = 1;

  constructor(post: (message: ToMeasureHost) => void) {
    this.#post = post;
    const step = (by: number) => this.#stepLoad(by);
    this.#table = new SummaryTable(step);
    this.#all.append(element('summary', {}, l10n.t('All Figures')), this.#allBody);
    for (const name of loadCharts) this.#charts.set(name, new ChartFrame(fileNames[name], post, step));
    this.#spread = new ChartFrame('spread', post, step);
    this.#former = element('select', { 'aria-label': l10n.t('Compared with') });
    this.#former.addEventListener('change', () => post({ type: 'compareWith', id: this.#former.value }));
    this.#figure = element('select', { 'aria-label': l10n.t('Figure') });
    for (const name of dotNames) this.#figure.append(element('option', { value: name }, dotWords(name).title));
    this.#figure.addEventListener('change', () => this.#draw());
    this.element.append(
      section(
        l10n.t('Summary'),
        [element('span', { class: 'dim' }, l10n.t('Requests at once')), this.#loads],
        [this.#table.element, this.#all],
      ),
      section(
        l10n.t('By load'),
        [this.#legend],
        [element('p', { class: 'note' }, l10n.t('Every request is a dot; the tick is the median.')), this.#chartRow()],
      ),
      section(
        l10n.t('Distribution'),
        [this.#figure, element('span', { class: 'dim' }, l10n.t('Compared with')), this.#former],
        [this.#notComparable, this.#key, this.#spread.element],
      ),
    );
  }

  show(
    result: MeasuredResult | undefined,
    comparison: MeasuredComparison | undefined,
    runs: readonly FormerRun[],
  ): void {
    const isOther = result?.id !== this.#result?.id;
    this.#result = result;
    this.#comparison = comparison;
    this.element.hidden = result === undefined || result.groups.length === 0;
    if (result === undefined) return;
    const measured = result.loads.filter((load) => result.groups.some((group) => group.load === load));
    if (isOther || !measured.includes(this.#load)) this.#load = measured[0] ?? 1;
    this.#drawLoads(measured);
    this.#drawFormers(result, runs);
    this.#draw();
  }

  #chartRow(): HTMLElement {
    return element('div', { class: 'charts' }, ...[...this.#charts.values()].map((frame) => frame.element));
  }

  #stepLoad(by: number): void {
    const result = this.#result;
    if (result === undefined) return;
    const measured = result.loads.filter((load) => result.groups.some((group) => group.load === load));
    const next = measured[measured.indexOf(this.#load) + by];
    if (next === undefined) return;
    this.#load = next;
    this.#drawLoads(measured);
    this.#draw();
  }

  #drawLoads(measured: readonly number[]): void {
    const hadFocus = this.#loads.contains(document.activeElement);
    const buttons = measured.map((load) => {
      const isChosen = load === this.#load;
      const button = element(
        'button',
        {
          type: 'button',
          role: 'radio',
          class: 'load',
          'aria-checked': String(isChosen),
          tabindex: isChosen ? '0' : '-1',
        },
        numberText(load),
      );
      button.addEventListener('click', () => {
        this.#load = load;
        this.#drawLoads(measured);
        this.#draw();
      });
      button.addEventListener('keydown', (event) => {
        const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        this.#stepLoad(by);
      });
      return button;
    });
    this.#loads.replaceChildren(...buttons);
    if (hadFocus) this.#loads.querySelector<HTMLElement>('[aria-checked=true]')?.focus();
  }

  #drawFormers({ id }: MeasuredResult, runs: readonly FormerRun[]): void {
    const options = runs
      .filter((run) => run.id !== id)
      .map((run) => element('option', { value: run.id }, recentText(run.at, hostNow())));
    this.#former.replaceChildren(element('option', { value: '' }, l10n.t('None')), ...options);
    this.#former.value = this.#comparison?.former.id ?? '';
  }

  #draw(): void {
    const result = this.#result;
    if (result === undefined || result.groups.length === 0) return;
    const groups = result.groups.filter(({ load }) => load === this.#load);
    this.#table.show(result, groups);
    this.#allBody.replaceChildren(
      allFigures(result, groups, (attempt) => this.#post({ type: 'openRequest', attempt })),
    );
    const names = result.models.map(({ id }, index) =>
      element(
        'li',
        {},
        modelIcon(index, result.models.length),
        element('span', { class: 'chip-name' }, modelLabel(id)),
      ),
    );
    this.#legend.replaceChildren(...names);
    for (const [name, frame] of this.#charts) {
      const { title, unit } = chartWords(name);
      frame.show([element('strong', {}, title), ' ', element('span', { class: 'dim' }, unit)], {
        label: `${title}. ${sentences(result, groups, name).join(' ')}`,
        draw: (width) => loadChart(result, name, width, this.#load),
        table: () => chartTable(result, name),
      });
    }
    this.#drawSpread(result);
  }

  #drawSpread(result: MeasuredResult): void {
    const comparison = this.#comparison;
    const reason = comparison?.notComparable;
    this.#notComparable.hidden = reason === undefined;
    this.#notComparable.replaceChildren(icon('info'), element('span', {}, reason ?? ''));
    const comparable = reason === undefined ? comparison : undefined;
    setText(this.#key, keyText(comparable));
    const name = dotNames.find((each) => each === this.#figure.value) ?? 'firstMs';
    const groups = result.groups.filter(({ load }) => load === this.#load);
    const { title } = dotWords(name);
    const said = groups.map((group) => spreadSentence(result, group, name, comparable));
    frameTitle(this.#spread, title, this.#load, {
      label: `${title}. ${said.join(' ')}`,
      draw: (width) => spreadChart(result, comparable, name, this.#load, width),
      table: () => spreadTable(result, groups, name, comparable),
    });
  }
}

function frameTitle(frame: ChartFrame, title: string, load: number, content: Parameters<ChartFrame['show']>[1]): void {
  const at = element('span', { class: 'dim' }, l10n.t('{0} at once', numberText(load)));
  frame.show([element('strong', {}, title), ' ', at], content);
}

function section(title: string, tools: readonly HTMLElement[], body: readonly HTMLElement[]): HTMLElement {
  return element(
    'section',
    { 'aria-label': title },
    element('div', { class: 'section-head' }, element('h2', {}, title), element('div', { class: 'tools' }, ...tools)),
    ...body,
  );
}

function chartWords(name: LoadChartName): { readonly title: string; readonly unit: string } {
  return name === 'requestsPerSecond'
    ? { title: l10n.t('Throughput'), unit: l10n.t('requests per second') }
    : dotWords(name);
}

function valueText(group: MeasuredGroup, name: LoadChartName): string {
  if (name === 'requestsPerSecond') {
    return group.requestsPerSecond === undefined ? '–' : preciseNumberText(group.requestsPerSecond);
  }
  const median = group.spreads[name]?.median;
  return median === undefined ? '–' : groupFigureText(group, name, median);
}

function sentences(result: MeasuredResult, groups: readonly MeasuredGroup[], name: LoadChartName): readonly string[] {
  return groups.map((group) =>
    l10n.t(
      '{0}, {1} at once: {2}.',
      modelLabel(result.models[group.model]?.id ?? ''),
      numberText(group.load),
      valueText(group, name),
    ),
  );
}

function chartTable(result: MeasuredResult, name: LoadChartName): HTMLElement {
  const heads = [l10n.t('Model'), ...result.loads.map((load) => l10n.t('{0} at once', numberText(load)))];
  const rows = result.models.map(({ id }, model) => [
    modelLabel(id),
    ...result.loads.map((load) => {
      const group = result.groups.find((each) => each.model === model && each.load === load);
      return group === undefined ? '–' : valueText(group, name);
    }),
  ]);
  const formula = name === 'requestsPerSecond' ? figureWords(name).formula : figureWords(name).formula;
  return plainTable(chartWords(name).title, heads, rows, [undefined, ...result.loads.map(() => formula)]);
}

function spreadTable(
  result: MeasuredResult,
  groups: readonly MeasuredGroup[],
  name: DotName,
  comparison: MeasuredComparison | undefined,
): HTMLElement {
  const heads = [
    l10n.t('Model'),
    l10n.t('Requests'),
    l10n.t('Median'),
    l10n.t('95% interval'),
    ...(comparison === undefined ? [] : [l10n.t('Former median'), l10n.t('Change')]),
  ];
  const rows = groups.map((group) => {
    const spread = group.spreads[name];
    const compared = comparedWith(comparison, group);
    const former =
      compared && comparison?.former.groups.find((each) => each.model === compared.former && each.load === group.load);
    const verdict = compared?.verdicts[name];
    const interval = spread?.interval;
    return [
      modelLabel(result.models[group.model]?.id ?? ''),
      numberText(spread?.count ?? 0),
      valueText(group, name),
      interval === undefined
        ? '–'
        : l10n.t('{0} to {1}', groupFigureText(group, name, interval.low), groupFigureText(group, name, interval.high)),
      ...(comparison === undefined
        ? []
        : [former === undefined ? '–' : valueText(former, name), verdict === undefined ? '–' : verdictText(verdict)]),
    ];
  });
  return plainTable(dotWords(name).title, heads, rows);
}

function spreadSentence(
  result: MeasuredResult,
  group: MeasuredGroup,
  name: DotName,
  comparison: MeasuredComparison | undefined,
): string {
  const verdict = comparedWith(comparison, group)?.verdicts[name];
  const id = modelLabel(result.models[group.model]?.id ?? '');
  const load = numberText(group.load);
  const median = valueText(group, name);
  if (verdict === undefined || comparison === undefined) return l10n.t('{0}, {1} at once: {2}.', id, load, median);
  return l10n.t(
    '{0}, {1} at once: {2}. {3} since {4}.',
    id,
    load,
    median,
    verdictText(verdict),
    dayText(comparison.former.at),
  );
}

function comparedWith(comparison: MeasuredComparison | undefined, group: MeasuredGroup) {
  return comparison?.models.find(({ model, load }) => model === group.model && load === group.load);
}

function keyText(comparison: MeasuredComparison | undefined): string {
  const shaded = l10n.t('Shaded: 95% interval of the median.');
  if (comparison === undefined) return shaded;
  const day = recentText(comparison.former.at, hostNow());
  return `${l10n.t('Hollow: {0}. Filled: this run.', day)} ${shaded}`;
}
