import * as l10n from '@vscode/l10n';
import { type CompareOrder, tokensPerMark } from '../../../shared/protocol/compareProtocol.ts';
import { wholeDurationText } from '../../../words/duration.ts';
import { marksExplained } from '../../../words/figureMark.ts';
import { barSentence, orderSentence, slowerText } from '../../../words/race.ts';
import { rateText, speedLines, timeText } from '../../../words/replySpeed.ts';
import { tokensText } from '../../../words/tokens.ts';
import { element, icon, setText } from '../../kit/element.ts';
import type { RunnerView } from './raceRunner.ts';
import { notchEvery, raceScale } from './raceScale.ts';
import { type Standing, standings } from '../standings.ts';
import { cssShare } from '../../kit/cssShare.ts';

interface Row {
  readonly name: HTMLElement;
  readonly track: HTMLElement;
  readonly waiting: HTMLElement;
  readonly writing: HTMLElement;
  readonly cap: HTMLElement;
  readonly total: HTMLElement;
  readonly rate: HTMLElement;
  readonly verdict: HTMLElement;
  readonly element: HTMLElement;
}

/**
 * The replies to one question as bars on one scale: waiting, then writing, with a notch for every few hundred tokens.
 */
export class RaceView {
  readonly element: HTMLElement;
  readonly #grid = element('div', { class: 'race-grid' });
  readonly #legendNotch = element('span');
  readonly #order = element('p', { class: 'race-order', hidden: true });
  readonly #axis = element('div', { class: 'race-axis', 'aria-hidden': 'true' });
  readonly #rows = new Map<string, Row>();
  #end = 0;

  constructor() {
    const legend = element(
      'div',
      { class: 'race-legend', 'aria-hidden': 'true' },
      element('span', { class: 'race-key of-waiting' }),
      l10n.t('waiting'),
      element('span', { class: 'race-key of-writing' }),
      l10n.t('writing'),
      element('span', { class: 'race-key of-notch' }),
      this.#legendNotch,
    );
    const foot = element('div', { class: 'race-foot' }, legend, this.#axis);
    this.element = element('section', { class: 'race', 'aria-label': l10n.t('Speed') }, this.#grid, foot, this.#order);
  }

  showOrder(order: CompareOrder | undefined): void {
    this.#order.hidden = order === undefined;
    if (order !== undefined) setText(this.#order, orderSentence(order));
  }

  /** @param nameOf the model of a column, or its placeholder */
  show(runners: readonly RunnerView[], nameOf: (columnId: string) => string): ReadonlyMap<string, Standing> {
    this.#keepRows(runners);
    const longest = Math.max(0, ...runners.map(({ totalSeconds }) => totalSeconds));
    const isRunning = runners.some(({ state }) => state === 'waiting' || state === 'writing');
    // Some space before bars that are still growing.
    const scale = raceScale(isRunning ? longest + 0.25 : longest);
    if (scale.end !== this.#end) this.#drawAxis(scale.end, scale.ticks);
    const width = this.#rows.values().next().value?.track.clientWidth ?? 0;
    const every = notchEvery(
      runners.map(({ marks }) => marks),
      width / scale.end,
    );
    setText(this.#legendNotch, tokensText(every * tokensPerMark, false));
    const known = standings(
      runners.map(({ id, state, totalSeconds, metrics }) => ({
        id,
        totalSeconds,
        isRunning: state === 'waiting' || state === 'writing',
        isFailed: state === 'failed' || state === 'interrupted',
        ...(metrics.tokensPerSecond !== undefined && { tokensPerSecond: metrics.tokensPerSecond }),
        ...(metrics.completionTokens !== undefined && { tokens: metrics.completionTokens.value }),
      })),
    );
    for (const runner of runners) this.#draw(runner, nameOf(runner.id), every, known.get(runner.id));
    return known;
  }

  #keepRows(runners: readonly RunnerView[]): void {
    const ids = runners.map(({ id }) => id);
    if (ids.join() === [...this.#rows.keys()].join()) return;
    this.#rows.clear();
    for (const id of ids) this.#rows.set(id, newRow());
    this.#grid.replaceChildren(...[...this.#rows.values()].map((row) => row.element));
  }

  #drawAxis(end: number, ticks: readonly number[]): void {
    this.#end = end;
    this.element.style.setProperty('--race-ticks', String(ticks.length - 1));
    const whole = ticks.filter((tick) => Number.isInteger(tick));
    this.#axis.replaceChildren(
      ...whole.map((tick) => {
        const label = element('span', {}, wholeDurationText(tick));
        label.style.insetInlineStart = cssShare(tick / end);
        return label;
      }),
    );
  }

  #draw(runner: RunnerView, name: string, every: number, standing: Standing | undefined): void {
    const row = this.#rows.get(runner.id);
    if (row === undefined) return;
    const { state, waitingSeconds, totalSeconds, metrics } = runner;
    const { totalSeconds: total, tokensPerSecond: rate } = metrics;
    setText(row.name, name);
    row.name.title = name;
    row.track.dataset['state'] = state;
    row.waiting.style.width = cssShare(waitingSeconds / this.#end);
    row.writing.style.width = cssShare(Math.max(0, totalSeconds - waitingSeconds) / this.#end);
    row.writing.hidden = totalSeconds <= waitingSeconds;
    row.cap.hidden = state === 'queued' || state === 'elsewhere';
    this.#drawNotches(row, runner, every);
    const isLive = state === 'waiting' || state === 'writing';
    if (isLive) row.track.setAttribute('aria-label', state === 'waiting' ? l10n.t('waiting') : l10n.t('writing'));
    setText(row.total, total === undefined ? '' : timeText(total));
    setText(row.rate, rate === undefined ? '' : rateText(rate));
    drawVerdict(row.verdict, verdictWords(state, standing));
    if (isLive) return;
    const lines = speedLines(metrics);
    const hint = [...lines, ...marksExplained(...lines)].join('\n');
    if (row.track.title !== hint) row.track.title = hint;
    const slower = standing === undefined || standing.isFastest ? undefined : slowerText(standing.ratio);
    const sentence =
      total === undefined ? verdictWords(state, undefined).text || name : barSentence(waitingSeconds, totalSeconds);
    row.track.setAttribute('aria-label', [sentence, slower ?? ''].join(' ').trim());
  }

  /** Only adds what is new, without moving anything. */
  #drawNotches({ writing }: Row, { waitingSeconds, totalSeconds, marks }: RunnerView, every: number): void {
    const writingSeconds = totalSeconds - waitingSeconds;
    const shown = marks.filter((at, index) => (index + 1) % every === 0 && at > waitingSeconds && at < totalSeconds);
    while (writing.childElementCount > shown.length) writing.lastElementChild?.remove();
    while (writing.childElementCount < shown.length) writing.append(element('i', { class: 'race-notch' }));
    shown.forEach((at, index) => {
      const notch = writing.children[index];
      if (notch instanceof HTMLElement) notch.style.insetInlineStart = cssShare((at - waitingSeconds) / writingSeconds);
    });
  }
}

function verdictWords(state: RunnerView['state'], standing: Standing | undefined): { icon?: string; text: string } {
  if (state === 'queued') return { icon: 'clock', text: l10n.t('Waiting') };
  if (state === 'elsewhere') return { icon: 'multiple-windows', text: l10n.t('In another window') };
  if (state === 'failed') return { icon: 'error', text: l10n.t('Failed') };
  if (state === 'interrupted') return { icon: 'warning', text: l10n.t('Interrupted') };
  if (standing?.isFastest === true) return { icon: 'zap', text: l10n.t('Fastest') };
  const slower = standing === undefined ? undefined : slowerText(standing.ratio);
  if (slower !== undefined) return { text: slower };
  return { text: state === 'stopped' ? l10n.t('Stopped') : '' };
}

function drawVerdict(target: HTMLElement, verdict: { readonly icon?: string; readonly text: string }): void {
  if (target.textContent === verdict.text) return;
  target.classList.toggle('fastest', verdict.icon === 'zap');
  target.replaceChildren(...(verdict.icon === undefined ? [] : [icon(verdict.icon)]), verdict.text);
}

function newRow(): Row {
  const name = element('span', { class: 'race-name' });
  const waiting = element('span', { class: 'race-waiting' });
  const writing = element('span', { class: 'race-writing' });
  const cap = element('span', { class: 'race-cap' });
  const track = element('div', { class: 'race-track', role: 'img' }, waiting, writing, cap);
  const total = element('span', { class: 'race-figure race-total' });
  const rate = element('span', { class: 'race-figure' });
  const verdict = element('span', { class: 'race-verdict' });
  const row = element('div', { class: 'race-row' }, name, track, total, rate, verdict);
  return { name, track, waiting, writing, cap, total, rate, verdict, element: row };
}
