import type { RequestDigest } from '../../core/requests/requestDigest.ts';
import { usageOn } from '../../core/requests/usageView.ts';
import { todayLine } from '../../core/requests/todayLine.ts';
import { DisposableList } from '../platform/disposables.ts';
import { localDay } from '../platform/localDay.ts';
import { systemLater } from '../platform/timers/later.ts';
import { type MidnightClock, Midnights } from '../platform/timers/midnights.ts';

/** Waits until the disk isn't needed for something that the user has just opened. */
const firstSumDelayMs = 2000;

export interface TodayUsageDeps extends MidnightClock {
  readonly history: {
    digest(): Promise<RequestDigest>;
    /** The sums changed: because of any window, or because requests were deleted. Fires only after the first read. */
    readonly onDidChange: (listener: () => void) => { dispose(): void };
  };
  readonly onDidChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** Today's usage by all windows, as a line for a hover. */
export class TodayUsage {
  readonly #deps: TodayUsageDeps;
  readonly #now: () => number;
  readonly #own = new DisposableList();
  readonly #midnights: Midnights;
  readonly #cancelFirst: () => void;
  #sum: { readonly day: string; readonly line: string } | undefined;

  constructor(deps: TodayUsageDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
    this.#own.add(deps.history.onDidChange(() => this.#sumUp()));
    this.#cancelFirst = (deps.later ?? systemLater)(() => this.#sumUp(), firstSumDelayMs);
    this.#own.add({ dispose: this.#cancelFirst });
    this.#midnights = this.#own.add(new Midnights(() => this.#sumUp(), deps));
  }

  /** Undefined until the day is summed up. */
  get line(): string | undefined {
    return this.#sum?.day === localDay(this.#now()) ? this.#sum.line : undefined;
  }

  /** Called whenever the hover is shown. */
  checkDay(): void {
    this.#midnights.check();
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
    const day = localDay(this.#now());
    this.#cancelFirst();
    this.#sum = { day, line: todayLine(usageOn(digest, day)) };
    this.#deps.onDidChange();
  }
}
