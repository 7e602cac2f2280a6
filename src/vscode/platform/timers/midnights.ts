import { localDay } from '../localDay.ts';
import { type Later, systemLater } from './later.ts';

export interface MidnightClock {
  /** Unix time in milliseconds. */
  readonly now?: () => number;
  readonly later?: Later;
}

/** Tells when a new day has begun, in the user's time zone, so that nothing shows yesterday as today. */
export class Midnights {
  readonly #onDay: () => void;
  readonly #now: () => number;
  readonly #later: Later;
  #day = '';
  #cancel: (() => void) | undefined;

  constructor(onDay: () => void, { now = Date.now, later = systemLater }: MidnightClock = {}) {
    this.#onDay = onDay;
    this.#now = now;
    this.#later = later;
    this.#wait();
  }

  /** A timer is late after the machine slept, so this is called when the user looks. */
  check(): void {
    if (localDay(this.#now()) !== this.#day) this.#tell();
  }

  dispose(): void {
    this.#cancel?.();
  }

  #wait(): void {
    this.#cancel?.();
    const now = this.#now();
    this.#day = localDay(now);
    this.#cancel = this.#later(() => this.#tell(), new Date(now).setHours(24, 0, 0, 0) - now);
  }

  #tell(): void {
    this.#wait();
    this.#onDay();
  }
}
