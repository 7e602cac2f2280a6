import { baseOf } from './hostForms.ts';
import type { ApiForm, Endpoint, HostForm } from '../types.ts';

/** The current host could not be reached, and the legacy one answers in its place. */
export interface HostSwitch {
  readonly from: string;
  readonly to: string;
}

/** So long the legacy form is asked first, before the current one is tried again. */
const rememberedMs = 5 * 60_000;

/**
 * Which form of the host is asked, and which one where that cannot be reached. What was found out
 * holds for the window: the legacy form is kept for five minutes at a time, until the current one
 * works again.
 */
export class HostChoice {
  readonly #now: () => number;
  readonly #onSwitch: ((change: HostSwitch) => void) | undefined;
  /** Since when the legacy form stands in, in milliseconds, by the two origins. */
  readonly #standsInSince = new Map<string, number>();
  readonly #told = new Set<string>();

  /** @param onSwitch told once of each pair of hosts. */
  constructor(now: () => number, onSwitch: ((change: HostSwitch) => void) | undefined) {
    this.#now = now;
    this.#onSwitch = onSwitch;
  }

  /** In the order in which they are to be asked. */
  forms(endpoint: Endpoint, api: ApiForm): readonly HostForm[] {
    const pair = pairOf(endpoint, api);
    if (pair === undefined) return ['current'];
    const sinceMs = this.#standsInSince.get(pair.key);
    const standsIn = sinceMs !== undefined && this.#now() - sinceMs < rememberedMs;
    return standsIn ? ['legacy', 'current'] : ['current', 'legacy'];
  }

  /** This form answered, after the forms in `unreachable` could not be reached. */
  reached(endpoint: Endpoint, api: ApiForm, form: HostForm, unreachable: readonly HostForm[]): void {
    const pair = pairOf(endpoint, api);
    if (pair === undefined) return;
    if (form === 'current') {
      this.#standsInSince.delete(pair.key);
      return;
    }
    if (!unreachable.includes('current')) return;
    this.#standsInSince.set(pair.key, this.#now());
    if (this.#told.has(pair.key)) return;
    this.#told.add(pair.key);
    this.#onSwitch?.({ from: pair.current.host, to: pair.legacy.host });
  }
}

function pairOf(endpoint: Endpoint, api: ApiForm) {
  const current = baseOf(endpoint, api, 'current');
  const legacy = baseOf(endpoint, api, 'legacy');
  if (current === undefined || legacy === undefined || legacy.origin === current.origin) return undefined;
  return { current, legacy, key: `${current.origin} ${legacy.origin}` };
}
