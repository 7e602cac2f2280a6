import * as l10n from '@vscode/l10n';
import type { MeasureProgress } from '../../shared/protocol/measureProtocol.ts';
import { costText } from '../../words/amount.ts';
import { waitText, wholeDurationText } from '../../words/duration.ts';
import { numberText } from '../../words/numberText.ts';
import { element, icon, setText } from '../kit/element.ts';
import type { Ticker } from '../kit/ticker.ts';
import { hostNow } from '../kit/host/hostClock.ts';
import { modelLabel } from '../../words/modelLabel.ts';

/** The run in progress: how far it is, what it has cost, and a button to stop it. */
export class RunBar {
  readonly element = element('section', { class: 'run-bar', hidden: true, 'aria-label': l10n.t('Running') });
  readonly #count = element('strong', {});
  readonly #facts = element('span', { class: 'dim' });
  readonly #meter = element('div', { class: 'run-meter', role: 'progressbar', 'aria-label': l10n.t('Requests') });
  readonly #done = element('div', { class: 'run-done' });
  readonly #stop = element('button', { type: 'button', class: 'button secondary with-icon' });
  readonly #ticker: Ticker;
  #progress: MeasureProgress | undefined;
  #shownAt = 0;
  #endTicks: (() => void) | undefined;

  constructor(stop: () => void, ticker: Ticker) {
    this.#ticker = ticker;
    this.#stop.append(icon('primitive-square'), l10n.t('Stop'));
    this.#stop.addEventListener('click', stop);
    this.#meter.append(this.#done);
    this.element.append(
      element(
        'div',
        { class: 'run-line' },
        icon('loading'),
        element('div', { class: 'run-words' }, this.#count, ' ', this.#facts),
        element('span', { class: 'dim' }, l10n.t('Results so far are kept if you stop')),
        this.#stop,
      ),
      this.#meter,
    );
  }

  show(progress: MeasureProgress | undefined): void {
    this.#progress = progress;
    this.#shownAt = performance.now();
    this.element.hidden = progress === undefined;
    if (progress === undefined) {
      this.#endTicks?.();
      this.#endTicks = undefined;
      return;
    }
    this.#endTicks ??= this.#ticker.add(() => this.#draw());
    this.#draw();
  }

  focus(): void {
    this.#stop.focus();
  }

  #draw(): void {
    const progress = this.#progress;
    if (progress === undefined) return;
    const { ended, planned } = progress;
    setText(this.#count, l10n.t('{0} of {1} requests', numberText(ended), numberText(planned)));
    const facts = factsOf(progress, performance.now() - this.#shownAt);
    setText(this.#facts, facts.map((fact) => `· ${fact}`).join(' '));
    this.#done.style.width = `${planned === 0 ? 0 : (ended / planned) * 100}%`;
    this.#meter.setAttribute('aria-valuemax', String(planned));
    this.#meter.setAttribute('aria-valuenow', String(ended));
  }
}

/** @param sinceMs time since the figures arrived */
function factsOf(progress: MeasureProgress, sinceMs: number): readonly string[] {
  const { model, load, isWarmUp, millisecondsLeft, cost, failed, pausedUntil } = progress;
  const { isCostEstimate: isEstimate, isCostAtLeast: isPartial } = progress;
  const leftMs = millisecondsLeft === undefined ? undefined : Math.max(1000, millisecondsLeft - sinceMs);
  const pauseMs = pausedUntil === undefined ? 0 : pausedUntil - hostNow();
  return [
    isWarmUp
      ? l10n.t('{0}, warm-up', modelLabel(model))
      : l10n.t('{0}, {1} at once', modelLabel(model), numberText(load)),
    ...(pauseMs > 0 ? [l10n.t('paused for {0}: the service limits requests', waitText(pauseMs))] : []),
    ...(leftMs === undefined ? [] : [l10n.t('about {0} left', wholeDurationText(leftMs / 1000))]),
    ...(cost > 0 ? [l10n.t('cost {0} so far', costText(cost, { isEstimate, isPartial }))] : []),
    failed === 0 ? l10n.t('none failed') : l10n.t('{0} failed', numberText(failed)),
  ];
}
