import type { ReplyMetrics } from '../../shared/chat.ts';
import { element } from './element.ts';
import { cssShare } from './cssShare.ts';

/**
 * The bar under a reply: waiting, then writing, as long as the reply took. The text next to it says the same, so it's
 * hidden from screen readers.
 */
export class SpeedLine {
  readonly element: HTMLElement;
  readonly #bar: HTMLElement;
  readonly #waiting: HTMLElement;
  #totalSeconds = 0;
  #slowestSeconds = 0;

  constructor() {
    this.#waiting = element('div', { class: 'speed-waiting' });
    this.#bar = element('div', { class: 'speed-bar' }, this.#waiting, element('div', { class: 'speed-writing' }));
    this.element = element('div', { class: 'speed-line', 'aria-hidden': 'true' }, this.#bar);
  }

  /** How long the reply took, or 0 if unknown. */
  get totalSeconds(): number {
    return this.#totalSeconds;
  }

  /** @param waitingOnly true while nothing has been written. */
  show(metrics: ReplyMetrics, waitingOnly: boolean): void {
    const total = Math.max(0, metrics.totalSeconds?.value ?? 0);
    const first = waitingOnly ? total : Math.max(0, metrics.timeToFirstTokenSeconds?.value ?? 0);
    this.#totalSeconds = total;
    this.#waiting.style.width = total > 0 ? cssShare(first / total) : '0';
    this.#draw();
  }

  /** Sets what the full width means: the time of the slowest reply in view. */
  scale(slowestSeconds: number): void {
    if (slowestSeconds === this.#slowestSeconds) return;
    this.#slowestSeconds = slowestSeconds;
    this.#draw();
  }

  #draw(): void {
    const full = Math.max(this.#slowestSeconds, this.#totalSeconds);
    this.#bar.style.width = full > 0 ? cssShare(this.#totalSeconds / full) : '0';
  }
}
