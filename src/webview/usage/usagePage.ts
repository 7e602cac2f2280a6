import * as l10n from '@vscode/l10n';
import { refParts } from '../../shared/modelRef.ts';
import type { UsageDay, UsageOfService, UsageRange, UsageRow, UsageSum, UsageView } from '../../shared/usage.ts';
import { element } from '../kit/element.ts';
import { marked } from '../kit/metricsRow.ts';
import { barPlot } from './barPlot.ts';
import { amountText, namedCost } from '../../words/amount.ts';
import { marksExplained, withEstimateMark } from '../../words/figureMark.ts';
import { dayText } from '../../words/moment.ts';
import { numberText } from '../../words/numberText.ts';
import { modelLabel, withService } from '../../words/modelLabel.ts';
import { rateText, timeText } from '../../words/replySpeed.ts';
import { compactTokens } from '../../words/tokens.ts';
import { costOfSum, tokensOfSum } from '../../words/usageSum.ts';

type Measure = 'requests' | 'tokens' | 'cost';

/** Usage: today in figures, 30 days as a plot, and a table by model. Redrawn with each message. */
export class UsagePage {
  readonly element = element('main', { class: 'usage' });
  readonly #body = element('div', {});
  readonly #measure: HTMLSelectElement;
  readonly #range: HTMLSelectElement;
  #usage: UsageView | undefined;

  constructor() {
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
    // A control that is removed and added again loses the focus, and a new one in its place doesn't have it.
    const focused = document.activeElement;
    const place = focused !== null && this.#body.contains(focused) ? placeOf(focused) : undefined;
    this.#body.replaceChildren(...(usage.ranges.all.length === 0 ? [emptyState()] : this.#parts(usage)));
    if (place !== undefined)
      [...this.#body.querySelectorAll<HTMLElement>(stops)].find((each) => placeOf(each) === place)?.focus();
  }

  #parts(usage: UsageView): readonly Node[] {
    const measure = isMeasure(this.#measure.value) ? this.#measure.value : 'requests';
    const range = isRange(this.#range.value) ? this.#range.value : 'month';
    const parts = [
      element('h2', {}, l10n.t('Today')),
      this.#figures(usage.today),
      ...(usage.budget === undefined ? [] : [this.#budget(usage.today, usage.budget)]),
      ...(usage.serviceBudgets ?? []).map(({ name, today, budget }) => this.#budget(today, budget, name)),
      element('div', { class: 'head' }, element('h2', {}, l10n.t('Last 30 days')), this.#measure),
      this.#plot(usage.days, measure),
      ...(usage.services === undefined
        ? [element('div', { class: 'head' }, element('h2', {}, l10n.t('By model')), this.#range)]
        : [
            element('div', { class: 'head' }, element('h2', {}, l10n.t('By service')), this.#range),
            this.#table(
              usage.services[range].map((row) => (row.isBlind ? { ...row, name: blindName() } : row)),
              l10n.t('Service'),
            ),
            element('h2', {}, l10n.t('By model')),
          ]),
      this.#table(
        usage.ranges[range].map((row) => ({ ...row, name: rowName(row) })),
        l10n.t('Model'),
      ),
      element('p', { class: 'note' }, l10n.t('Based on the request history on this machine. Speeds are medians.')),
    ];
    const marks = marksExplained(...parts.map(({ textContent }) => textContent));
    return [...parts, ...marks.map((mark) => element('p', { class: 'note' }, mark))];
  }

  #figures(sum: UsageSum): HTMLElement {
    const figures: readonly (readonly [string, string])[] = [
      [numberText(sum.requests), l10n.t('requests')],
      [numberText(sum.failed), l10n.t('failed')],
      [tokensCell(sum), l10n.t('tokens')],
      [costCell(sum), l10n.t('cost')],
      [firstTokenCell(sum), l10n.t('time to first token')],
      [rateCell(sum), l10n.t('speed')],
    ];
    const list = element('dl', { class: 'figures' });
    for (const [value, name] of figures) {
      list.append(element('div', {}, element('dt', {}, name), element('dd', marked(value), value)));
    }
    return list;
  }

  /** @param service whose budget it is; empty where it's clear */
  #budget(sum: UsageSum, budget: number, service = ''): HTMLElement {
    const { cost } = sum;
    const text =
      service === ''
        ? l10n.t('{0} of the daily budget of {1}', costOfSum(sum), amountText(budget))
        : l10n.t('{0}: {1} of the daily budget of {2}', service, costOfSum(sum), amountText(budget));
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
          return day.requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', numberText(day.requests));
        case 'tokens':
          return tokensOfSum(day);
        case 'cost':
          return namedCost(costOfSum(day));
      }
    };
    const top = days.toSorted((a, b) => valueOf(b, measure) - valueOf(a, measure))[0];
    const bars = days.map((day) => ({
      value: valueOf(day, measure),
      hint: `${dayOf(day.day)}: ${write(day)}`,
    }));
    const name =
      top === undefined
        ? ''
        : l10n.t('A bar for each of the last 30 days. The highest is {0}: {1}.', dayOf(top.day), write(top));
    const first = days[0] === undefined ? '' : dayOf(days[0].day);
    const plot = barPlot(bars, { name, first, last: l10n.t('Today'), top: top === undefined ? '' : write(top) });
    const used = days.filter(({ requests }) => requests > 0).toReversed();
    const rows = used.map((day) => ({ ...day, name: dayOf(day.day) }));
    const details = element('details', {}, element('summary', {}, l10n.t('Show as table')));
    details.append(this.#table(rows, l10n.t('Day')));
    details.open = this.#body.querySelector('details')?.open === true;
    return element('div', {}, plot, details);
  }

  #table(rows: readonly UsageOfService[], firstColumn: string): HTMLElement {
    if (rows.length === 0) return element('p', { class: 'note' }, l10n.t('No requests in this period.'));
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
        element('th', { scope: 'row', title: row.name }, row.name),
        ...[
          numberText(row.requests),
          numberText(row.failed),
          tokensOf(row) === 0 ? '–' : tokensCell(row),
          costCell(row),
          firstTokenCell(row),
          rateCell(row),
        ].map((text) => element('td', marked(text), text)),
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

/** What the keyboard reaches. */
const stops = 'select, summary, [tabindex]';

function placeOf(stop: Element): string {
  return `${stop.tagName} ${stop.getAttribute('aria-label') ?? ''}`;
}

function rowName({ model, isBlind }: UsageRow): string {
  if (isBlind) return blindName();
  const { service, model: id } = refParts(model);
  return id === '' ? withService(l10n.t('model lists'), service) : modelLabel(model);
}

/** Until the vote, nothing may say which model was asked. */
function blindName(): string {
  return l10n.t('blind questions without a vote');
}

function tokensCell({ promptTokens, completionTokens, estimated = 0 }: UsageSum): string {
  const completion = withEstimateMark(compactTokens(completionTokens), estimated > 0);
  return l10n.t('{0} → {1}', compactTokens(promptTokens), completion);
}

function costCell(sum: UsageSum): string {
  return sum.cost === 0 && (sum.unpriced > 0 || tokensOf(sum) === 0) ? '–' : costOfSum(sum);
}

function firstTokenCell({ speed: { timeToFirstTokenSeconds: first } }: UsageSum): string {
  return first === undefined ? '–' : timeText(first);
}

function rateCell({ speed: { tokensPerSecond: rate } }: UsageSum): string {
  return rate === undefined ? '–' : rateText(rate);
}

/** @param day `2030-01-31` */
function dayOf(day: string): string {
  return dayText(Date.parse(`${day}T12:00:00`));
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
