import type { ModelInfo } from '../../api/types.ts';
import { numberText } from '../../words/numberText.ts';

/** What the price of a run turns on. */
export type PricedRun =
  | { readonly kind: 'image' }
  | { readonly kind: 'video'; readonly duration?: number; readonly audio?: unknown; readonly draft?: boolean };

/**
 * What a run comes to by the catalogue's prices, in the service's own unit. Undefined where they do not say, or
 * where it turns on what was left to the service: the length of a film, and what a draft costs.
 */
export function mediaPrice({ raw }: Pick<ModelInfo, 'raw'>, parameters: PricedRun): number | undefined {
  const { pricing } = raw;
  if (typeof pricing !== 'object' || pricing === null) return undefined;
  const prices = Object.entries(pricing);
  const perRun = priceOf(prices, parameters.kind === 'video' ? perVideo : perImage);
  const perSecond = parameters.kind === 'video' ? priceOf(prices, perSecondOfVideo) : undefined;
  if (perRun === undefined && perSecond === undefined) return undefined;
  if (parameters.kind === 'image') return perRun;
  const { duration, audio, draft } = parameters;
  if (draft === true) return undefined;
  if (perSecond === undefined || perSecond === 0) return perRun;
  // With a sound the service takes no notice of the length that was asked for.
  if (duration === undefined || audio !== undefined) return undefined;
  return (perRun ?? 0) + perSecond * duration;
}

/** As much of it as means something. */
export function roundedPrice(amount: number): string {
  return numberText(Number(amount.toPrecision(4)), 0, 20);
}

const perImage: ReadonlySet<string> = new Set(['request', 'per_request', 'image', 'per_image', 'generation']);
const perVideo: ReadonlySet<string> = new Set(['request', 'per_request', 'video', 'per_video', 'generation']);
const perSecondOfVideo: ReadonlySet<string> = new Set(['second', 'per_second', 'video_second', 'per_video_second']);

/** Prices are numbers, or texts as they are where no digit may get lost. */
function priceOf(prices: readonly (readonly [string, unknown])[], names: ReadonlySet<string>): number | undefined {
  for (const [name, value] of prices) {
    if (!names.has(name)) continue;
    const price = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof price === 'number' && Number.isFinite(price) && price >= 0) return price;
  }
  return undefined;
}
