import { baseOf } from './hostForms.ts';
import type { ApiForm, Endpoint, HostForm } from '../types.ts';

/** The current host couldn't be reached, and the legacy one responds instead. */
export interface HostSwitch {
  readonly from: string;
  readonly to: string;
}

/** How long the legacy form comes first, in milliseconds, before the current one is tried again. */
const rememberedMs = 5 * 60_000;

/**
 * Which form of the host comes first, and which one if that can't be reached. The finding applies to the whole window:
 * the legacy form is used for five minutes at a time, until the current one works again.
 */
export class HostChoice {
  readonly #now: () => number;
  readonly #onSwitch: ((change: HostSwitch) => void) | undefined;
  /** When the legacy form took over, in milliseconds, by the pair of origins. */
  readonly #standsInSince = new Map<string, number>();
  readonly #told = new Set<string>();

  /** @param onSwitch called once for each pair of hosts. */
  constructor(now: () => number, onSwitch: ((change: HostSwitch) => void) | undefined) {
    this.#now = now;
    this.#onSwitch = onSwitch;
  }

  /** In the order to try them. */
  forms(endpoint: Endpoint, api: ApiForm): readonly HostForm[] {
    const pair = pairOf(endpoint, api);
    if (pair === undefined) return ['current'];
    const sinceMs = this.#standsInSince.get(pair.key);
    const standsIn = sinceMs !== undefined && this.#now() - sinceMs < rememberedMs;
    return standsIn ? ['legacy', 'current'] : ['current', 'legacy'];
  }

  /** This form responded, after the forms in `unreachable` couldn't be reached. */
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
