import type { RequestDigest } from '../../core/requests/requestDigest.ts';
import { usageOn } from '../../core/requests/usageView.ts';
import { todayLine } from '../../core/requests/usageWords.ts';
import { DisposableList } from '../platform/disposables.ts';
import { localDay } from '../platform/localDay.ts';
import { type Later, systemLater } from './runNews.ts';

/** Waits until the disk isn't needed for something that the user has just opened. */
const firstSumDelayMs = 2000;

export interface TodayUsageDeps {
  readonly history: {
    digest(): Promise<RequestDigest>;
    /** The sums changed: because of any window, or because requests were deleted. Fires only after the first read. */
    readonly onDidChange: (listener: () => void) => { dispose(): void };
  };
  readonly onDidChange: () => void;
  readonly onError: (error: unknown) => void;
  /** Unix time in milliseconds. */
  readonly now?: () => number;
  readonly later?: Later;
}

/** Today's usage by all windows, as a line for a hover. */
export class TodayUsage {
  readonly #deps: TodayUsageDeps;
  readonly #now: () => number;
  readonly #later: Later;
  readonly #own = new DisposableList();
  #sum: { readonly day: string; readonly line: string } | undefined;
  #cancel: () => void;

  constructor(deps: TodayUsageDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
    this.#later = deps.later ?? systemLater;
    this.#own.add(deps.history.onDidChange(() => this.#sumUp()));
    this.#cancel = this.#later(() => this.#sumUp(), firstSumDelayMs);
    this.#own.add({ dispose: () => this.#cancel() });
  }

  /** Undefined until the day is summed up. */
  get line(): string | undefined {
    return this.#sum?.day === localDay(this.#now()) ? this.#sum.line : undefined;
  }

  /** A timer might be late after the machine slept, so the day is checked whenever the hover is shown. */
  checkDay(): void {
    if (this.#sum !== undefined && this.line === undefined) this.#sumUp();
  }

  dispose(): void {
    this.#own.dispose();
  }

  #sumUp(): void {
    this.#sumDay().catch(this.#deps.onError);
  }

  async #sumDay(): Promise<void> {
    const digest = await this.#deps.history.digest();
    if (this.#own.disposed) return;
    const now = this.#now();
    const day = localDay(now);
    this.#sum = { day, line: todayLine(usageOn(digest, day)) };
    this.#cancel();
    this.#cancel = this.#later(() => this.#sumUp(), new Date(now).setHours(24, 0, 0, 0) - now);
    this.#deps.onDidChange();
  }
}
