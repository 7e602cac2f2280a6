import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { mediaFields, type MediaKind } from '../../shared/media.ts';

/** What the price of a run depends on. */
export interface PricedRun {
  readonly kind: MediaKind;
  readonly duration?: number;
  readonly audio?: unknown;
  readonly draft?: boolean;
}

/**
 * The cost of a run by the model list's prices, in the service's own currency. Undefined without a price, or if it
 * depends on something that was left to the service, for example the length of a video or the price of a draft.
 */
export function mediaPrice({ raw }: Pick<ModelInfo, 'raw'>, parameters: PricedRun): number | undefined {
  const { pricing } = raw;
  if (typeof pricing !== 'object' || pricing === null) return undefined;
  const prices = Object.entries(pricing);
  const { kind } = parameters;
  const perRun = priceOf(prices, ['request', 'per_request', kind, `per_${kind}`, 'generation']);
  const hasLength = 'duration' in mediaFields[kind];
  const secondNames = hasLength ? ['second', 'per_second', `${kind}_second`, `per_${kind}_second`] : [];
  const perSecond = priceOf(prices, secondNames);
  if (perRun === undefined && perSecond === undefined) return undefined;
  const { duration, audio, draft } = parameters;
  if (draft === true) return undefined;
  if (perSecond === undefined || perSecond === 0) return perRun;
  // With an audio file, the service ignores the requested length.
  if (duration === undefined || audio !== undefined) return undefined;
  return (perRun ?? 0) + perSecond * duration;
}

/** Prices are numbers, or texts, from services that keep every digit. */
function priceOf(prices: readonly (readonly [string, unknown])[], names: readonly string[]): number | undefined {
  for (const [name, value] of prices) {
    if (!names.includes(name)) continue;
    const price = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof price === 'number' && Number.isFinite(price) && price >= 0) return price;
  }
  return undefined;
}
