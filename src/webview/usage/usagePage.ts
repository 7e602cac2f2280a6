import * as l10n from '@vscode/l10n';
import { withEstimateMark } from '../../shared/estimateMark.ts';
import type { UsageDay, UsageRange, UsageRow, UsageSum, UsageView } from '../../shared/usage.ts';
import { element } from '../kit/element.ts';
import { barPlot } from './barPlot.ts';
import { UsageFormat } from './usageFormat.ts';

type Measure = 'requests' | 'tokens' | 'cost';

/** What was used: today in figures, 30 days as a plot, and a table by model. Drawn anew with each message. */
export class UsagePage {
  readonly element = element('main', { class: 'usage' });
  readonly #format: UsageFormat;
  readonly #body = element('div', {});
  readonly #measure: HTMLSelectElement;
  readonly #range: HTMLSelectElement;
  #usage: UsageView | undefined;

  constructor(language: string | undefined) {
    this.#format = new UsageFormat(language);
    const redraw = () => this.#draw();
    this.#measure = choice(
      l10n.t('Show'),
      [
        ['requests', l10n.t('Requests')],
        ['tokens', l10n.t('Tokens')],
        ['cost', l10n.t('Cost')],
      ],
      redraw,
    );
    this.#range = choice(
      l10n.t('Time'),
      [
        ['today', l10n.t('Today')],
        ['week', l10n.t('Last 7 days')],
        ['month', l10n.t('Last 30 days')],
        ['all', l10n.t('All time')],
      ],
      redraw,
    );
    this.#range.value = 'month';
    this.element.append(element('h1', {}, l10n.t('Usage')), this.#body);
  }

  show(usage: UsageView): void {
    this.#usage = usage;
    this.#draw();
  }

  #draw(): void {
    const usage = this.#usage;
    if (usage === undefined) return;
    // A control that is taken out and put back loses the focus.
    const focused = document.activeElement;
    this.#body.replaceChildren(...(usage.ranges.all.length === 0 ? [emptyState()] : this.#parts(usage)));
    if (focused instanceof HTMLElement && this.#body.contains(focused)) focused.focus();
  }

  #parts(usage: UsageView): readonly Node[] {
    const measure = isMeasure(this.#measure.value) ? this.#measure.value : 'requests';
    const range = isRange(this.#range.value) ? this.#range.value : 'month';
    return [
      element('h2', {}, l10n.t('Today')),
      this.#figures(usage.today),
      ...(usage.budget === undefined ? [] : [this.#budget(usage.today, usage.budget)]),
      element('div', { class: 'head' }, element('h2', {}, l10n.t('Last 30 days')), this.#measure),
      this.#plot(usage.days, measure),
      element('div', { class: 'head' }, element('h2', {}, l10n.t('By model')), this.#range),
      this.#table(usage.ranges[range], l10n.t('Model')),
      element('p', { class: 'note' }, l10n.t('Based on the request history on this machine. Speeds are medians.')),
    ];
  }

  #figures(sum: UsageSum): HTMLElement {
    const { count, short, seconds, rate } = bound(this.#format);
    const figures: readonly (readonly [string, string])[] = [
      [count(sum.requests), l10n.t('requests')],
      [count(sum.failed), l10n.t('failed')],
      [l10n.t('{0} → {1}', short(sum.promptTokens), marked(sum, short(sum.completionTokens))), l10n.t('tokens')],
      [costOf(sum, this.#format), l10n.t('cost')],
      [seconds(sum.medianFirstToken), l10n.t('first token')],
      [rate(sum), l10n.t('speed')],
    ];
    const list = element('dl', { class: 'figures' });
    for (const [value, name] of figures) {
      list.append(element('div', {}, element('dt', {}, name), element('dd', {}, value)));
    }
    return list;
  }

  #budget(sum: UsageSum, budget: number): HTMLElement {
    const { cost } = sum;
    const text = l10n.t('{0} of the daily budget of {1}', markedCost(sum, this.#format), this.#format.cost(budget));
    const meter = element('meter', {
      min: '0',
      max: String(budget),
      value: String(Math.min(cost, budget)),
      'aria-label': text,
    });
    const over = cost > budget ? element('strong', {}, l10n.t('Over budget.')) : '';
    return element('p', { class: 'budget' }, meter, element('span', {}, text), over);
  }

  #plot(days: readonly UsageDay[], measure: Measure): HTMLElement {
    const write = (day: UsageDay): string => {
      switch (measure) {
        case 'requests':
          return day.requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', this.#format.count(day.requests));
        case 'tokens':
          return l10n.t('{0} tokens', marked(day, this.#format.count(tokensOf(day))));
        case 'cost':
          return l10n.t('cost {0}', markedCost(day, this.#format));
      }
    };
    const top = days.toSorted((a, b) => valueOf(b, measure) - valueOf(a, measure))[0];
    const bars = days.map((day) => ({
      value: valueOf(day, measure),
      hint: `${this.#format.day(day.day)}: ${write(day)}`,
    }));
    const name =
      top === undefined
        ? ''
        : l10n.t('A bar for each of the last 30 days. The highest is {0}: {1}.', this.#format.day(top.day), write(top));
    const first = this.#format.day(days[0]?.day ?? '');
    const plot = barPlot(bars, { name, first, last: l10n.t('Today'), top: top === undefined ? '' : write(top) });
    const used = days.filter(({ requests }) => requests > 0).toReversed();
    const rows = used.map((day) => ({ ...day, model: this.#format.day(day.day) }));
    const details = element('details', {}, element('summary', {}, l10n.t('Show as table')));
    details.append(this.#table(rows, l10n.t('Day')));
    details.open = this.#body.querySelector('details')?.open === true;
    return element('div', {}, plot, details);
  }

  #table(rows: readonly UsageRow[], firstColumn: string): HTMLElement {
    const { count, short, seconds, rate } = bound(this.#format);
    if (rows.length === 0) return element('p', { class: 'note' }, l10n.t('No requests in this time.'));
    const columns = [
      l10n.t('Requests'),
      l10n.t('Failed'),
      l10n.t('Tokens'),
      l10n.t('Cost'),
      l10n.t('First token'),
      l10n.t('Speed'),
    ];
    const heads = [firstColumn, ...columns].map((name) => element('th', { scope: 'col' }, name));
    const body = rows.map((row) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row', title: nameOf(row) }, nameOf(row)),
        ...[
          count(row.requests),
          count(row.failed),
          tokensOf(row) === 0
            ? '–'
            : l10n.t('{0} → {1}', short(row.promptTokens), marked(row, short(row.completionTokens))),
          costOf(row, this.#format),
          seconds(row.medianFirstToken),
          rate(row),
        ].map((text) => element('td', {}, text)),
      ),
    );
    const table = element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...heads)),
      element('tbody', {}, ...body),
    );
    return element('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': firstColumn }, table);
  }
}

function nameOf({ model }: UsageRow): string {
  return model === '' ? l10n.t('model lists') : model;
}

function bound(format: UsageFormat) {
  return {
    count: (value: number) => format.count(value),
    short: (value: number) => format.short(value),
    seconds: (value: number | undefined) => format.seconds(value),
    rate: ({ medianTokensPerSecond: value, isRateEstimated = false }: UsageSum) =>
      withEstimateMark(format.rate(value), isRateEstimated),
  };
}

/** With a plus where some of it has no price. */
function costOf(sum: UsageSum, format: UsageFormat): string {
  if (sum.cost === 0 && (sum.unpriced > 0 || tokensOf(sum) === 0)) return '–';
  const cost = markedCost(sum, format);
  return sum.unpriced > 0 ? l10n.t('at least {0}', cost) : cost;
}

/** Marked where tokens behind it were counted from the text. */
function markedCost({ cost, estimatedCosts = 0 }: UsageSum, format: UsageFormat): string {
  return withEstimateMark(format.cost(cost), estimatedCosts > 0);
}

/** Marked where some of it was counted from the text. */
function marked({ estimated = 0 }: UsageSum, text: string): string {
  return withEstimateMark(text, estimated > 0);
}

function tokensOf(sum: UsageSum): number {
  return sum.promptTokens + sum.completionTokens;
}

function valueOf(sum: UsageSum, measure: Measure): number {
  return measure === 'tokens' ? tokensOf(sum) : sum[measure];
}

function isMeasure(value: string): value is Measure {
  return value === 'requests' || value === 'tokens' || value === 'cost';
}

function isRange(value: string): value is UsageRange {
  return value === 'today' || value === 'week' || value === 'month' || value === 'all';
}

function choice(
  name: string,
  options: readonly (readonly [string, string])[],
  onChange: () => void,
): HTMLSelectElement {
  const select = element('select', { 'aria-label': name });
  for (const [value, label] of options) select.append(element('option', { value }, label));
  select.addEventListener('change', onChange);
  return select;
}

function emptyState(): HTMLElement {
  return element('p', { class: 'note' }, l10n.t('No requests yet. Usage appears here after your first request.'));
}
