import * as l10n from '@vscode/l10n';
import type { ModelInfo } from '../../api/wire/decodeModels.ts';
import { amountText } from '../../words/amount.ts';
import { numberText } from '../../words/numberText.ts';

/** The price of one use according to the model list, in its own currency: `0.05 per request`; undefined if unknown. */
export function statedPrices({ raw }: ModelInfo): string | undefined {
  const { pricing } = raw;
  if (typeof pricing !== 'object' || pricing === null) return undefined;
  const prices = Object.entries(pricing).flatMap(([what, value]: [string, unknown]) => {
    const price = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof price === 'number' && Number.isFinite(price) && price > 0
      ? [priceOfUse(what, numberText(price, 0, 20))]
      : [];
  });
  return prices.length === 0 ? undefined : prices.slice(0, 6).join(', ');
}

/** @param name as in the model list, for example `second` or `per_second`: there's no standard */
function priceOfUse(name: string, price: string): string {
  const use = name.replace(/^per_/, '');
  switch (use) {
    case 'second':
    case 'video_second':
      return l10n.t('{0} per second', price);
    case 'request':
      return l10n.t('{0} per request', price);
    case 'image':
      return l10n.t('{0} per image', price);
    case 'video':
      return l10n.t('{0} per video', price);
    default:
      return `${use.replaceAll('_', ' ').slice(0, 40)} ${price}`;
  }
}

/** The sentence about cost in a confirmation. */
export function costSentence(model: ModelInfo): string {
  const prices = statedPrices(model);
  return prices === undefined
    ? l10n.t("The model list doesn't include a price. Your account with the service is charged.")
    : l10n.t('List price: {0}. Your account with the service is charged.', prices);
}

/** `0.10 in / 0.40 out per 1M tokens`; empty if a price is missing. */
export function pricesText({
  inputPricePerMillion: input,
  outputPricePerMillion: output,
}: Partial<ModelInfo> = {}): string {
  if (input === undefined || output === undefined) return '';
  return l10n.t('{0} in / {1} out per 1M tokens', amountText(input), amountText(output));
}
